"""Measure a JSON value of a stranger without recursion."""

from collections.abc import Iterator

from mcp_check_core.model.json_value import Json


def children(value: Json) -> Iterator[Json]:
    """Yield the items of an array, or the members of an object."""
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def depth(value: Json, bound: int) -> int:
    """Count the levels of nesting, a scalar being level 0; stops at `bound` + 1."""
    level = 0
    layer = [value]
    while level <= bound:
        below = [child for item in layer for child in children(item)]
        if not any(isinstance(item, dict | list) for item in layer):
            return level
        level += 1
        layer = below
    return level


def nodes(value: Json, bound: int) -> int:
    """Count all values within a value, itself included; stops at `bound` + 1."""
    count = 0
    stack = [value]
    while stack and count <= bound:
        count += 1
        stack.extend(children(stack.pop()))
    return count


def encodable(value: Json) -> bool:
    """Whether all texts, names included, can be written as UTF-8: none has half of a surrogate pair."""
    stack = [value]
    while stack:
        item = stack.pop()
        texts = list(item) if isinstance(item, dict) else [item] if isinstance(item, str) else []
        if any(not _is_utf8(text) for text in texts):
            return False
        stack.extend(children(item))
    return True


def _is_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
