"""S2: a parameter whose name could mean anything is not described."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Location, Severity
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.parameters import Parameter, parameters
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.words import name_parts
from mcp_lint.rules.declare import PROVEN, Judged, Judgement, declare

VAGUE = frozenset(
    {
        "arg", "args", "body", "config", "content", "context", "data", "details", "entity", "extra",
        "field", "fields", "filter", "filters", "id", "ids", "info", "input", "item", "items",
        "key", "kind", "kwargs", "meta", "metadata", "mode", "name", "names", "obj", "object",
        "opts", "option", "options", "output", "param", "parameters", "params", "payload", "props",
        "properties", "q", "query", "ref", "request", "settings", "source", "spec", "str", "string",
        "target", "text", "thing", "type", "user", "val", "value", "values", "x", "y", "z",
    }
)  # fmt: skip
"""Names that say nothing of what is wanted: of what, in which form, from where."""

RULE = declare(
    "S2",
    "A parameter with a vague name is not described",
    Severity.WARNING,
    Category.DOCUMENTATION,
)


def is_vague(parameter: Parameter) -> bool:
    """Whether a parameter's name is vague and nothing else says what it takes: no text, no list of values."""
    if parameter.described or "".join(name_parts(parameter.name)) not in VAGUE:
        return False
    schema = parameter.resolved
    return not (isinstance(schema, dict) and ("enum" in schema or "const" in schema))


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the parameters of each tool."""
    for tool in definitions.tools:
        for parameter in parameters(tool):
            if is_vague(parameter):
                yield RULE.finding(
                    f"The name {parameter.label!r} could mean anything, and there is no description of it.",
                    location=Location(tool=tool.label, parameter=parameter.label, pointer=parameter.pointer),
                    hint="Describe what it is, in which form, and where its value comes from.",
                    certainty=PROVEN,
                )


JUDGED = Judged(RULE, judge)
