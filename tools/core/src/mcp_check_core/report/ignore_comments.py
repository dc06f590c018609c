"""Suppressions in source files: `mcp-check: ignore[rule] reason` in a comment.

A comment that stands alone on its line speaks of the next line; one behind code speaks of its own line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mcp_check_core.model.finding import Finding

_COMMENT = re.compile(
    r"(?P<lead>#|//|/\*|\*|--|<!--|;|%)\s{0,8}mcp-check:\s{0,8}ignore"
    r"(?:\[(?P<rules>[^\[\]]{0,400})\])?(?P<reason>[^\n]*)"
)
_ENDS = ("*/", "-->")
_LONGEST_LINE = 20_000


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """One comment: its line (from 1), the rules that it names, the reason, and the lines it speaks of.

    `problem` says what is wrong with it, and that it therefore holds nothing back; None if nothing is.
    """

    line: int
    rules: tuple[str, ...]
    reason: str
    covers: tuple[int, ...]
    problem: str | None = None

    def matches(self, finding: Finding) -> bool:
        """Tell whether it is about a finding of its file; a rule is named by its id or its last part."""
        names = (finding.rule_id, finding.rule_id.rpartition("/")[2])
        return (
            self.problem is None
            and finding.location.line in self.covers
            and any(name in self.rules for name in names)
        )


def read_ignore_comments(text: str) -> tuple[IgnoreComment, ...]:
    """Find the comments of a file; takes time linear in its size. Lines past 20,000 characters are left."""
    if "mcp-check:" not in text:
        return ()
    return tuple(_found(text.split("\n")))


def held_by(finding: Finding, comments: Iterable[IgnoreComment]) -> IgnoreComment | None:
    """Give the comment that holds back a finding of the same file, None if there is none."""
    return next((comment for comment in comments if comment.matches(finding)), None)


def _found(lines: Sequence[str]) -> Iterator[IgnoreComment]:
    for number, line in enumerate(lines, start=1):
        match = _COMMENT.search(line) if len(line) <= _LONGEST_LINE else None
        if match is not None:
            yield _read(match, number, alone=not line[: match.start()].strip())


def _read(match: re.Match[str], line: int, *, alone: bool) -> IgnoreComment:
    rules = tuple(name.strip() for name in (match["rules"] or "").split(",") if name.strip())
    reason = match["reason"].strip()
    for end in _ENDS:
        reason = reason.removesuffix(end).strip()
    problem = None
    if not rules:
        problem = "it names no rule; write ignore[rule] and a reason"
    elif not reason:
        problem = "it gives no reason; write one behind the bracket"
    return IgnoreComment(line, rules, reason, (line, line + 1) if alone else (line,), problem)
