"""S3: a parameter has no type, or no description."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.parameters import Parameter, parameters
from mcp_lint.facts.settings import Settings
from mcp_lint.rules.declare import PROVEN, Judged, Judgement, declare
from mcp_lint.rules.s2_vague_parameter import is_vague

RULE = declare(
    "S3",
    "A parameter has no type, or no description",
    Severity.WARNING,
    Category.DOCUMENTATION,
    kinds=("untyped", "undescribed"),
    references=("ablative-io/aion issue 82",),
)


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the parameters of each tool; one that S2 reports is not told to lack a description again."""
    for tool in definitions.tools:
        for parameter in parameters(tool):
            if not parameter.typed:
                yield _finding(tool, parameter, "untyped", Severity.WARNING)
            if not parameter.described and not is_vague(parameter):
                yield _finding(tool, parameter, "undescribed", Severity.INFO)


_MESSAGES = {
    "untyped": "The schema of {name!r} says nothing of its type, so that clients send texts for anything.",
    "undescribed": "The parameter {name!r} has no description.",
}
_HINTS = {
    "untyped": "Give it a type, an enum, or branches that have one.",
    "undescribed": "Describe what it is and in which form.",
}


def _finding(tool: ToolDefinition, parameter: Parameter, kind: str, severity: Severity) -> Finding:
    return RULE.finding(
        _MESSAGES[kind].format(name=parameter.label),
        kind=kind,
        severity=severity,
        location=Location(tool=tool.label, parameter=parameter.label, pointer=parameter.pointer),
        hint=_HINTS[kind],
        certainty=PROVEN,
    )


JUDGED = Judged(RULE, judge)
