"""Rule null-default: a parameter that defaults to null although its type does not allow null."""

from collections.abc import Iterator

from mcp_check_core.model.defects import NULL_DEFAULT
from mcp_check_core.model.finding import Category, Certainty, Severity
from mcp_doctor.facts.source import ServerSource
from mcp_doctor.facts.tool_decl import Parameter
from mcp_doctor.rules.judgement import DoctorRule, Found, Judgement, declare, of_tools

RULE = declare(
    "null-default",
    "A parameter defaults to null, which its type does not allow",
    Severity.WARNING,
    Category.RELIABILITY,
    NULL_DEFAULT,
    references=("langchain-ai/langsmith-mcp-server pull request 69",),
)


def judge(source: ServerSource) -> Iterator[Judgement]:
    """Judge the parameters of each tool, and the members of those that are objects."""
    yield from of_tools(source, _found(source))


def _found(source: ServerSource) -> Iterator[Found]:
    for tool in source.tools:
        for parameter in tool.parameters:
            if not _is_null_default(parameter):
                continue
            finding = RULE.finding(
                f"The parameter {parameter.name!r} of the tool {tool.name!r} has type {parameter.type} "
                "but defaults to null.",
                location=parameter.place.location(tool=tool.name, parameter=parameter.name),
                hint=f"Let its type allow null ({_wider(parameter, tool.language)}), or change it.",
                evidence={"type": parameter.type},
                certainty=Certainty.PROVEN,
            )
            yield Found(finding, (tool.name,))


def _is_null_default(parameter: Parameter) -> bool:
    default = parameter.default
    return default is not None and default.known and default.value is None and parameter.nullable is False


def _wider(parameter: Parameter, language: str) -> str:
    return f"{parameter.type} | None" if language == "python" else f"{parameter.type} or null"


DECLARED = DoctorRule(RULE, judge, breaks=True)
