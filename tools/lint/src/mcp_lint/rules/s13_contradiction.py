"""S13: the description says one thing, the schema another."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.claims import Claim, Stated, stated
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.parameters import Parameter, entries, parameters
from mcp_lint.facts.settings import Settings
from mcp_lint.rules.declare import HEURISTIC, Judged, Judgement, declare

RULE = declare(
    "S13",
    "A description contradicts the schema",
    Severity.INFO,
    Category.DOCUMENTATION,
    kinds=("default", "maximum", "minimum", "unknown-parameter"),
    references=("na0fu3y/ochakai issue 600",),
)
_NUMERIC = frozenset({"integer", "number"})


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Hold what each parameter's description states against its schema, then the names of the tool's text."""
    for tool in definitions.tools:
        for parameter in parameters(tool):
            schema = parameter.resolved
            text = schema.get("description") if isinstance(schema, dict) else None
            if isinstance(schema, dict) and isinstance(text, str):
                for one in stated(text):
                    yield from _held(tool, parameter, schema, one)
        yield from _unknown(tool)


def _held(
    tool: ToolDefinition, parameter: Parameter, schema: dict[str, Json], one: Stated
) -> Iterator[Finding]:
    if one.claim is Claim.DEFAULT:
        given = schema.get("default")
        if "default" in schema and _contradicts(given, one.value):
            yield _finding(tool, parameter, one, f"its default is {cut_text(_plain(given), 40)}")
        return
    if schema.get("type") not in _NUMERIC:
        return
    bound = schema.get(one.claim.value)
    if isinstance(bound, int | float) and not isinstance(bound, bool) and bound != float(one.value):
        yield _finding(tool, parameter, one, f"its {one.claim.value} is {_plain(bound)}")


def _contradicts(given: Json, words: str) -> bool:
    """Whether a default is another than the words say; only numbers, flags and single words are compared."""
    if isinstance(given, bool):
        return words.lower() in ("true", "false") and words.lower() != str(given).lower()
    if isinstance(given, int | float):
        try:
            return float(words) != float(given)
        except ValueError:
            return False
    return False


def _plain(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _finding(tool: ToolDefinition, parameter: Parameter, one: Stated, but: str) -> Finding:
    return RULE.finding(
        f"Its description says “{cut_text(one.words.strip(), 80)}”, but {but}.",
        kind=one.claim.value,
        location=Location(tool=tool.label, parameter=parameter.label, pointer=parameter.pointer),
        hint="Make the two say the same.",
        evidence={"stated": one.value},
        certainty=HEURISTIC,
    )


def _unknown(tool: ToolDefinition) -> Iterator[Finding]:
    """Report entries of the tool's own list of parameters that the schema does not have."""
    named = entries(tool)
    known = {name.lower() for name in tool.properties}
    if not named or not known & {name.lower() for name in named}:
        return
    for name in named:
        if name.lower() not in known:
            yield RULE.finding(
                f"Its description lists a parameter {cut_text(name, 80)!r}, which the schema does not have.",
                kind="unknown-parameter",
                location=Location(tool=tool.label, pointer="/description"),
                key=name,
                hint="Take it out of the text, or add it to the schema.",
                certainty=HEURISTIC,
            )


JUDGED = Judged(RULE, judge)
