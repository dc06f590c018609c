"""S10: the definition is legal, and single clients refuse or change it all the same."""

import re
from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.clients import ClientFact, client_facts
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.parameters import parameters
from mcp_lint.facts.pointers import pointer
from mcp_lint.facts.revisions import is_modern
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.subschemas import subschemas
from mcp_lint.rules.declare import PROVEN, Judged, Judgement, declare

_KINDS = tuple(dict.fromkeys(fact.kind for fact in client_facts()))
RULE = declare(
    "S10",
    "Single clients refuse or change a definition that is legal",
    Severity.INFO,
    Category.CONFORMANCE,
    kinds=_KINDS,
    references=tuple(dict.fromkeys(fact.source for fact in client_facts() if " issue " in fact.source)),
)
_API_NAME = re.compile(r"[A-Za-z0-9_-]+")
_SAYS = {
    "union-type": "A type in its input schema is a list of types",
    "boolean-schema": "A schema in its input schema is a bare boolean",
    "untyped": "A parameter has no type of its own",
    "reference": "Its input schema holds a $ref, which not every client follows",
    "dialect": "Its input schema names dialect 2020-12",
    "root-union": "Its input schema has alternatives at the root",
}
_MAPS = ("properties", "patternProperties", "$defs", "definitions")


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the number of tools, then the name and the input schema of each."""
    for fact in client_facts():
        if fact.kind == "tool-count" and len(definitions.all_tools) > fact.limit:
            yield _told(
                f"There are {len(definitions.all_tools)} tools, over {fact.limit}",
                fact,
                None,
                fact.clients[0],
            )
    server = definitions.server.name or ""
    for tool in definitions.tools:
        yield from _names(tool, server)
        yield from _schemas(tool, definitions.protocol)


def _names(tool: ToolDefinition, server: str) -> Iterator[Finding]:
    name = tool.name or ""
    for fact in client_facts():
        if fact.kind == "name-length":
            length = len(fact.prefix.replace("{server}", server)) + len(name)
            if length > fact.limit:
                with_prefix = " with the client's prefix" if fact.prefix else ""
                message = f"Its name has {length} characters{with_prefix}, over {fact.limit}"
                yield _told(message, fact, tool, fact.clients[0], "/name")
        elif fact.kind == "name-characters" and name and not _API_NAME.fullmatch(name):
            yield _told("Its name has characters that model APIs do not take", fact, tool, "", "/name")


def _schemas(tool: ToolDefinition, protocol: str | None) -> Iterator[Finding]:
    places = dict(_places(tool, protocol))
    for fact in client_facts():
        if fact.kind in places:
            yield _told(_SAYS[fact.kind], fact, tool, "", f"/inputSchema{places[fact.kind]}")


def _places(tool: ToolDefinition, protocol: str | None) -> Iterator[tuple[str, str]]:
    """Yield each kind that the input schema shows, with a place where it does."""
    schema = tool.input_schema
    if not isinstance(schema, dict):
        return
    if str(schema.get("$schema", "")).startswith("https://json-schema.org/draft/2020-12"):
        yield "dialect", "/$schema"
    if is_modern(protocol) and any(word in schema for word in ("anyOf", "oneOf")):
        yield "root-union", ""
    for parameter in parameters(tool):
        own = parameter.schema
        if (
            isinstance(own, dict)
            and not {"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"} & own.keys()
        ):
            yield "untyped", pointer("properties", parameter.name)
    for one in subschemas(schema):
        if isinstance(one.schema.get("type"), list):
            yield "union-type", pointer(*one.path, "type")
        if "$ref" in one.schema:
            yield "reference", pointer(*one.path, "$ref")
        for word in _MAPS:
            held: Json = one.schema.get(word)
            for name, member in held.items() if isinstance(held, dict) else ():
                if isinstance(member, bool):
                    yield "boolean-schema", pointer(*one.path, word, name)


def _told(
    message: str, fact: ClientFact, tool: ToolDefinition | None, key: str, place: str | None = None
) -> Finding:
    return RULE.finding(
        f"{message}: refused or changed by {', '.join(fact.clients)}.",
        kind=fact.kind,
        location=Location(tool=tool.label if tool else None, pointer=cut_text(place, 400) if place else None),
        key=key,
        hint="Nothing is wrong by the protocol; write it otherwise where these clients matter.",
        evidence={"clients": list(fact.clients), "source": fact.source, "seen": fact.seen},
        certainty=PROVEN,
    )


JUDGED = Judged(RULE, judge)
