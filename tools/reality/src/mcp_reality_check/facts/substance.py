"""Whether an answer says more than that there is nothing."""

import re

from mcp_check_core.judges.disguise_object import parse_text
from mcp_check_core.judges.shape import children
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool_result import ToolResult

_LEAST = 20
"""Characters of an answer that can say something."""
_SHORT = 600
_NOTHING = re.compile(
    r"\b(?:no|not|none|nothing|0|zero|empty|unknown|unable|cannot|invalid|error)\b", re.IGNORECASE
)
_NODES = 2_000


def says_little(result: ToolResult) -> bool:
    """Whether an answer is short, a text of what there is not, or JSON with nothing but empty places."""
    text = result.text.strip()
    if len(result.content) != len(result.texts):
        return False
    if len(text) < _LEAST and not result.has_structured:
        return True
    is_json, value = parse_text(text)
    if is_json or result.has_structured:
        return _is_hollow(value if is_json else result.structured)
    return len(text) < _SHORT and _NOTHING.search(text) is not None


def _is_hollow(value: Json) -> bool:
    """Whether all scalars in a value are null, false, zero or blank."""
    stack, left = [value], _NODES
    while stack:
        item = stack.pop()
        left -= 1
        if left < 0:
            return False
        if isinstance(item, dict | list):
            stack.extend(children(item))
        elif isinstance(item, str):
            if item.strip() and _NOTHING.search(item) is None:
                return False
        elif item:
            return False
    return True
