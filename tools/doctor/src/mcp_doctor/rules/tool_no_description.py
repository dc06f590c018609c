"""Rule tool-no-description: a tool without a description, or with a blank one."""

from collections.abc import Iterator

from mcp_check_core.model.defects import DESCRIPTION_MISSING
from mcp_check_core.model.finding import Category, Certainty, Severity
from mcp_doctor.facts.source import ServerSource
from mcp_doctor.rules.judgement import DoctorRule, Found, Judgement, declare, of_tools

RULE = declare(
    "tool-no-description",
    "A tool has no description",
    Severity.ERROR,
    Category.DOCUMENTATION,
    DESCRIPTION_MISSING,
    references=("MCP specification, server features: tools",),
)


def judge(source: ServerSource) -> Iterator[Judgement]:
    """Judge every tool whose description can be told."""
    yield from of_tools(source, _found(source))


def _found(source: ServerSource) -> Iterator[Found]:
    for tool in source.tools:
        if tool.description.missing:
            finding = RULE.finding(
                f"The tool {tool.name!r} has no description.",
                location=tool.place.location(tool=tool.name),
                hint="Say in a docstring or in its description what the tool does and when to use it.",
                certainty=Certainty.PROVEN,
            )
            yield Found(finding, (tool.name,))


DECLARED = DoctorRule(RULE, judge)
