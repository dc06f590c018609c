"""The rules of the tools, read from the files in their packages; no tool is imported."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.rule_book import RuleBook
from mcp_trust_check.package_files import NotInstalled, read_rule_file, read_text
from mcp_trust_check.toolset import TOOLS, Tool

_CORE = "mcp_check_core"


def rules_of(tools: Iterable[Tool]) -> tuple[Rule, ...]:
    """Give the rules that tools announce, each once; a tool without a rule file announces none."""
    return tuple({rule.id: rule for tool in tools for rule in _announced(tool)}.values())


def page_of_rule(rule: Rule) -> str:
    """Read the page of a rule from the package that it belongs to. Raises NotInstalled."""
    return read_text(_homes()[rule.id], "rules", f"{rule.slug}.md").strip() + "\n"


def whole_book() -> RuleBook:
    """Make the book of the rules of all tools; a rule whose page is not there is told by its title."""

    def page(rule: Rule) -> str:
        try:
            return page_of_rule(rule)
        except NotInstalled:
            return rule.title

    return RuleBook({rule.id: rule for rule in rules_of(TOOLS)}, page)


@cache
def _homes() -> Mapping[str, str]:
    """Say in which package the page of each rule lies; those of core's rules lie in core."""
    return {
        rule.id: _CORE if rule.id.startswith("core/") else tool.module
        for tool in TOOLS
        for rule in _announced(tool)
    }


def _announced(tool: Tool) -> Iterator[Rule]:
    try:
        yield from read_rule_file(tool.module)
    except NotInstalled:
        return  # such a tool cannot run either, and is reported then
