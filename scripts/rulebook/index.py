"""What is made from the registries: the index of rules, and the committed declarations and schemas."""

import os
from collections.abc import Mapping
from pathlib import Path

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.rule_file import RULE_FILE, rules_text
from scripts.rulebook.homes import HOMES, ROOT, TOOLS, Home, announced, registered, schema_of
from scripts.rulebook.zoo import SERVERS, shown_by

INDEX = Path("docs", "rules.md")
_HEAD = """\
# Rules

Made by `make rules-index` from the declarations of the rules. Each name leads to the rule's page, whose
examples are run by the tests; the last column names servers in [tests/servers](../tests/servers/README.md)
that show the defect.
"""
_COLUMNS = "| rule | what it says | severity | category | since | kinds | shown by |\n" + "| --- " * 7 + "|\n"


def index_text(root: Path = ROOT) -> str:
    """Write the index of all rules, by tool."""
    shown = shown_by(root)
    parts = [_HEAD]
    for home in HOMES:
        if rules := registered(home):
            rows = "".join(_row(home, rule, shown.get(rule.id, ())) for rule in rules)
            parts.append(f"\n## {home.short}\n\n{_COLUMNS}{rows}")
    return "".join(parts)


def made_files(root: Path = ROOT) -> Mapping[Path, str]:
    """Give the text of each file that is made from the registries, by its path from the root."""
    rules = {tool.source / RULE_FILE: rules_text(found) for tool in TOOLS if (found := announced(tool))}
    schemas = {tool.source / "schema.json": text for tool in TOOLS if (text := schema_of(tool)) is not None}
    return {INDEX: index_text(root), **rules, **schemas}


def _row(home: Home, rule: Rule, servers: tuple[str, ...]) -> str:
    page = os.path.relpath(home.rules / f"{rule.slug}.md", INDEX.parent).replace(os.sep, "/")
    folder = os.path.relpath(SERVERS, INDEX.parent).replace(os.sep, "/")
    cells = (
        f"[{rule.id}]({page})",
        rule.title.replace("|", "\\|"),
        rule.severity.value,
        rule.category.value,
        rule.since,
        ", ".join(rule.kinds) or "–",
        ", ".join(f"[{name}]({folder}/{name}.py)" for name in servers) or "its page",
    )
    return f"| {' | '.join(cells)} |\n"
