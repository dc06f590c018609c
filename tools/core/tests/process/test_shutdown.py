"""The order of an orderly end, with a process that obeys at the step it is told to."""

import anyio
import pytest
from anyio.abc import ByteSendStream

from mcp_check_core.process.carrier import Exit
from mcp_check_core.process.sample import Member
from mcp_check_core.process.shutdown import Graces, end_in_order

pytestmark = pytest.mark.anyio
QUICK = Graces(stdin=0.01, term=0.01, settle=0.05)
LEFT = (Member(9, "left", "left behind"),)


class Stdin(ByteSendStream):
    """Stands for a standard input and notes that it was closed."""

    def __init__(self, process: "Obedient") -> None:
        self._process = process

    async def send(self, item: bytes) -> None:
        pytest.fail(f"nothing is to be sent, least of all {item!r}")

    async def aclose(self) -> None:
        self._process.take("close")


class Obedient:
    """Ends at the step `ends_at`, and leaves `left` behind for `looks` looks at it."""

    def __init__(self, ends_at: str, left: tuple[Member, ...] = (), looks: int = 10**6) -> None:
        self.exit: Exit | None = Exit(code=0) if ends_at == "before" else None
        self.stdin: ByteSendStream = Stdin(self)
        self.steps: list[str] = []
        self._ends_at, self._left, self._looks = ends_at, left, looks
        self._ended = anyio.Event()

    def take(self, step: str) -> None:
        self.steps.append(step)
        if step == self._ends_at:
            self.exit = Exit(code=0)
            self._ended.set()

    async def wait(self) -> Exit:
        await self._ended.wait()
        assert self.exit
        return self.exit

    def members(self) -> tuple[Member, ...]:
        self._looks -= 1
        return self._left if self._looks >= 0 else ()

    def terminate(self) -> None:
        self.take("terminate")

    def kill(self) -> None:
        self.take("kill")


@pytest.mark.parametrize(
    ("ends_at", "steps"),
    [
        ("before", ["close"]),
        ("close", ["close"]),
        ("terminate", ["close", "terminate"]),
        ("kill", ["close", "terminate", "kill"]),
    ],
)
async def test_no_step_more_than_needed(ends_at: str, steps: list[str]) -> None:
    process = Obedient(ends_at)
    ended = await end_in_order(process, QUICK)
    assert process.steps == steps
    assert ended.closed_stdin is (ends_at != "before")
    assert (ended.sent_sigterm, ended.sent_sigkill) == ("terminate" in steps, "kill" in steps)
    assert (ended.ms_to_exit is None) is (ends_at == "before")


async def test_a_grace_of_zero_skips_its_step() -> None:
    process = Obedient("kill")
    ended = await end_in_order(process, Graces(stdin=0, term=0))
    assert process.steps == ["close", "kill"]
    assert (ended.sent_sigterm, ended.sent_sigkill) == (False, True)


async def test_what_stays_is_a_leftover() -> None:
    assert (await end_in_order(Obedient("close", LEFT), QUICK)).leftovers == LEFT
    assert (await end_in_order(Obedient("terminate", LEFT), QUICK)).leftovers == LEFT


async def test_what_goes_by_itself_is_none() -> None:
    assert (await end_in_order(Obedient("close", LEFT, looks=2), QUICK)).leftovers == ()


async def test_after_a_kill_nothing_counts_as_leftover() -> None:
    assert (await end_in_order(Obedient("kill", LEFT), QUICK)).leftovers == ()


async def test_no_end_even_of_a_kill_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_check_core.process.shutdown._KILL_PATIENCE_S", 0.02)
    ended = await end_in_order(Obedient("never"), QUICK)
    assert (ended.ms_to_exit, ended.sent_sigkill) == (None, True)
