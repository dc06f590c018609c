"""`explain` and `schema`: what the installed tools publish about their rules and documents."""

import difflib
import json
from collections.abc import Iterator

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.report.sanitise import visible
from mcp_trust_check.consistency import announced_rules
from mcp_trust_check.decision import FINDING_RULES, STATE_RULES
from mcp_trust_check.package_files import NotInstalled, read_schema, read_text
from mcp_trust_check.toolset import TOOLS, Tool

_OWN = "mcp_trust_check"


def explained(name: str) -> str:
    """Give the page of a rule of a tool, or what a rule of the decision means. Raises CommandError."""
    wanted = name.strip().lower()
    known = dict(_known_rules())
    for rule, tool in known.items():
        if wanted in (rule.lower(), rule.rpartition("/")[2].lower()):
            return _page(rule, tool)
    if (meaning := _decision_rules().get(wanted)) is not None:
        return meaning
    near = difflib.get_close_matches(wanted[:200], [*known, *_decision_rules()], n=5, cutoff=0.5)
    advice = f"near to it: {', '.join(near)}" if near else "the rules of a tool are in its schema"
    raise CommandError(f"there is no rule {visible(cut_text(name, 200))!r}; {advice}")


def schema_text(name: str | None) -> str:
    """Give the schema of the merged document, or that of a tool. Raises CommandError."""
    module = _OWN if name is None else _tool(name).module
    try:
        text = read_text(module, "schema.json")
    except NotInstalled as problem:
        raise CommandError(f"{problem}, so there is no schema to print") from None
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def _known_rules() -> Iterator[tuple[str, Tool]]:
    for tool in TOOLS:
        try:
            rules = announced_rules(read_schema(tool.module))
        except NotInstalled:
            continue  # a tool without a schema announces no rules
        yield from ((rule, tool) for rule in rules)


def _page(rule: str, tool: Tool) -> str:
    slug = rule.rpartition("/")[2]
    try:
        return f"# {rule}\n\n{read_text(tool.module, 'rules', f'{slug}.md').strip()}\n"
    except NotInstalled as problem:
        raise CommandError(f"there is no page for {rule}: {problem}") from None


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
