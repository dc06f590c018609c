"""S2: a parameter whose name could mean anything is not described."""

from collections.abc import Iterator, Sequence

from mcp_check_core.model.finding import Category, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.parameters import Parameter, mentioned, parameters
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.words import name_parts
from mcp_lint.rules.declare import PROVEN, Judged, Judgement, declare

VAGUE = frozenset(
    {
        "arg", "args", "body", "config", "context", "data", "details", "entity", "extra",
        "field", "fields", "filter", "filters", "id", "ids", "info", "input", "item", "items",
        "key", "kind", "kwargs", "meta", "metadata", "mode", "name", "names", "obj", "object",
        "opts", "option", "options", "param", "parameters", "params", "payload", "props",
        "properties", "q", "ref", "request", "settings", "spec", "str", "string",
        "thing", "type", "user", "val", "value", "values",
    }
)  # fmt: skip
"""Names that say nothing of what is wanted: of what, in which form, from where."""
_IDS = frozenset({"id", "ids", "key"})

RULE = declare(
    "S2",
    "A parameter with a vague name is not described",
    Severity.WARNING,
    Category.DOCUMENTATION,
)


def is_vague(parameter: Parameter) -> bool:
    """Whether a parameter's name is vague and nothing else says what it takes."""
    if parameter.described or "".join(name_parts(parameter.name)) not in VAGUE:
        return False
    return not _shows_its_kind(parameter.resolved)


def _shows_its_kind(schema: Json) -> bool:
    """Whether a list of values, or an object with named members, says what is wanted."""
    if not isinstance(schema, dict):
        return False
    held = schema.get("items")
    members = [each.get("properties") for each in (schema, held) if isinstance(each, dict)]
    return "enum" in schema or "const" in schema or any(members)


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the parameters of each tool."""
    for tool in definitions.tools:
        all_of_tool = list(parameters(tool))
        spoken_of = mentioned(tool) | _only(tool, all_of_tool)
        for parameter in all_of_tool:
            if is_vague(parameter) and parameter.name not in spoken_of:
                yield RULE.finding(
                    f"The name {parameter.label!r} could mean anything, and there is no description of it.",
                    location=Location(tool=tool.label, parameter=parameter.label, pointer=parameter.pointer),
                    hint="Describe what it is, in which form, and where its value comes from.",
                    certainty=PROVEN,
                )


def _only(tool: ToolDefinition, all_of_tool: Sequence[Parameter]) -> frozenset[str]:
    """Give the name of the only parameter, which the tool's description speaks for; an id wants more."""
    alone = len(all_of_tool) == 1 and tool.description is not None
    return frozenset(one.name for one in all_of_tool if alone and one.name.lower() not in _IDS)


JUDGED = Judged(RULE, judge)
