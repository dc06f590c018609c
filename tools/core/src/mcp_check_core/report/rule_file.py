"""Declarations of rules as a file of a tool's package, for a program that must not import the tool."""

import difflib
import json
from collections.abc import Mapping, Sequence

from mcp_check_core.model.finding import Category, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule

RULE_FILE = "rules.json"
"""Name of the file in a package."""


def rules_text(rules: Sequence[Rule]) -> str:
    """Write declarations as the text that a tool commits."""
    return json.dumps({"rules": [_written(rule) for rule in rules]}, indent=2, ensure_ascii=False) + "\n"


def rules_difference(committed: str, rules: Sequence[Rule]) -> str:
    """Compare the committed text with what it should be; the empty text if they are equal."""
    wanted = rules_text(rules)
    lines = difflib.unified_diff(
        committed.splitlines(), wanted.splitlines(), "committed", "made", lineterm=""
    )
    return "\n".join(lines) or ("" if committed == wanted else "they differ in their line ends")


def read_rules(document: Mapping[str, Json]) -> tuple[Rule, ...]:
    """Read declarations back; members that this version does not know are left. Raises ValueError."""
    rules = document.get("rules")
    if not isinstance(rules, list):
        raise ValueError("it holds no list of rules")  # noqa: TRY004 - a file is wrong, not a call
    return tuple(_read(item, number) for number, item in enumerate(rules, start=1))


def _written(rule: Rule) -> dict[str, Json]:
    return {
        "id": rule.id,
        "title": rule.title,
        "severity": rule.severity.value,
        "category": rule.category.value,
        "since": rule.since,
        "kinds": list(rule.kinds),
        "defect": rule.defect,
        "references": list(rule.references),
        "cwe": list(rule.cwe),
        "owaspMcp": list(rule.owasp_mcp),
    }


def _read(item: Json, number: int) -> Rule:
    if not isinstance(item, dict):
        raise ValueError(f"rule {number} is no declaration")  # noqa: TRY004 - a file is wrong, not a call
    texts = {name: item.get(name) for name in ("id", "title", "severity", "category", "since")}
    defect = item.get("defect")
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"rule {number} is no declaration")
    return Rule(
        id=str(texts["id"]),
        title=str(texts["title"]),
        severity=Severity(str(texts["severity"])),
        category=Category(str(texts["category"])),
        since=str(texts["since"]),
        defect=defect if isinstance(defect, str) else None,
        kinds=_texts(item.get("kinds")),
        references=_texts(item.get("references")),
        cwe=_numbers(item.get("cwe")),
        owasp_mcp=_numbers(item.get("owaspMcp")),
    )


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _numbers(value: Json) -> tuple[int, ...]:
    return tuple(item for item in value if isinstance(item, int)) if isinstance(value, list) else ()
