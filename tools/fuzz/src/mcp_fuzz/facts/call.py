"""What was seen of the calls of one tool, for the rules to judge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mcp_check_core.model.json_value import Json
from mcp_fuzz.facts.case import Case, Phase, Validity
from mcp_fuzz.facts.outcome import Outcome, Verdict

TRIES = 3
"""How often a case that ended a server or had no answer is made in all: once in the run, twice alone."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call that was made, and how it ended.

    `death` holds `exitCode` or `signal` of a process that ended (both None where that could not be seen) or
    `running` of one that only closed its output, `stderr` the end of what it wrote, `excerpt`
    the start of an answer that cannot be read. `seen` of `tries` attempts ended so; both are 1 where the case
    was not made again. `waited`: it had no answer within the limit; `alive` says whether the server answered
    a ping then, and `offline` whether other calls had failed for want of the network. `after_answer`: the
    process ended once it had answered. `characters` is the length of what a model would read of the answer;
    `started_at` is in seconds since the epoch.
    """

    case: Case
    verdict: Verdict
    duration_ms: float = 0.0
    started_at: float = 0.0
    size: int = 0
    characters: int = 0
    death: Mapping[str, Json] = field(default_factory=dict)
    stderr: str = ""
    excerpt: str = ""
    seen: int = 1
    tries: int = 1
    waited: bool = False
    alive: bool | None = None
    after_answer: bool = False
    offline: bool = False

    @property
    def outcome(self) -> Outcome:
        """How the call ended."""
        return self.verdict.outcome

    @property
    def flaky(self) -> bool:
        """Whether the same case, made again, did not always end so."""
        return self.seen < self.tries


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """The calls of one tool, in order. `stopped` says why it was not called for all its cases, if so."""

    tool: str
    calls: tuple[Call, ...] = ()
    stopped: str | None = None

    def ended(self, outcome: Outcome) -> Iterator[Call]:
        """Give the calls that ended in one way."""
        return (call for call in self.calls if call.outcome is outcome)

    @property
    def exercised(self) -> bool:
        """Whether a call got an orderly answer in its own form, with nothing around the server to blame."""
        return any(
            call.verdict.orderly and call.verdict.environment is None and not call.verdict.disguised
            for call in self.calls
        )

    @property
    def wanting(self) -> tuple[str, ...]:
        """What was missing around the server when calls failed, each once."""
        return tuple(
            dict.fromkeys(call.verdict.environment for call in self.calls if call.verdict.environment)
        )

    @property
    def judged_invalid(self) -> bool:
        """Whether a call was made with arguments that the schema surely forbids."""
        return any(
            call.case.validity is Validity.INVALID and call.verdict.environment is None for call in self.calls
        )

    @property
    def unjudged_invalid(self) -> bool:
        """Whether a bad call was made of which the schema could not tell that it is bad."""
        return any(
            call.case.validity is Validity.UNKNOWN and call.case.phase is not Phase.VALID
            for call in self.calls
        )


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Processes that outlived an orderly end of the server: their commands, each as often as it was seen."""

    commands: tuple[str, ...]
