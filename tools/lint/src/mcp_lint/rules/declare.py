"""How lint declares a rule: the shared declaration, and the function that judges the definitions by it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mcp_check_core.model.finding import Category, Certainty, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings


@dataclass(frozen=True, slots=True)
class Abstention:
    """A rule that does not answer, and why. `unknown`: it was meant to and could not tell."""

    reason: str
    unknown: bool = False


Judgement: TypeAlias = Finding | Abstention
Judge: TypeAlias = Callable[[Definitions, Settings], Iterator[Judgement]]


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule and its judge. A rule that does not abstain has answered.

    `of_server`: it looks at the server as a whole, also where it has no tools.
    """

    rule: Rule
    judge: Judge
    of_server: bool = False


def declare(
    slug: str,
    title: str,
    severity: Severity,
    category: Category,
    *,
    kinds: tuple[str, ...] = (),
    defect: str | None = None,
    references: tuple[str, ...] = (),
    cwe: tuple[int, ...] = (),
    owasp_mcp: tuple[int, ...] = (),
) -> Rule:
    """Declare the rule `lint/<slug>`."""
    return Rule(
        id=f"lint/{slug}",
        title=title,
        severity=severity,
        category=category,
        kinds=kinds,
        defect=defect,
        references=references,
        cwe=cwe,
        owasp_mcp=owasp_mcp,
    )


PROVEN = Certainty.PROVEN
HEURISTIC = Certainty.HEURISTIC
TOOLS_PAGE = "MCP specification, server features: tools"
