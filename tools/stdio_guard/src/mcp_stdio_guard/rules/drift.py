"""What changes from one start of the server to the next. Order alone is no change."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_stdio_guard.facts.definitions import definition_digests, list_counts, tool_counts
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.rules.declare import (
    Block,
    CheckName,
    Declared,
    IssueClass,
    Judgement,
    declare,
    not_applicable,
)

Value = TypeVar("Value")


def _declare(code: str, title: str, *references: str) -> Declared:
    return declare(
        code,
        title,
        Severity.WARNING,
        IssueClass.MCP_PROTOCOL,
        CheckName.REPEAT,
        references=references or ("MCP specification, lifecycle: initialization",),
    )


PROTOCOL = _declare("repeat-protocol-drift", "Another protocol version is agreed on at another start")
CAPABILITIES = _declare("repeat-capability-drift", "Other capabilities are advertised at another start")
TOOLS = _declare(
    "repeat-tool-drift",
    "Other tools are listed at another start",
    "MCP specification, server features: tools",
)
DEFINITIONS = _declare(
    "repeat-definition-drift",
    "A tool has another definition at another start",
    "MCP specification, server features: tools",
)
LISTS = _declare(
    "repeat-list-shape-drift",
    "Lists of resources or prompts have another length at another start",
    "MCP specification, server features: resources, prompts",
)
_DECLARED = (PROTOCOL, CAPABILITIES, TOOLS, DEFINITIONS, LISTS)
_NAMED = 5
_STABLE = (
    "Keep it the same from start to start for the same configuration; clients cache it and users approve it."
)


def judge(runs: Sequence[RunFacts]) -> Iterator[Judgement]:
    """Compare each run that was initialized with the first one."""
    able = [run for run in runs if run.initialized]
    if len(runs) < 2:
        yield from not_applicable(_DECLARED, "there was one run; --repeat 2 compares two")
        return
    if len(able) < 2:
        yield from not_applicable(_DECLARED, "fewer than two runs made the handshake")
        return
    base, others = able[0], able[1:]
    yield from _protocol(base, others)
    yield from _capabilities(base, others)
    yield from _tools(base, others)
    yield from _lists(base, others)


def changed(
    base: RunFacts, others: Sequence[RunFacts], value: Callable[[RunFacts], Value | None]
) -> list[tuple[RunFacts, Value, Value]]:
    """List the runs in which a value is known and differs from the one of `base`, with both."""
    before = value(base)
    if before is None:
        return []
    pairs = [(run, value(run)) for run in others]
    return [(run, before, after) for run, after in pairs if after is not None and after != before]


def _protocol(base: RunFacts, others: Sequence[RunFacts]) -> Iterator[Finding]:
    for run, before, after in changed(base, others, lambda run: run.protocol)[:1]:
        yield PROTOCOL.finding(
            f"Run {base.number} agreed on protocol version {before}, run {run.number} on {after}.",
            hint=_STABLE,
            evidence={"run": run.number, "before": before, "after": after},
        )


def _capabilities(base: RunFacts, others: Sequence[RunFacts]) -> Iterator[Finding]:
    for run, before, after in changed(base, others, lambda run: frozenset(run.capabilities))[:1]:
        gone, come = sorted(before - after), sorted(after - before)
        yield CAPABILITIES.finding(
            f"Run {run.number} advertised other capabilities than run {base.number}: "
            f"{_difference(gone, come)}.",
            hint=_STABLE,
            evidence={"run": run.number, "gone": _names(gone), "new": _names(come)},
        )


def _tools(base: RunFacts, others: Sequence[RunFacts]) -> Iterator[Judgement]:
    if tool_counts(base) is None or all(tool_counts(run) is None for run in others):
        yield from not_applicable((TOOLS, DEFINITIONS), "fewer than two runs listed all their tools")
        return
    for run, before, after in changed(base, others, tool_counts)[:1]:
        gone, come = sorted((before - after).elements()), sorted((after - before).elements())
        yield TOOLS.finding(
            f"Run {run.number} listed other tools than run {base.number}: {_difference(gone, come)}.",
            hint=_STABLE,
            evidence={"run": run.number, "gone": _names(gone), "new": _names(come)},
        )
    yield from _definitions(base, others)


def _definitions(base: RunFacts, others: Sequence[RunFacts]) -> Iterator[Finding]:
    told: set[str] = set()
    for run, before, after in changed(base, others, definition_digests):
        for name in sorted(before.keys() & after.keys()):
            if before[name] != after[name] and name not in told:
                told.add(name)
                yield DEFINITIONS.finding(
                    f"{cut_text(name, 80)!r} is defined otherwise in run {run.number} than in {base.number}.",
                    location=Location(tool=cut_text(name, 200)),
                    hint=_STABLE,
                    evidence={"run": run.number, "before": before[name], "after": after[name]},
                )


def _lists(base: RunFacts, others: Sequence[RunFacts]) -> Iterator[Judgement]:
    if not list_counts(base):
        yield from not_applicable((LISTS,), "no list of resources or prompts was read whole")
    for run, before, after in changed(base, others, list_counts):
        for method in sorted(before.keys() & after.keys()):
            if before[method] != after[method]:
                yield LISTS.finding(
                    f"{method} had {before[method]} items in run {base.number}, "
                    f"{after[method]} in run {run.number}.",
                    key=method,
                    hint=_STABLE,
                    evidence={"run": run.number, "before": before[method], "after": after[method]},
                )


def _difference(gone: Sequence[str], come: Sequence[str]) -> str:
    parts = [("without", gone), ("with", come)]
    return ", ".join(f"{word} {_few(names)}" for word, names in parts if names)


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(cut_text(name, 60) for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _names(names: Sequence[str]) -> list[Json]:
    return [cut_text(name, 80) for name in names[:_NAMED]]


BLOCK = Block(_DECLARED, judge)
