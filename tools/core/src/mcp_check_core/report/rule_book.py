"""What the formats need to know of rules beyond a report: their declarations and pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import page_of


def _no_page(rule: Rule) -> str:
    return rule.title


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Declarations of rules by id, and the page of each as Markdown.

    A program that knows rules of several packages gives a `page` function of its own. An empty book is
    allowed: a format then says of a rule what the report says.
    """

    rules: Mapping[str, Rule] = field(default_factory=dict)
    page: Callable[[Rule], str] = _no_page


def rule_book(package: str, rules: Sequence[Rule]) -> RuleBook:
    """Make the book of one tool, whose pages lie in its package."""

    def page(rule: Rule) -> str:
        try:
            return page_of(package, rule)
        except FileNotFoundError:
            return rule.title

    return RuleBook({rule.id: rule for rule in rules}, page)
