"""Many lines with one fault in one part of a run are one finding."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.transcript import Frame
from mcp_stdio_guard.rules.declare import Declared
from mcp_stdio_guard.rules.quoting import WHEN, quote, shown

QUOTED_LINES = 3
"""Lines of one finding that are quoted; the others are counted."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A fault of lines: its rule, its words for one line and for several, and what to do."""

    declared: Declared
    one: str
    many: str
    hint: str
    kind: str | None = None
    severity: Severity | None = None


@dataclass(slots=True)
class _Group:
    """Lines with one fault in one part of a run: the first ones, their number, the requests in flight."""

    first: list[Frame] = field(default_factory=list)
    count: int = 0
    during: set[str | None] = field(default_factory=set)

    def add(self, frame: Frame) -> None:
        self.count += 1
        if len(self.first) < QUOTED_LINES:
            self.first.append(frame)
        if len(self.during) < 2:
            self.during.add(frame.during)


def grouped(strays: Iterable[tuple[Stray, Frame]]) -> Iterator[Finding]:
    """Gather lines by fault and part of the run, and make one finding of each group."""
    groups: dict[tuple[Stray, str], _Group] = {}
    for stray, frame in strays:
        groups.setdefault((stray, WHEN[frame.phase]), _Group()).add(frame)
    for (stray, when), group in groups.items():
        yield _finding(stray, when, group)


def _finding(stray: Stray, when: str, group: _Group) -> Finding:
    first = group.first[0]
    text = quote(first.excerpt)
    if group.count == 1:
        message = f"Line {first.number} on stdout, {_during(when, group)}, {stray.one}"
        message += f": {text}." if first.excerpt.strip() else "."
    else:
        message = f"{group.count} lines on stdout, {_during(when, group)}, {stray.many}"
        message += f"; the first is line {first.number}"
        message += f": {text}." if first.excerpt.strip() else "."
    lines: list[Json] = [dict(shown(frame)) for frame in group.first]
    return stray.declared.finding(
        message,
        key=when,
        kind=stray.kind,
        severity=stray.severity,
        hint=stray.hint,
        evidence={"count": group.count, "lines": lines},
    )


def _during(when: str, group: _Group) -> str:
    """Name the request in flight where it was the same for all lines, else the part of the run."""
    if len(group.during) == 1 and (label := next(iter(group.during))) and not label.startswith("initialize"):
        return f"while {cut_text(label, 60)} was in flight"
    return when
