"""What was seen of the calls of one tool, for the rules to judge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from mcp_check_core.judges.disguise import Disguise, Suspicion, judge_response
from mcp_check_core.model.bounds import cut_value
from mcp_check_core.model.finding import Location
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import ToolResult
from mcp_reality_check.facts.outcome import Ending, Outcome
from mcp_reality_check.facts.output_schema import OutputSchema, read_output_schema

TRIES = 3
"""How often a call that ended a server is made in all: once in the run, twice alone."""
REPRODUCE_TEXT = 4_000
"""Characters of one text in a request that is shown to be sent again."""
EXCERPT = 300


class Purpose(StrEnum):
    """What a call is for.

    `realistic` asks for what there may well be, `other` for something else of the kind, `absent` for
    something that cannot exist, `read-back` for what was written before. `live` is a call of an agent.
    """

    REALISTIC = "realistic"
    OTHER = "other"
    ABSENT = "absent"
    READ_BACK = "read-back"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Input:
    """Arguments of one call, and where each value comes from by JSON pointer (`name: city`)."""

    arguments: Mapping[str, Json]
    sources: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """One call that was made, and how it ended.

    `death` holds `exitCode` or `signal` of a process that ended, or `running` of one that only closed its
    output; `stderr` the end of what it wrote. `seen` of `tries` attempts ended so. `waited`: it had no answer
    in time; `alive` says whether the server answered a ping then. `after_answer`: the process ended once it
    had answered.
    """

    purpose: Purpose
    input: Input
    ending: Ending
    duration_ms: float = 0.0
    size: int = 0
    death: Mapping[str, Json] = field(default_factory=dict)
    stderr: str = ""
    seen: int = 1
    tries: int = 1
    waited: bool = False
    alive: bool | None = None
    after_answer: bool = False

    @property
    def outcome(self) -> Outcome:
        """How the call ended."""
        return self.ending.outcome

    @property
    def flaky(self) -> bool:
        """Whether the same call, made again, did not always end so."""
        return self.seen < self.tries


@dataclass(frozen=True, slots=True)
class Answer:
    """A call that claims success: its result, and what speaks against it."""

    call: Call
    result: ToolResult
    suspicions: tuple[Suspicion, ...]

    def suspicion(self, kind: Disguise) -> Suspicion | None:
        """Give the suspicion of one kind, if there is one."""
        return next((one for one in self.suspicions if one.kind is kind), None)


@dataclass(frozen=True, slots=True)
class Link:
    """A resource link in the answer to a call that was followed; `problem` says why it leads nowhere."""

    call: Call
    pointer: str
    uri: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """A read that was answered after a write: the tool, and the text of its answer."""

    tool: str
    answer: str


@dataclass(frozen=True, slots=True)
class Write:
    """A write that was answered well, the reads behind it, and whether one of them shows what it wrote."""

    call: Call
    reads: tuple[Read, ...]
    shown: bool


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """The calls of one tool, in order. `stopped` says why it was not called further, if so.

    `offline`: calls of the same server, of whatever tool, failed for want of the network.
    """

    tool: ToolDefinition
    output: OutputSchema
    calls: tuple[Call, ...] = ()
    answers: tuple[Answer, ...] = ()
    stopped: str | None = None
    links: tuple[Link, ...] = ()
    writes: tuple[Write, ...] = ()
    offline: bool = False

    def ended(self, outcome: Outcome) -> Iterator[Call]:
        """Give the calls that ended in one way."""
        return (call for call in self.calls if call.outcome is outcome)

    @property
    def exercised(self) -> bool:
        """Whether the server's own code answered a call, in success or in an honest error."""
        return any(
            call.outcome is Outcome.ANSWERED
            or (call.outcome is Outcome.ERROR and call.ending.environment is None)
            for call in self.calls
        )

    def about(self, answer: Answer) -> "ToolCalls":
        """Give the same tool as if it had been called for one answer alone."""
        links = tuple(link for link in self.links if link.call is answer.call)
        writes = tuple(write for write in self.writes if write.call is answer.call)
        return replace(self, calls=(answer.call,), answers=(answer,), links=links, writes=writes)

    def location(self, pointer: str | None = None) -> Location:
        """Say where a finding on this tool is."""
        return Location(tool=self.tool.label, pointer=pointer)

    def request(self, call: Call) -> Json:
        """The JSON-RPC request that makes a call; very long texts are cut, and say so."""
        arguments = cut_value(dict(call.input.arguments), text=REPRODUCE_TEXT, items=200, depth=60)
        name = (self.tool.name or "")[:REPRODUCE_TEXT]
        params: dict[str, Json] = {"name": name, "arguments": arguments}
        return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def tool_calls(
    tool: ToolDefinition,
    calls: tuple[Call, ...],
    *,
    stopped: str | None = None,
    output: OutputSchema | None = None,
    links: tuple[Link, ...] = (),
) -> ToolCalls:
    """Put the calls of a tool together with what the shared judge says of each success."""
    answers = tuple(
        Answer(call, call.ending.result, judge_response(tool, call.input.arguments, call.ending.result))
        for call in calls
        if call.outcome is Outcome.ANSWERED and call.ending.result is not None
    )
    return ToolCalls(tool, output or read_output_schema(tool), calls, answers, stopped, links)


def evidence(call: Call, **more: Json) -> dict[str, Json]:
    """Give what was sent, where it came from and what was seen; empty members of `more` are left out."""
    shown: dict[str, Json] = {"case": call.purpose.value, "arguments": cut_value(dict(call.input.arguments))}
    if call.input.sources:
        shown["inputSource"] = cut_value(dict(call.input.sources))
    return shown | {name: value for name, value in more.items() if value not in (None, "", {}, [])}
