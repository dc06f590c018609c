"""Which tools are called, and why the others are not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import anyio.lowlevel

from mcp_check_core.model.report import Skipped
from mcp_check_core.model.tool import ToolDefinition
from mcp_fuzz.inputs.cases import ToolCases, tool_cases, within
from mcp_fuzz.options import Depth

AS_TASK_ALONE = "it can be called as a task alone (execution.taskSupport: required), which is not done here"
NOT_READ_ONLY = "it is not annotated readOnlyHint: true (--include-destructive calls it)"


@dataclass(frozen=True, slots=True)
class FuzzOptions:
    """What the user asked for. `tools` and `exclude` are globs over names; no glob chooses every tool."""

    include_destructive: bool = False
    tools: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    depth: Depth = Depth.NORMAL
    seed: int = 0
    max_calls: int = 2_000


@dataclass(frozen=True, slots=True)
class Plan:
    """The cases of each tool that is called, the other tools with the reason, how many cases are unsent.

    `definitions` are those of the tools that are called, by name.
    """

    tools: tuple[ToolCases, ...]
    skipped: tuple[Skipped, ...]
    over_limit: int = 0
    definitions: Mapping[str, ToolDefinition] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        """How many calls are planned."""
        return sum(len(tool.cases) for tool in self.tools)


def choose(
    tools: Sequence[ToolDefinition], options: FuzzOptions
) -> tuple[list[ToolDefinition], list[Skipped]]:
    """Choose the tools that are called, at most as many as calls may be made, and say why not the others."""
    chosen: list[ToolDefinition] = []
    skipped: list[Skipped] = []
    seen: set[str] = set()
    for tool in tools:
        reason = _reason(tool, options)
        if reason is None and tool.name in seen:
            reason = "a tool of this name was listed before"
        if reason is None and len(chosen) == options.max_calls:
            reason = f"there are more tools than calls (--max-calls {options.max_calls})"
        seen.add(tool.name or "")
        if reason is None:
            chosen.append(tool)
        else:
            skipped.append(Skipped(tool.label, reason))
    return chosen, skipped


async def make_plan(tools: Sequence[ToolDefinition], options: FuzzOptions) -> Plan:
    """Choose the tools and make their cases; can be cancelled between two tools."""
    chosen, skipped = choose(tools, options)
    whole: list[ToolCases] = []
    for tool in chosen:
        whole.append(tool_cases(tool, seed=options.seed, depth=options.depth))
        await anyio.lowlevel.checkpoint()
    kept = within(whole, options.max_calls)
    over = sum(len(tool.cases) for tool in whole) - sum(len(tool.cases) for tool in kept)
    return Plan(kept, tuple(skipped), over, {tool.name or "": tool for tool in chosen})


def _reason(tool: ToolDefinition, options: FuzzOptions) -> str | None:
    if tool.name is None:
        return "it has no name to call it by"
    if options.tools and not any(fnmatchcase(tool.name, glob) for glob in options.tools):
        return "--tool leaves it out"
    if any(fnmatchcase(tool.name, glob) for glob in options.exclude):
        return "--exclude leaves it out"
    if not tool.read_only and not options.include_destructive:
        return NOT_READ_ONLY
    execution = tool.fields.get("execution")
    if isinstance(execution, dict) and execution.get("taskSupport") == "required":
        return AS_TASK_ALONE
    return None
