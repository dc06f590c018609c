"""Definitions as data: `types.Tool(name=…, inputSchema=…)`, and dictionaries of the same shape."""

from collections.abc import Iterator

from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.python.idioms.declare import Idiom, from_schema
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.syntax.found import Found, FoundTool
from mcp_doctor.syntax.grammars import PYTHON, captures
from mcp_doctor.syntax.nodes import field
from mcp_doctor.syntax.values import (
    Call,
    Definition,
    External,
    Fields,
    Member,
    Site,
    Value,
    as_string,
    as_text,
    dotted,
)

SAMPLE = """
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("lamp")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool(name="dim", description="Dim the lamp.", inputSchema={"type": "object"})]
"""
_SCHEMA = ("inputSchema", "input_schema")
_DICTIONARIES = """
(dictionary
  (pair key: (string (string_content) @key) (#any-of? @key "inputSchema" "input_schema"))) @dictionary
"""
_IDIOM = Idiom("mcp", "tool object")
_AS_DATA = Idiom("mcp", "dictionary")


def recognise(scan: PythonScan) -> Iterator[Found]:
    """Find tool objects, then dictionaries whose name no object has."""
    names: set[str] = set()
    for site in scan.calls("Tool"):
        for found in _objects(scan, site):
            if isinstance(found, FoundTool):
                names.add(found.tool.name)
            yield found
    for module in scan.modules:
        if b"inputSchema" not in module.source and b"input_schema" not in module.source:
            continue
        for node in captures(PYTHON, _DICTIONARIES, module.root).get("dictionary", ()):
            for found in _dictionary(scan, Site(module, node)):
                if found.tool.name not in names:
                    names.add(found.tool.name)
                    yield found


def _objects(scan: PythonScan, site: Site) -> Iterator[Found]:
    made = scan.evaluator.value(site.module, site.node)
    if not isinstance(made, Call) or not _is_sdk_tool(made.callee):
        return
    found = _of_call(scan, made, site)
    if not isinstance(found, Unresolved):
        yield found
        return
    resolved = [*_of_subclasses(scan, made, site), *_of_environments(scan, site)]
    yield from resolved or [found]


def _of_environments(scan: PythonScan, site: Site) -> Iterator[Found]:
    for environment in scan.environments(site):
        again = scan.evaluator.value(site.module, site.node, environment) if environment else None
        found = _of_call(scan, again, site) if isinstance(again, Call) else None
        if isinstance(found, FoundTool):
            yield found


def _of_subclasses(scan: PythonScan, made: Call, site: Site) -> Iterator[Found]:
    """Read a definition that a base class makes of attributes which its subclasses set."""
    name = made.keyword("name")
    if not isinstance(name, Member) or not isinstance(name.base, Definition):
        return
    for owner in scan.subclasses(name.base):

        def own(value: Value | None, owner: Definition = owner) -> Value | None:
            if isinstance(value, Member) and isinstance(value.base, Definition):
                return scan.evaluator.attribute(owner, value.name, site)
            return value

        keywords = tuple((key, own(value) or value) for key, value in made.keywords)
        found = _of_call(scan, Call(made.callee, made.args, keywords, owner.site, made.complete), owner.site)
        if isinstance(found, FoundTool):
            yield found


def _is_sdk_tool(callee: Value) -> bool:
    name = dotted(callee)
    if not isinstance(callee, External):
        return False
    return name.endswith(".Tool") and not {"mcp", "mcp_types", "fastmcp"}.isdisjoint(name.split("."))


def _of_call(scan: PythonScan, made: Call, site: Site) -> Found:
    name = made.keyword("name") or (made.args[0] if made.args else None)
    return from_schema(
        scan, name, as_text(made.keyword("description")), made.keyword(*_SCHEMA), site, _IDIOM, made
    )


def _dictionary(scan: PythonScan, site: Site) -> Iterator[FoundTool]:
    value = scan.evaluator.value(site.module, site.node)
    if not isinstance(value, Fields):
        return
    name = (
        value.get("name")
        or value.get("display_name")
        or (_key(scan, site) if value.get("description") else None)
    )
    if as_string(name) is None:
        return
    schema = next((member for key in _SCHEMA if (member := value.get(key)) is not None), None)
    found = from_schema(scan, name, as_text(value.get("description")), schema, site, _AS_DATA, value)
    if isinstance(found, FoundTool):
        yield found


def _key(scan: PythonScan, site: Site) -> Value | None:
    """Give the key under which a dictionary lies in another one, if that holds nothing but such."""
    pair = site.node.parent
    outer = pair.parent if pair is not None and pair.type == "pair" else None
    key = field(pair, "key")
    if outer is None or key is None or key.type != "string":
        return None
    members = [field(one, "value") for one in outer.named_children if one.type == "pair"]
    if not all(
        one is not None and one.type == "dictionary" and b"escription" in (one.text or b"") for one in members
    ):
        return None
    return scan.evaluator.value(site.module, key)
