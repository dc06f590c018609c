"""Objects in an answer that count their own one list, and count it wrong."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_check_core.inputs.words import words
from mcp_check_core.judges.disguise_object import parse_text
from mcp_check_core.judges.shape import children
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool_result import ToolResult

_COUNTS = frozenset(
    (
        *("count", "num results", "num items", "result count", "results count", "item count", "items count"),
        *("number of results", "number of items", "returned", "returned count"),
    )
)
_PAGES = frozenset(
    (
        *("next", "previous", "prev", "cursor", "offset", "page", "pages", "limit", "more", "truncated"),
        *("total", "skip", "start", "first", "last", "remaining", "available", "matched", "filtered"),
    )
)
"""Words in the names of members that say that a list is a part of what is counted."""
_NODES = 5_000


@dataclass(frozen=True, slots=True)
class Miscount:
    """A count, the list beside it and its length; `pointer` leads to the count."""

    pointer: str
    name: str
    count: int
    listed: str
    length: int


def miscounts(result: ToolResult) -> Iterator[Miscount]:
    """Find the objects whose count disagrees with the length of the only list beside it.

    An object that speaks of pages, limits or totals may count more than it lists.
    """
    if result.has_structured:
        yield from _in_value(result.structured, "/structuredContent")
        return
    for position, block in enumerate(result.content[:8]):
        text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
        if isinstance(text, str):
            is_json, value = parse_text(text)
            if is_json:
                yield from _in_value(value, f"/content/{position}/text")


def _in_value(value: Json, pointer: str) -> Iterator[Miscount]:
    layer: list[tuple[str, Json]] = [(pointer, value)]
    left = _NODES
    while layer and left > 0:
        below: list[tuple[str, Json]] = []
        for place, item in layer:
            left -= 1 + sum(1 for _ in children(item))
            if left <= 0:
                return
            if isinstance(item, dict):
                yield from _of_object(item, place)
                below.extend((f"{place}/{_escaped(name)}", member) for name, member in item.items())
            elif isinstance(item, list):
                below.extend((f"{place}/{number}", member) for number, member in enumerate(item))
        layer = [(place, item) for place, item in below if isinstance(item, dict | list)]


def _of_object(item: dict[str, Json], place: str) -> Iterator[Miscount]:
    lists = [(name, member) for name, member in item.items() if isinstance(member, list)]
    spoken = {word for name in item for word in words(name)}
    if len(lists) != 1 or not spoken.isdisjoint(_PAGES):
        return
    listed, members = lists[0]
    for name, count in item.items():
        if isinstance(count, bool) or not isinstance(count, int) or not _counts(name, listed):
            continue
        if count != len(members):
            yield Miscount(f"{place}/{_escaped(name)}", name, count, listed, len(members))


def _counts(name: str, listed: str) -> bool:
    """Whether a member counts the list: it is called a count, or the count of what the list is called."""
    said = " ".join(words(name))
    of = " ".join(words(listed))
    singular = of.removesuffix("s")
    return said in _COUNTS or said in (f"{of} count", f"{singular} count", f"num {of}", f"number of {of}")


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
