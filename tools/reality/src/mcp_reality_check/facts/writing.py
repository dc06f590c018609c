"""Which tools write, which read the same kind of thing, and whether a read shows what was written."""

from collections.abc import Iterator, Mapping, Sequence

from mcp_check_core.inputs.words import singular, words
from mcp_check_core.judges.shape import children
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import ToolResult

READS = 3
"""Reading tools that are asked for what one write wrote."""
_WRITES = frozenset(
    (
        "create",
        "add",
        "insert",
        "new",
        "save",
        "write",
        "store",
        "put",
        "set",
        "update",
        "edit",
        "append",
        "upsert",
    )
)
_READS = frozenset(
    (
        "get",
        "read",
        "show",
        "view",
        "fetch",
        "list",
        "search",
        "find",
        "query",
        "open",
        "retrieve",
        "describe",
    )
)
_LOCATES = frozenset(
    ("path", "file", "filename", "filepath", "folder", "directory", "dir", "uri", "url", "id", "uuid", "key")
)
"""Last words of the names of parameters that say where something is written."""
_SHORTEST = 4
"""Characters of a written text that can be told from chance."""
_VALUES = 50


def writes(tool: ToolDefinition) -> bool:
    """Whether a tool makes or changes a thing by its name, and does not say that it only reads."""
    return not tool.read_only and not _WRITES.isdisjoint(words(tool.name or ""))


def readers(tool: ToolDefinition, tools: Sequence[ToolDefinition]) -> tuple[ToolDefinition, ...]:
    """Give the first tools that read things of the kind that a tool writes."""
    kind = _kind(tool)
    if kind is None:
        return ()
    alike = [
        other
        for other in tools
        if other.read_only and _kind(other) == kind and not _READS.isdisjoint(words(other.name or ""))
    ]
    return tuple(alike[:READS])


def written_values(arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """List the texts of a call that a read may show again."""
    return tuple(dict.fromkeys(text for text in _texts(dict(arguments)) if len(text) >= _SHORTEST))[:_VALUES]


def content_values(arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """List the texts of a write that are what it writes, not where it writes it."""
    return written_values(
        {name: value for name, value in arguments.items() if _LOCATES.isdisjoint(words(name)[-1:])}
    )


def shows(result: ToolResult, values: Sequence[str]) -> bool:
    """Whether an answer holds one of some texts, whatever its form."""
    held = result.text
    if result.has_structured:
        held += canonical_json(result.structured).decode("utf-8", "replace")
    held += "".join(
        canonical_json(block).decode("utf-8", "replace") for block in result.content if not _is_text(block)
    )
    folded = " ".join(held.casefold().split())
    return any(" ".join(value.casefold().split()) in folded for value in values)


def _is_text(block: Json) -> bool:
    return isinstance(block, dict) and block.get("type") == "text"


def _kind(tool: ToolDefinition) -> str | None:
    """Name the kind of thing that a tool is about: the last word of its name that is no verb."""
    nouns = [word for word in words(tool.name or "") if word not in _WRITES and word not in _READS]
    return singular(nouns[-1]) if nouns else None


def _texts(value: Json) -> Iterator[str]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        stack.extend(reversed(list(children(item))))
