"""Rule parameter-undocumented: a parameter that no schema, annotation or docstring says a word of."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Certainty, Severity
from mcp_doctor.facts.source import ServerSource
from mcp_doctor.rules.judgement import DoctorRule, Found, Judgement, declare, of_tools

RULE = declare(
    "parameter-undocumented",
    "A parameter of a tool is not described",
    Severity.WARNING,
    Category.DOCUMENTATION,
    references=("MCP specification, server features: tools", "JSON Schema 2020-12, annotations: description"),
)


def judge(source: ServerSource) -> Iterator[Judgement]:
    """Judge the parameters at the top of each tool's input."""
    yield from of_tools(source, _found(source))


def _found(source: ServerSource) -> Iterator[Found]:
    for tool in source.tools:
        for parameter in tool.parameters:
            if parameter.variadic or parameter.nested or not parameter.description.missing:
                continue
            finding = RULE.finding(
                f"The parameter {parameter.name!r} of the tool {tool.name!r} is not described.",
                location=parameter.place.location(tool=tool.name, parameter=parameter.name),
                hint="Say what it means, its form and its limits: in the schema, or in the docstring's Args.",
                certainty=Certainty.PROVEN,
            )
            yield Found(finding, (tool.name,))


DECLARED = DoctorRule(RULE, judge)
