"""One row of the table for each server, read from the kept report of a run. Nothing here formats."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.fieldwork.toolrun import Note

REPORT_BYTES = 256 * 1024 * 1024
NOT_STARTED = "core/no-connection"
SEVERITIES = ("error", "warning", "info")

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """What one run gave. Numbers are None where the tool does not state them.

    `outcome` is the report's status (trust: decision and confidence), or why there is nothing to count:
    `no report`, `did not start`, `cut short`, `judged nothing`, `not installed`. `judged` are tools that
    each part of a merged report judged. `skips` are reasons with how often each was given.
    """

    server: str
    version: str
    outcome: str
    counted: bool = False
    score: float | None = None
    calls: int | None = None
    judged: int | None = None
    tools: int | None = None
    findings: Mapping[str, int] | None = None
    starts: int | None = None
    seconds: float | None = None
    skips: tuple[str, ...] = ()


def read_report(path: Path) -> Document | None:
    """Read a kept report; None where there is none, or it is cut or larger than 256 MiB."""
    try:
        if path.stat().st_size > REPORT_BYTES:
            return None
        held = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return held if isinstance(held, dict) else None


def documents(report: Document) -> Iterator[Document]:
    """Yield the tools' own documents: the report itself, or those inside one of the orchestrator."""
    tools = report.get("tools")
    if "decision" not in report or not isinstance(tools, dict):
        yield report
        return
    for tool in tools.values():
        document = tool.get("document") if isinstance(tool, dict) else None
        if isinstance(document, dict):
            yield document


def findings(report: Document) -> Iterator[Document]:
    """Yield the findings of a report, those of all tools for one of the orchestrator."""
    for document in documents(report):
        yield from (found for found in document.get("findings") or () if isinstance(found, dict))


def make_row(note: Note, report: Document | None) -> Row:
    """Read a run into a row; a run that judged nothing does not count as one."""
    if report is None:
        reason = note.problem or "the report cannot be read"
        return Row(note.server, note.version, "no report", seconds=note.seconds, skips=(reason,))
    parts = tuple(documents(report))
    outcome, counted = ("cut short", False) if note.problem else _outcome(report, parts)
    return Row(
        server=note.server,
        version=note.version,
        outcome=outcome,
        counted=counted,
        score=_score(report),
        calls=_total(parts, "details", "calls"),
        judged=min(_counts(parts, "toolsChecked"), default=None),
        tools=max(_counts(parts, "toolsTotal"), default=None),
        findings=Counter(str(found.get("severity")) for found in findings(report)),
        starts=_total(parts, "details", "starts"),
        seconds=note.seconds,
        skips=(*((note.problem,) if note.problem else ()), *_reasons(report, parts)),
    )


def _outcome(report: Document, parts: tuple[Document, ...]) -> tuple[str, bool]:
    """Return what is shown as the outcome, and whether the run counts."""
    if parts and all(_not_started(part) for part in parts):
        return "did not start", False
    if any(error.get("kind") == "interrupted" for part in parts for error in part.get("errors") or ()):
        return "cut short", False
    if not any(_judged(part) for part in parts):
        return "judged nothing", False
    if "decision" not in report:
        return str(report.get("status")), True
    confidence = report.get("confidence")
    level = confidence.get("level") if isinstance(confidence, dict) else None
    return f"{report['decision']} {level or ''}".rstrip(), True


def _not_started(part: Document) -> bool:
    rules = {found.get("ruleId") for found in part.get("findings") or ()}
    return NOT_STARTED in rules or (bool(rules) and part.get("initialized") is False)


def _judged(part: Document) -> bool:
    """Whether a tool looked at anything: a tool of the server, a handshake, or what it found a fault in."""
    if part.get("findings"):
        return True
    coverage = part.get("coverage") or {}
    seen = (coverage.get("toolsChecked"), coverage.get("runsInitialized"))
    return any(isinstance(count, int) and count > 0 for count in seen)


def _score(report: Document) -> float | None:
    score = report.get("combined") if "combined" in report else report.get("score")
    value = score.get("value") if isinstance(score, dict) else None
    return float(value) if isinstance(value, int | float) else None


def _total(parts: tuple[Document, ...], room: str, name: str) -> int | None:
    counts = [(part.get(room) or {}).get(name) for part in parts]
    numbers = [count for count in counts if isinstance(count, int)]
    return sum(numbers) if numbers else None


def _counts(parts: tuple[Document, ...], name: str) -> list[int]:
    counts = [(part.get("coverage") or {}).get(name) for part in parts]
    return [count for count in counts if isinstance(count, int)]


def _reasons(report: Document, parts: tuple[Document, ...]) -> Iterator[str]:
    """Give each reason for which something was left out or cut short, with how often it was given."""
    given: Counter[str] = Counter()
    for part in parts:
        given.update(str(skip.get("reason")) for skip in (part.get("coverage") or {}).get("skipped") or ())
        given.update(f"limit: {hit.get('limit')}" for hit in part.get("limitsHit") or ())
        given.update(str(error.get("message")) for error in part.get("errors") or ())
        if _not_started(part):
            given.update(str(found.get("message")) for found in (part.get("findings") or ())[:1])
    for name, tool in (report.get("tools") or {}).items() if "decision" in report else ():
        if isinstance(tool, dict) and tool.get("document") is None and tool.get("state") != "left_out":
            given[f"{name}: {tool.get('reason')}"] += 1
    yield from (f"{count} × {reason}" if count > 1 else reason for reason, count in given.most_common())
