"""Which tools are called in which order, and why the others are not."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from mcp_check_core.inputs.words import words
from mcp_check_core.model.report import Skipped
from mcp_check_core.model.tool import ToolDefinition
from mcp_reality_check.inputs.probes import ProbeBook

AS_TASK_ALONE = "it can be called as a task alone (execution.taskSupport: required), which is not done here"
NOT_READ_ONLY = "it is not annotated readOnlyHint: true (--include-destructive calls it)"
_LISTING = frozenset(("list", "search", "find", "browse", "index", "all", "enumerate", "ls"))
_ENDING = frozenset(
    ("delete", "remove", "destroy", "drop", "clear", "purge", "reset", "archive", "close", "stop", "kill")
)


@dataclass(frozen=True, slots=True)
class RealityOptions:
    """What the user asked for. `tools` and `exclude` are globs over names; no glob chooses every tool.

    `probes` are the calls of a file of fixtures, None without one.
    """

    include_destructive: bool = False
    tools: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    probes: ProbeBook | None = None
    seed: int = 0
    max_calls: int = 2_000


@dataclass(frozen=True, slots=True)
class Plan:
    """The tools in the order in which they are called, and the others with the reason."""

    tools: tuple[ToolDefinition, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def make_plan(tools: Sequence[ToolDefinition], options: RealityOptions) -> Plan:
    """Choose the tools and put them in order: those whose answers hold ids come before those that take some.

    Tools that list come first, then others that read; what writes comes behind, and last what ends things.
    """
    chosen: list[ToolDefinition] = []
    skipped: list[Skipped] = []
    seen: set[str] = set()
    for tool in tools:
        reason = _reason(tool, options)
        if reason is None and tool.name in seen:
            reason = "a tool of this name was listed before"
        seen.add(tool.name or "")
        if reason is None:
            chosen.append(tool)
        else:
            skipped.append(Skipped(tool.label, reason))
    return Plan(tuple(sorted(chosen, key=_turn)), tuple(skipped))


def _turn(tool: ToolDefinition) -> int:
    """Order tools; sorting is stable, so that equal ones stay as they were listed."""
    named = frozenset(words(tool.name or ""))
    needs = len(tool.required)
    if not tool.read_only:
        return 4 if named & _ENDING else 3
    if named & _LISTING and needs == 0:
        return 0
    return 1 if needs == 0 or named & _LISTING else 2


def _reason(tool: ToolDefinition, options: RealityOptions) -> str | None:
    if tool.name is None:
        return "it has no name to call it by"
    if options.tools and not any(fnmatchcase(tool.name, glob) for glob in options.tools):
        return "--tool leaves it out"
    if any(fnmatchcase(tool.name, glob) for glob in options.exclude):
        return "--exclude leaves it out"
    allowed = options.include_destructive or (options.probes is not None and options.probes.allows(tool))
    if not tool.read_only and not allowed:
        return NOT_READ_ONLY
    execution = tool.fields.get("execution")
    if isinstance(execution, dict) and execution.get("taskSupport") == "required":
        return AS_TASK_ALONE
    return None
