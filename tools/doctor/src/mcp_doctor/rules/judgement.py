"""What a rule answers: findings with what fails by them, what it judged, or why it could not."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.report import Outcome
from mcp_check_core.model.rule import Rule
from mcp_doctor.facts.source import ServerSource

REPOSITORY = ""
"""The unit that stands for the repository as a whole; it counts as one tool."""
NO_TOOLS = "no tool was found in the source"


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, and the units (tools by name, or the repository) that fail the rule by it."""

    finding: Finding
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """The units that a rule looked at; `of` how many there are to look at."""

    units: tuple[str, ...]
    of: int


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why a rule has no answer."""

    outcome: Outcome
    reason: str


Judgement: TypeAlias = Found | Judged | Abstention
Judge: TypeAlias = Callable[[ServerSource], Iterator[Judgement]]


@dataclass(frozen=True, slots=True)
class DoctorRule:
    """A rule with its judge; one that is not `scored` is shown and counts for nothing in the score."""

    rule: Rule
    judge: Judge
    scored: bool = True
    breaks: bool = False
    """Whether its findings, except those that are info, will break an agent."""


def declare(
    slug: str,
    title: str,
    severity: Severity,
    category: Category,
    defect: str | None = None,
    kinds: tuple[str, ...] = (),
    references: tuple[str, ...] = (),
) -> Rule:
    """Declare a rule of doctor."""
    return Rule(
        f"doctor/{slug}", title, severity, category, kinds=kinds, defect=defect, references=references
    )


def not_applicable(reason: str) -> Abstention:
    """Say that a rule has nothing to judge."""
    return Abstention(Outcome.NOT_APPLICABLE, reason)


def of_tools(source: ServerSource, findings: Iterable[Found]) -> Iterator[Judgement]:
    """Give the answer of a rule that judges every tool."""
    if not source.tools:
        yield Abstention(Outcome.ERROR, NO_TOOLS)
        return
    yield from findings
    names = tuple(dict.fromkeys(tool.name for tool in source.tools))
    yield Judged(names, len(names) + len(source.unresolved))
