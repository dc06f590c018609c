"""What a recogniser of an idiom gives: tools with their code, or a registration that it could not resolve."""

from dataclasses import dataclass
from typing import TypeAlias

from mcp_doctor.facts.place import Place
from mcp_doctor.facts.tool_decl import ToolDecl, Unresolved
from mcp_doctor.syntax.values import Site


@dataclass(frozen=True, slots=True)
class FoundTool:
    """A tool, the function that handles its calls, and the place of the server object it was given to."""

    tool: ToolDecl
    function: Site | None = None
    server: Place | None = None


Found: TypeAlias = FoundTool | Unresolved
