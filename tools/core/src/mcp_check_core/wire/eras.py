"""Which eras a server has: each asked for in a server of its own, which is thrown away."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

from mcp_check_core.wire.handshake import Handshake
from mcp_check_core.wire.modern import is_modern
from mcp_check_core.wire.not_connected import ConnectFailure, NotConnectedError
from mcp_check_core.wire.opener import SessionOpener
from mcp_check_core.wire.versions import LATEST_HANDSHAKE, LATEST_MODERN, Era

_NOT_ABOUT_ERAS = (
    ConnectFailure.SPAWN,
    ConnectFailure.AUTH,
    ConnectFailure.UNREACHABLE,
    ConnectFailure.CREDENTIAL,
)


@dataclass(frozen=True, slots=True)
class EraProbe:
    """What one era's opening request showed.

    `present`: the server has the era. `version`: the one to speak in it, None where we know none that it has.
    `supported`: what it names itself. `problem`: why there is no session to be had in it.
    """

    era: Era
    present: bool
    version: str | None = None
    supported: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Eras:
    """The answers for both eras."""

    handshake: EraProbe
    modern: EraProbe

    @property
    def versions(self) -> tuple[str, ...]:
        """One version for each era that can be checked, the handshake's first."""
        return tuple(probe.version for probe in (self.handshake, self.modern) if probe.version is not None)


async def find_eras(opener: SessionOpener) -> Eras:
    """Ask for both eras, one after the other, in a fresh server each.

    Raises NotConnectedError where neither can be spoken: the failure of the handshake.
    """
    handshake, failure = await _probe(opener, LATEST_HANDSHAKE, Era.HANDSHAKE)
    modern, _ = await _probe(opener, LATEST_MODERN, Era.MODERN)
    eras = Eras(handshake, modern)
    if failure is not None and not eras.versions:
        raise failure
    return eras


async def _probe(opener: SessionOpener, version: str, era: Era) -> tuple[EraProbe, NotConnectedError | None]:
    try:
        async with AsyncExitStack() as stack:
            session = await opener.attempt(stack, version)
            await session.connection.close(opener.graces)
            return EraProbe(era, True, session.protocol, session.handshake.supported), None
    except NotConnectedError as problem:
        if problem.failure in _NOT_ABOUT_ERAS:
            raise
        return _absent(era, problem, problem.handshake), problem


def _absent(era: Era, problem: NotConnectedError, answer: Handshake | None) -> EraProbe:
    present = answer is not None and is_modern(answer)
    supported = answer.supported if answer is not None else ()
    return EraProbe(era, present, None, supported, problem.message)
