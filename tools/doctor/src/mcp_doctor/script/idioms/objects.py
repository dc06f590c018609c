"""Definitions as data: objects with a name and an input schema, and those that a loop registers."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.script.idioms.declare import SCHEMA_KEYS, Idiom, declared, language_of, parts_of_object
from mcp_doctor.script.scan import ScriptScan
from mcp_doctor.syntax.found import Found, FoundTool
from mcp_doctor.syntax.grammars import captures
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import Fields, Member, Site, Value, as_string

SAMPLE = """
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: [{ name: "dim", description: "Dim the lamp.", inputSchema: { type: "object" } }],
}));
"""
_OBJECTS = """
(object (pair key: (property_identifier) @key (#any-of? @key "inputSchema" "input_schema"))) @object
(object (pair key: (string (string_fragment) @key) (#any-of? @key "inputSchema" "input_schema"))) @object
(object (shorthand_property_identifier) @key (#any-of? @key "inputSchema")) @object
(object (method_definition name: (property_identifier) @key (#any-of? @key "inputSchema"))) @object
"""
_NAMED = """
(object (pair key: (property_identifier) @key (#eq? @key "KEY"))) @object
(object (pair key: (string (string_fragment) @key) (#eq? @key "KEY"))) @object
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """The properties under which a registration in a loop reads name, description and schema."""

    name: str
    description: str = ""
    schema: str = ""


def recognise(scan: ScriptScan, known: frozenset[str]) -> Iterator[Found]:
    """Find objects with an input schema whose name is not `known` yet."""
    names = set(known)
    for module in scan.modules:
        if b"inputSchema" not in module.source and b"input_schema" not in module.source:
            continue
        for node in captures(module.grammar, _OBJECTS, module.root).get("object", ()):
            for found in _of_object(scan, Site(module, node)):
                if isinstance(found, FoundTool):
                    if found.tool.name in names:
                        continue
                    names.add(found.tool.name)
                yield found


def _of_object(scan: ScriptScan, site: Site) -> Iterator[Found]:
    found = _declared(scan, site, scan.evaluator.value(site.module, site.node))
    if not isinstance(found, Unresolved):
        if found is not None:
            yield found
        return
    again = [
        _declared(scan, site, scan.evaluator.value(site.module, site.node, one))
        for one in scan.environments(site)
        if one
    ]
    resolved: list[Found] = [one for one in again if isinstance(one, FoundTool)]
    yield from resolved or [found]


def _declared(scan: ScriptScan, site: Site, value: Value) -> Found | None:
    del scan
    if not isinstance(value, Fields) or value.get("name") is None:
        return None
    return declared(parts_of_object(value), site, Idiom(language_of(site), "mcp", "object"))


def shapes_at(scan: ScriptScan, unresolved: Unresolved, site: Site) -> Iterator[Shape]:
    """Give the shape of what a registration in a loop reads, `tool.name` and the like."""
    del unresolved
    arguments = field(site.node, "arguments")
    nodes = arguments.named_children if arguments is not None else []
    values = [scan.evaluator.value(site.module, node) for node in nodes]
    name = values[0] if values else None
    if isinstance(name, Member) and as_string(name) is None:
        yield Shape(name.name, *_others(values[1:], name))


def _others(values: list[Value], name: Member) -> tuple[str, str]:
    members = [
        one.name
        for value in values
        for one in _members(value)
        if text(one.site.node).split(".")[0] == text(name.site.node).split(".")[0]
    ]
    described = next((one for one in members if "desc" in one.lower()), "description")
    schema = next((one for one in members if one in SCHEMA_KEYS or "schema" in one.lower()), "")
    return described, schema


def _members(value: Value) -> Iterator[Member]:
    if isinstance(value, Member):
        yield value
    elif isinstance(value, Fields):
        for _, one in value.entries:
            yield from _members(one) if isinstance(one, Member) else ()


def of_shape(scan: ScriptScan, shape: Shape, known: frozenset[str]) -> Iterator[FoundTool]:
    """Find the objects of a shape: a literal name, and a description or a schema."""
    names = set(known)
    pattern = _NAMED.replace("KEY", shape.name)
    for module in scan.modules:
        if shape.name.encode() not in module.source:
            continue
        for node in captures(module.grammar, pattern, module.root).get("object", ()):
            value = scan.evaluator.value(module, node)
            if not isinstance(value, Fields) or as_string(value.get(shape.name)) is None:
                continue
            has_schema = any(value.get(key) is not None for key in (shape.schema, *SCHEMA_KEYS) if key)
            if value.get(shape.description) is None or not has_schema:
                continue
            keys = {"name": shape.name, "description": shape.description, "schema": shape.schema}
            site = Site(module, node)
            found = declared(parts_of_object(value, keys), site, Idiom(language_of(site), "mcp", "loop"))
            if isinstance(found, FoundTool) and found.tool.name not in names:
                names.add(found.tool.name)
                yield found
