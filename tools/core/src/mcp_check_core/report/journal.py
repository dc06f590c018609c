"""The journal of a run: one JSON line for each finding and rule answer, on disk before anything else happens.

A process that is killed leaves its journal behind, and the orchestrator reads from it what was already known.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import RuleResult
from mcp_check_core.report.document import (
    finding_document,
    finding_from_document,
    rule_document,
    rule_from_document,
)
from mcp_check_core.report.json_format import DocumentError, dump_line, load_document

MAX_JOURNAL_BYTES = 64 * 2**20
"""Bytes of a journal that are read; what comes behind is left, and said to be."""
_MAX_DEPTH = 250


class Journal:
    """A journal that is being written; each line is written at once, so a kill tears the last at most."""

    def __init__(self, path: Path) -> None:
        """Make or empty the file, readable by its owner alone. Raises OSError if that cannot be."""
        self.path = path
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        self._descriptor: int | None = os.open(path, flags, 0o600)

    def started(self, tool: str, version: str, rules: Sequence[str]) -> None:
        """Write who runs and which rules are meant to answer."""
        self._write({"tool": tool, "version": version, "rules": list(rules)})

    def finding(self, finding: Finding) -> None:
        """Write a finding."""
        self._write({"finding": finding_document(finding)})

    def answer(self, result: RuleResult) -> None:
        """Write what a rule answered."""
        self._write({"answer": rule_document(result)})

    def close(self) -> None:
        """Close the file; what is written later is lost, so nothing should be."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self, line: dict[str, Json]) -> None:
        if self._descriptor is None:
            raise OSError(f"the journal {self.path} is closed")
        left = memoryview(dump_line(line))
        while left:
            left = left[os.write(self._descriptor, left) :]


@dataclass(frozen=True, slots=True)
class JournalContents:
    """What a journal says. `torn`: its last line was cut, or it was longer than is read.

    `tool` and `announced` are None and empty where not even the first line was written.
    """

    tool: str | None
    announced: tuple[str, ...]
    findings: tuple[Finding, ...]
    answers: tuple[RuleResult, ...]
    torn: bool


def read_journal(path: Path, *, max_bytes: int = MAX_JOURNAL_BYTES) -> JournalContents:
    """Read a journal, also one that ends in the middle of a line.

    The last answer of a rule and the worst finding of a fingerprint count. Raises OSError if there is no
    such file, and DocumentError if a line before the last is not one of a journal.
    """
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    cut = len(data) > max_bytes
    *whole, rest = data[:max_bytes].split(b"\n")
    lines = _Lines()
    for number, line in enumerate(whole, start=1):
        lines.take(line, number)
    return JournalContents(
        tool=lines.tool,
        announced=lines.announced,
        findings=tuple(lines.findings.values()),
        answers=tuple(lines.answers.values()),
        torn=cut or bool(rest),
    )


class _Lines:
    def __init__(self) -> None:
        self.tool: str | None = None
        self.announced: tuple[str, ...] = ()
        self.findings: dict[str, Finding] = {}
        self.answers: dict[str, RuleResult] = {}

    def take(self, line: bytes, number: int) -> None:
        try:
            self._take(load_document(line, max_bytes=MAX_JOURNAL_BYTES, max_depth=_MAX_DEPTH))
        except (DocumentError, ValueError) as error:
            raise DocumentError(f"Line {number} of the journal cannot be read: {error}") from error

    def _take(self, members: dict[str, Json]) -> None:
        match members:
            case {"finding": dict(finding)}:
                self._keep(finding_from_document(finding))
            case {"answer": dict(answer)}:
                result = rule_from_document(answer)
                self.answers[result.rule] = result
            case {"tool": str(tool), "rules": list(rules)}:
                self.tool = tool
                self.announced = tuple(str(rule) for rule in rules)
            case _:
                raise ValueError("it is neither a start, a finding nor an answer")

    def _keep(self, finding: Finding) -> None:
        known = self.findings.get(finding.fingerprint)
        if known is None or finding.severity.rank < known.severity.rank:
            self.findings[finding.fingerprint] = finding
