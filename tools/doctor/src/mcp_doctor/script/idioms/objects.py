"""Definitions as data: objects with a name and an input schema, and those that a loop registers."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.script.idioms.declare import SCHEMA_KEYS, Idiom, declared, language_of, parts_of_object
from mcp_doctor.script.scan import ScriptScan
from mcp_doctor.syntax.found import Found, FoundTool
from mcp_doctor.syntax.grammars import captures
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import Call, Fields, Member, Site, Value, as_string

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


def sites(scan: ScriptScan) -> Iterator[Site]:
    """Give the objects that have an input schema."""
    for module in scan.modules:
        if b"inputSchema" in module.source or b"input_schema" in module.source:
            for node in captures(module.grammar, _OBJECTS, module.root).get("object", ()):
                yield Site(module, node)


def recognise(scan: ScriptScan, known: frozenset[str]) -> Iterator[Found]:
    """Find objects with an input schema whose name is not `known` yet."""
    names = set(known)
    for site in sites(scan):
        for found in _of_object(scan, site):
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
    name = value.get("name") if isinstance(value, Fields) else None
    if not isinstance(value, Fields) or name is None or isinstance(name, Call):
        return None
    return declared(parts_of_object(value), site, Idiom(language_of(site), "mcp", "object"))


def shape_at(scan: ScriptScan, site: Site) -> Shape | None:
    """Give the shape of what a registration, or an object that repeats another, reads (`tool.name`)."""
    value = scan.evaluator.value(site.module, site.node) if site.node.type == "object" else None
    if isinstance(value, Fields):
        values = [one for one in (value.get("name"), value) if one is not None]
    else:
        arguments = field(site.node, "arguments")
        nodes = arguments.named_children if arguments is not None else []
        values = [scan.evaluator.value(site.module, node) for node in nodes]
    name = values[0] if values else None
    if not isinstance(name, Member):
        return None
    described, schema = _others(values[1:], name)
    return Shape(name.name, described, schema)


def _others(values: list[Value], name: Member) -> tuple[str, str]:
    owner = text(name.site.node).split(".")[0]
    members = [one for value in values for one in _members(value)]
    names = [one.name for one in members if text(one.site.node).split(".")[0] == owner]
    described = next((one for one in names if "desc" in one.lower()), "description")
    schema = next((one for one in names if one in SCHEMA_KEYS or "schema" in one.lower()), "")
    return described, schema


def _members(value: Value) -> Iterator[Member]:
    if isinstance(value, Member):
        yield value
    elif isinstance(value, Fields):
        for _, one in value.entries:
            yield from _members(one) if isinstance(one, Member) else ()


def of_shape(scan: ScriptScan, shape: Shape) -> Iterator[FoundTool]:
    """Find the objects of a shape: a literal name, a description, and a schema; each name once."""
    names: set[str] = set()
    pattern = _NAMED.replace("KEY", shape.name)
    for module in scan.modules:
        if shape.name.encode() not in module.source or not shape.name.isidentifier():
            continue
        for node in captures(module.grammar, pattern, module.root).get("object", ()):
            found = _of_shape(shape, Site(module, node), scan.evaluator.value(module, node))
            if found is not None and found.tool.name not in names:
                names.add(found.tool.name)
                yield found


def _of_shape(shape: Shape, site: Site, value: Value) -> FoundTool | None:
    if not isinstance(value, Fields) or as_string(value.get(shape.name)) is None:
        return None
    has_schema = any(value.get(key) is not None for key in (shape.schema, *SCHEMA_KEYS) if key)
    if value.get(shape.description) is None or not has_schema:
        return None
    keys = {"name": shape.name, "description": shape.description, "schema": shape.schema}
    found = declared(parts_of_object(value, keys), site, Idiom(language_of(site), "mcp", "loop"))
    return found if isinstance(found, FoundTool) else None
