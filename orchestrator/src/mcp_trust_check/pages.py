"""`explain` and `schema`: what the installed tools publish about their rules and documents."""

import difflib
import json

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.report.pages import UnknownRule, find_rule, page_head
from mcp_check_core.report.sanitise import visible
from mcp_trust_check.decision import FINDING_RULES, STATE_RULES
from mcp_trust_check.package_files import NotInstalled, read_text
from mcp_trust_check.rules import page_of_rule, rules_of
from mcp_trust_check.toolset import TOOLS, Tool

_OWN = "mcp_trust_check"


def explained(name: str) -> str:
    """Give the page of a rule of a tool, or what a rule of the decision means. Raises CommandError."""
    rules = rules_of(TOOLS)
    try:
        rule = find_rule(rules, name)
    except UnknownRule:
        return _explained_decision(name, [rule.id for rule in rules])
    try:
        return f"{page_head(rule)}\n{page_of_rule(rule)}"
    except NotInstalled as problem:
        raise CommandError(f"there is no page for {rule.id}: {problem}") from None


def schema_text(name: str | None) -> str:
    """Give the schema of the merged document, or that of a tool. Raises CommandError."""
    module = _OWN if name is None else _tool(name).module
    try:
        text = read_text(module, "schema.json")
    except NotInstalled as problem:
        raise CommandError(f"{problem}, so there is no schema to print") from None
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def _explained_decision(name: str, others: list[str]) -> str:
    """Say what a rule of the decision means; where there is none of that name, name those near to it."""
    meanings = _decision_rules()
    if (meaning := meanings.get(name.strip().lower())) is not None:
        return meaning
    near = difflib.get_close_matches(name.lower()[:200], [*others, *meanings], n=5, cutoff=0.5)
    advice = f"near to it: {', '.join(near)}" if near else f"there are {len(others) + len(meanings)}"
    raise CommandError(f"there is no rule {visible(cut_text(name, 200))!r}; {advice}")


def _decision_rules() -> dict[str, str]:
    rules = {rule.id: (rule.decision, rule.means) for rule in FINDING_RULES} | STATE_RULES
    return {
        name: f"# {name}\n\nA rule of the decision: {decision.value} where {means}.\n"
        for name, (decision, means) in rules.items()
    }


def _tool(name: str) -> Tool:
    for tool in TOOLS:
        if name in (tool.short, tool.command):
            return tool
    known = ", ".join(tool.short for tool in TOOLS)
    raise CommandError(f"there is no tool {visible(cut_text(name, 200))!r}; the tools are {known}")
