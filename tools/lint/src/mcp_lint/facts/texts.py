"""Every text of a definition that reaches a model, with the place where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_check_core.model.json_value import Json
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.pointers import pointer


@dataclass(frozen=True, slots=True)
class Text:
    """A text, or the name of a member. `pointer` is relative to its tool, or to the server's lists.

    `owner` says in words whose text it is; `tool` is the label of its tool, `parameter` the property in which
    it stands. `identity` is the place as it stays the same when lists are put in another order. `is_name`: it
    is what a tool, prompt or resource is called.
    """

    text: str
    pointer: str
    identity: str
    owner: str
    tool: str | None = None
    parameter: str | None = None
    is_name: bool = False


def texts(definitions: Definitions) -> Iterator[Text]:
    """Yield the texts of all tools, of the instructions, and of the other lists."""
    for tool in definitions.tools:
        for path, text in _strings(tool.raw):
            place = pointer(*path)
            parameter = str(path[2]) if path[:2] == ("inputSchema", "properties") and len(path) > 2 else None
            yield Text(text, place, place, f"tool {tool.label!r}", tool.label, parameter, path == ("name",))
    if definitions.instructions:
        yield Text(definitions.instructions, "/instructions", "/instructions", "the server's instructions")
    for kind, listed in definitions.others.items():
        for number, item in enumerate(listed.items):
            name = item.get("name") if isinstance(item, dict) else None
            called = name if isinstance(name, str) and name else f"#{number + 1}"
            for path, text in _strings(item):
                yield Text(
                    text,
                    pointer(kind.value, number, *path),
                    pointer(kind.value, called, *path),
                    f"{kind.value} entry {called[:80]!r}",
                    is_name=path == ("name",),
                )


def _strings(value: Json) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield each string and each name of a member with its path, in the order of the document."""
    waiting: list[tuple[tuple[str | int, ...], Json]] = [((), value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, str):
            yield path, item
        elif isinstance(item, dict):
            yield from (((*path, name), name) for name in item if not name.isascii() or len(name) > 40)
            waiting += [((*path, name), member) for name, member in reversed(item.items())]
        elif isinstance(item, list):
            waiting += [((*path, place), member) for place, member in reversed([*enumerate(item)])]
