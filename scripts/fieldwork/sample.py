"""A sample of kept findings, as rows for a person to judge: two columns are left empty for that."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.report.sanitise import visible
from scripts.fieldwork.rows import findings, read_report
from scripts.fieldwork.toolrun import read_note

HEAD = ("server", "version", "tool", "rule", "excerpt", "verdict", "why")
_EXCERPT = 400


@dataclass(frozen=True, slots=True)
class Reading:
    """One finding to be read."""

    server: str
    version: str
    tool: str
    rule: str
    excerpt: str


def kept_findings(folders: Iterable[Path], rule: str) -> Iterator[Reading]:
    """Yield every kept finding of a rule (`fuzz/crash`), or of all for `*`, in the order of server names."""
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            note, report = read_note(path), read_report(path)
            if note is None or report is None:
                continue
            for found in findings(report):
                if rule in ("*", found.get("ruleId")):
                    location = found.get("location") or {}
                    tool = str(location.get("tool") or "–")
                    yield Reading(note.server, note.version, tool, str(found.get("ruleId")), _excerpt(found))


def draw(readings: Iterable[Reading], seed: int, count: int) -> list[Reading]:
    """Draw a sample; the same findings, seed and count give the same rows."""
    whole = list(readings)
    return random.Random(seed).sample(whole, min(count, len(whole)))


def as_tsv(readings: Iterable[Reading]) -> str:
    """Write rows with tabs between the columns, what a server said made inert."""
    rows = ((row.server, row.version, row.tool, row.rule, row.excerpt, "", "") for row in readings)
    lines = (HEAD, *(tuple(visible(cell) for cell in row) for row in rows))
    return "".join("\t".join(line) + "\n" for line in lines)


def _excerpt(found: object) -> str:
    assert isinstance(found, dict)
    evidence = json.dumps(found.get("evidence") or {}, ensure_ascii=False)
    return cut_text(f"{found.get('message')} {evidence}", _EXCERPT)
