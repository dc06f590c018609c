"""All rules over the recorded definitions of public servers, held against the counts in the field notes."""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

from mcp_check_core.model.finding import Finding
from mcp_lint.facts.settings import Settings
from mcp_lint.registry import STATIC
from tools.lint.tests.built import definitions

NOTES = Path(__file__).parents[3] / "docs" / "field-notes" / "lint.md"
ROW = re.compile(r"^\| (S\d+) \| (\S+) \| (error|warning|info) \| (\d+) \| (\d+) \|$", re.MULTILINE)
Row = tuple[str, str, str]


def test_the_counts_of_the_field_notes(corpus: Path) -> None:
    counts: Counter[Row] = Counter()
    servers: dict[Row, set[str]] = defaultdict(set)
    for path in sorted(corpus.glob("*.json")):
        saved = json.loads(path.read_text("utf-8"))
        facts = definitions(
            *saved["tools"],
            protocol=saved["initialize"].get("protocolVersion"),
            instructions=saved["instructions"],
        )
        for rule in STATIC:
            for one in rule.judge(facts, Settings()):
                assert isinstance(one, Finding)
                row = (one.rule_id.removeprefix("lint/"), one.kind or "–", one.severity.value)
                counts[row] += 1
                servers[row].add(path.stem)
    printed = {
        (rule, kind, severity): (int(n), int(of))
        for rule, kind, severity, n, of in ROW.findall(NOTES.read_text("utf-8"))
    }
    assert printed == {row: (count, len(servers[row])) for row, count in counts.items()}


def test_nobody_there_hides_text(corpus: Path) -> None:
    printed = ROW.findall(NOTES.read_text("utf-8"))
    assert [row for row in printed if row[0] == "S8" and row[2] != "info"] == []
    assert list(corpus.glob("*.json")) != []
