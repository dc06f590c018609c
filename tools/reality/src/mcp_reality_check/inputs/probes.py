"""The calls that a file of probes lists, by tool, with their placeholders filled in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp_check_core.inputs.arguments import read_input_schema
from mcp_check_core.inputs.fixtures import Probe
from mcp_check_core.inputs.places import pointer
from mcp_check_core.inputs.probe_gate import blocked
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_reality_check.facts.call import Input, Purpose


@dataclass(frozen=True, slots=True)
class Listed:
    """One call of the file: arguments as they are sent, and what it is for."""

    probe: Probe
    arguments: dict[str, Json]

    @property
    def input(self) -> Input:
        """The arguments, with the file as the source of each."""
        source = f"fixtures: {self.probe.label}"
        return Input(self.arguments, {pointer((name,)): source for name in self.arguments})

    @property
    def purpose(self) -> Purpose:
        """What the call is for: one that has to fail asks for what cannot exist."""
        return Purpose.ABSENT if self.probe.expect_error else Purpose.REALISTIC


@dataclass(frozen=True, slots=True)
class ProbeBook:
    """All calls of a file; `secrets` are the values of variables in it, which no output may show."""

    listed: tuple[Listed, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict)

    def allows(self, tool: ToolDefinition) -> bool:
        """Whether a call of the file may be made to a tool that is not read-only."""
        return any(one.probe.allow_destructive for one in self._of(tool))

    def of(self, tool: ToolDefinition) -> tuple[tuple[Listed, ...], tuple[str, ...]]:
        """Give the calls of a tool that may be made, and the reasons why others are not."""
        schema = read_input_schema(tool.input_schema)
        usable: list[Listed] = []
        reasons: list[str] = []
        for one in self._of(tool):
            reason = blocked(one.probe, tool, one.arguments, schema)
            if reason is None:
                usable.append(one)
            else:
                reasons.append(f"fixtures: {one.probe.label}: {reason}")
        return tuple(usable), tuple(reasons)

    def unknown(self, tools: Mapping[str, ToolDefinition]) -> tuple[str, ...]:
        """Name the tools of the file that the server does not list."""
        return tuple(dict.fromkeys(one.probe.tool for one in self.listed if one.probe.tool not in tools))

    def _of(self, tool: ToolDefinition) -> tuple[Listed, ...]:
        return tuple(one for one in self.listed if one.probe.tool == tool.name)


def probe_book(ready: Sequence[tuple[Probe, dict[str, Json]]], secrets: Sequence[str]) -> ProbeBook:
    """Take the calls of a file with their variables put in, and the values of these."""
    listed = tuple(Listed(probe, arguments) for probe, arguments in ready)
    named = {f"fixtures-{number}": value for number, value in enumerate(secrets, start=1)}
    return ProbeBook(listed, named)
