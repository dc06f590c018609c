"""The parameters of a tool, as a model sees them: the properties of its input schema."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mcp_check_core.judges.schema_cost import resolve_local
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.pointers import pointer

_SAYS_TYPE = ("type", "enum", "const", "properties", "items", "prefixItems", "patternProperties")
_BRANCHES = ("anyOf", "oneOf", "allOf")
_HOPS = 8
"""References of references that are followed."""
_LABEL = 80
_ENTRY = re.compile(
    r"^[ \t]{0,40}(?:[-*•+]|\d{1,2}[.)]|:param(?: \w{1,20})?|@param)?[ \t]*"
    r"[`'\"*_]{0,3}([A-Za-z_]\w{0,79})[`'\"*]{0,3}"
    r"[ \t]*(?:[(\[{][^()\n]{0,80}[)\]}])?[`'\"*]{0,3}[ \t]*(?::|=|–|—| - )[`'\"*]{0,3}[ \t]*\S",
    re.MULTILINE,
)
"""An entry of a list of parameters, as docstrings of Google, NumPy and reST style and Markdown write it."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One property. `schema` is whatever stands there; `resolved` is it with a leading `$ref` followed.

    `documented`: the description of its tool has an entry for it, as in an `Args:` section.
    """

    name: str
    schema: Json
    resolved: Json
    documented: bool = False

    @property
    def label(self) -> str:
        """The name, bounded, for reports."""
        return cut_text(self.name, _LABEL)

    @property
    def pointer(self) -> str:
        """Where it stands in the definition of its tool."""
        return pointer("inputSchema", "properties", self.name)

    @property
    def described(self) -> bool:
        """Whether it, or what it refers to, has a description that is not blank, or its tool describes it."""
        return self.documented or any(_described(schema) for schema in (self.schema, self.resolved))

    @property
    def typed(self) -> bool:
        """Whether anything says what kind of value it takes."""
        return _typed(self.resolved, 0)


_MENTION = re.compile(
    r"[`'\"]([A-Za-z_]\w{0,79})[`'\"]|\b([A-Za-z_]\w{0,79})(?:=| (?:parameter|argument|field|option)\b)"
)
"""A name in a sentence that speaks of the parameter: quoted, with a value, or called one."""


def mentioned(tool: ToolDefinition) -> frozenset[str]:
    """Give the names that the description of a tool speaks of as parameters."""
    return frozenset(found[1] or found[2] for found in _MENTION.finditer(tool.description or ""))


_SECTION = re.compile(
    r"^[ \t]*(?:Args|Arguments|Parameters|Params|Inputs?)[ \t]*:?[ \t]*\n"
    r"(?:[ \t]*-{3,}[ \t]*\n)?((?:.*\n?){0,200})",
    re.MULTILINE,
)
_SECTION_ENTRY = re.compile(
    r"([ \t]+)(?:[-*•][ \t]+)?[`'\"*]{0,3}([A-Za-z_]\w{0,79})[`'\"*]{0,3}[ \t]*(?:\([^()\n]{0,80}\))?[ \t]*:"
)


def entries(tool: ToolDefinition) -> tuple[str, ...]:
    """Give the names that a tool's description lists as parameters.

    They are the entries of least indent of an `Args:` section, up to the next section or blank line.
    """
    section = _SECTION.search(tool.description or "")
    if section is None:
        return ()
    found: list[str] = []
    indent: int | None = None
    for line in section[1].splitlines():
        entry = _SECTION_ENTRY.match(line)
        depth = len(line) - len(line.lstrip())
        if not line.strip() or (indent is not None and depth < indent):
            break
        indent = depth if indent is None else indent
        if entry is not None and depth == indent:
            found.append(entry[2])
    return tuple(found)


def parameters(tool: ToolDefinition) -> Iterator[Parameter]:
    """Yield the properties of the input schema, those that only a composition declares left out."""
    root = tool.input_schema
    listed = frozenset(found[1] for found in _ENTRY.finditer(tool.description or ""))
    for name, schema in tool.properties.items():
        yield Parameter(name, schema, _followed(root, schema), name in listed)


def _followed(root: Json, schema: Json) -> Json:
    for _ in range(_HOPS):
        if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
            break
        target = resolve_local(root, schema["$ref"])
        if not isinstance(target, dict):
            break
        schema = {**target, **{name: value for name, value in schema.items() if name != "$ref"}}
    return schema


def _described(schema: Json) -> bool:
    if not isinstance(schema, dict):
        return False
    text = schema.get("description")
    if isinstance(text, str) and text.strip():
        return True
    branches = [branch for word in _BRANCHES for branch in _list(schema.get(word))]
    return any(isinstance(branch, dict) and _described(branch) for branch in branches)


def _typed(schema: Json, level: int) -> bool:
    if not isinstance(schema, dict):
        return False
    if "$ref" in schema or any(word in schema for word in _SAYS_TYPE):
        return True
    branches = [branch for word in _BRANCHES for branch in _list(schema.get(word))]
    return level < _HOPS and any(_typed(branch, level + 1) for branch in branches)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
