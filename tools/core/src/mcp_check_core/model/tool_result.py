"""The result of a tool call, read without trust."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_check_core.model.json_value import Json, json_type


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A `CallToolResult`: its blocks as they came, the texts among them, and what it says of itself.

    `problem` says in a few words why the result is none by the specification, None where it is one.
    """

    content: tuple[Json, ...]
    texts: tuple[str, ...]
    structured: Json
    has_structured: bool
    is_error: bool
    problem: str | None = None

    @property
    def text(self) -> str:
        """All text blocks, one a line."""
        return "\n".join(self.texts)


def read_tool_result(result: Mapping[str, Json]) -> ToolResult:
    """Read the result of `tools/call`. Absent `isError` means false (specification, tools)."""
    content = result.get("content")
    blocks = tuple(content) if isinstance(content, list) else ()
    texts = tuple(
        block["text"]
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    )
    return ToolResult(
        content=blocks,
        texts=tuple(text for text in texts if isinstance(text, str)),
        structured=result.get("structuredContent"),
        has_structured="structuredContent" in result,
        is_error=result.get("isError") is True,
        problem=_problem(result, blocks),
    )


def _problem(result: Mapping[str, Json], blocks: tuple[Json, ...]) -> str | None:
    if "content" not in result:
        return None if "structuredContent" in result else "it has no content"
    if not isinstance(result["content"], list):
        return f"content is {json_type(result['content'])}, not an array"
    if "isError" in result and not isinstance(result["isError"], bool):
        return f"isError is {json_type(result['isError'])}, not a boolean"
    for position, block in enumerate(blocks):
        if not isinstance(block, dict):
            return f"content block {position} is {json_type(block)}, not an object"
        if not isinstance(block.get("type"), str):
            return f"content block {position} has no type"
    return None
