"""Cuts that keep what a stranger sent within a stated size."""

from collections.abc import Mapping, Sequence

from mcp_check_core.model.json_value import Json

TEXT_BOUND = 400
"""Characters of one quoted text in evidence."""
ITEM_BOUND = 20
"""Items of one array, or members of one object, in evidence."""
DEPTH_BOUND = 8
"""Levels of nesting in evidence."""


def cut_text(text: str, bound: int = TEXT_BOUND) -> str:
    """Shorten a text to `bound` characters and say in it how long it was."""
    if len(text) <= bound:
        return text
    return f"{text[:bound]}… [first {bound} of {len(text)} characters]"


def cut_bytes(data: bytes, bound: int = TEXT_BOUND) -> str:
    """Decode the first `bound` bytes, bad ones replaced, and say how many there were."""
    text = data[:bound].decode("utf-8", "replace")
    if len(data) <= bound:
        return text
    return f"{text}… [first {bound} of {len(data)} bytes]"


def cut_value(
    value: object, *, text: int = TEXT_BOUND, items: int = ITEM_BOUND, depth: int = DEPTH_BOUND
) -> Json:
    """Shorten a JSON value in every direction: texts, arrays, objects, nesting.

    What is left out is named in place, so that a reader never takes a part for the whole.
    """
    if isinstance(value, str):
        return cut_text(value, text)
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return _cut_integer(value)
    if isinstance(value, Mapping):
        return _cut_object(value, text, items, depth)
    if isinstance(value, Sequence):
        return _cut_array(value, text, items, depth)
    return cut_text(str(value), text)


def _cut_integer(value: int) -> Json:
    """Keep an integer, but write one of more than 64 bits as a text."""
    bits = value.bit_length()
    if bits <= 64:
        return value
    return str(value) if bits <= 512 else f"integer of {bits} bits"


def _cut_array(value: Sequence[object], text: int, items: int, depth: int) -> Json:
    if depth == 0:
        return f"… [array of {len(value)}, nested too deep to show]"
    kept: list[Json] = [cut_value(item, text=text, items=items, depth=depth - 1) for item in value[:items]]
    if len(value) > items:
        kept.append(f"… [first {items} of {len(value)} items]")
    return kept


def _cut_object(value: Mapping[object, object], text: int, items: int, depth: int) -> Json:
    if depth == 0:
        return f"… [object of {len(value)} members, nested too deep to show]"
    kept: dict[str, Json] = {}
    for position, (name, member) in enumerate(value.items()):
        if position == items:
            kept["…"] = f"[first {items} of {len(value)} members]"
            break
        kept[cut_text(str(name), 120)] = cut_value(member, text=text, items=items, depth=depth - 1)
    return kept
