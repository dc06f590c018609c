"""Classes with fields `name`, `description` and a schema, one a tool (mcp-framework and the like)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_doctor.script.idioms.declare import HANDLER_KEYS, SCHEMA_KEYS, Idiom, Parts, declared, language_of
from mcp_doctor.script.scan import ScriptScan
from mcp_doctor.syntax.found import FoundTool
from mcp_doctor.syntax.grammars import captures
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import Definition, Member, Site, Value, as_string

if TYPE_CHECKING:
    from tree_sitter import Node

SAMPLE = """
import { MCPTool } from "mcp-framework";
import { z } from "zod";

class DimTool extends MCPTool {
  name = "dim";
  description = "Dim the lamp.";
  schema = { level: { type: z.number(), description: "From 0 to 100." } };
  async execute({ level }) { return level; }
}
"""
_CLASSES = "[(class_declaration) (class)] @class"
_FRAMEWORKS = ("mcp-framework",)


def recognise(scan: ScriptScan, known: frozenset[str]) -> Iterator[FoundTool]:
    """Find classes that are tools and whose name is not `known` yet."""
    names = set(known)
    for module in scan.modules:
        if b"extends" not in module.source:
            continue
        for node in captures(module.grammar, _CLASSES, module.root).get("class", ()):
            if not _extends_tool(node) or b"name" not in (node.text or b""):
                continue
            owner = Definition(text(field(node, "name")), Site(module, node), is_class=True)
            found = _declared(scan, owner)
            if isinstance(found, FoundTool) and found.tool.name not in names:
                names.add(found.tool.name)
                yield found


def _extends_tool(node: "Node") -> bool:
    heritage = next((one for one in node.named_children if one.type == "class_heritage"), None)
    return heritage is not None and "tool" in text(heritage).lower()


def _declared(scan: ScriptScan, owner: Definition) -> FoundTool | None:
    def member(*keys: str) -> Value | None:
        values = (scan.evaluator.attribute(owner, key, owner.site) for key in keys)
        return next(
            (value for value in values if not (isinstance(value, Member) and value.base is owner)), None
        )

    name = member("name", "toolName")
    if as_string(name) is None or member("description") is None:
        return None
    parts = Parts(
        name, member("description"), member(*SCHEMA_KEYS), member("annotations"), None, member(*HANDLER_KEYS)
    )
    found = declared(parts, owner.site, Idiom(language_of(owner.site), "mcp-framework", "class"))
    return found if isinstance(found, FoundTool) else None
