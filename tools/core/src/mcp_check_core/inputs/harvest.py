"""Values that a server gave in earlier answers, for calls that ask for them: ids, paths, names, links.

Structured content is read first, then JSON in texts; of a bare text UUIDs, labelled ids and links are taken.
Resource links come last. Pure and bounded: the same answers in the same order give the same values.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from mcp_check_core.inputs.limits import ARRAY_ITEMS, OBJECT_MEMBERS
from mcp_check_core.inputs.places import Path
from mcp_check_core.inputs.words import path_words, singular, words
from mcp_check_core.judges.shape import depth
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import ToolResult

VALUES = 2_000
"""Values that are kept in all."""
_PER_KEY = 20
"""Values that one answer gives for one key of one resource."""
_NODES = 20_000
_LEVELS = 30
_TEXT = 256 * 1024
_VALUE = 500
_IDENTIFIERS = ("id", "uuid", "guid", "uid", "iid", "key", "identifier", "slug", "arn", "sha", "ref")
_CALLED = ("name", "title", "label", "username", "login", "symbol", "code", "email", "number")
_PLACES = ("path", "file", "filename", "filepath", "uri", "url", "link", "href")
_VERBS = frozenset(
    (
        *(
            "get",
            "read",
            "fetch",
            "retrieve",
            "describe",
            "show",
            "list",
            "search",
            "find",
            "query",
            "lookup",
        ),
        *("create", "add", "insert", "new", "update", "edit", "set", "delete", "remove", "destroy"),
        *("all", "by", "the", "a", "of", "for", "to", "from", "with", "and", "my"),
    )
)
_WRAPPERS = frozenset(
    (
        *("result", "results", "data", "items", "item", "records", "rows", "response", "content"),
        *("value", "values", "nodes", "edges", "node"),
    )
)
_SECRET = frozenset(("secret", "token", "password", "api", "access", "private", "auth", "credential"))
"""Words in a key or resource whose values are not taken."""
_UUID = re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b")
_LABELLED = re.compile(r"\b(?:id|ID|Id|number|No\.)[ ]{0,2}[:=#]?[ ]{0,2}([0-9]{1,18}|[A-Za-z0-9_-]{4,64})\b")
_HASHED = re.compile(r"(?<!\w)#([0-9]{1,12})\b")
_LINK = re.compile(r"https?://[^\s<>\"'`)\]}]{1,400}")


@dataclass(frozen=True, slots=True)
class Harvested:
    """A value that was seen: under which key, of what resource, from which tool and kind of content."""

    value: str | int
    key: str
    resource: str
    tool: str
    content: str

    @property
    def source(self) -> str:
        """Say where it comes from, for reports."""
        return f"harvested: {self.key} from {self.tool} ({self.content})"


@dataclass(frozen=True, slots=True)
class Harvest:
    """All values so far, in the order in which they were seen."""

    values: tuple[Harvested, ...] = ()

    def plus(self, tool: ToolDefinition, result: ToolResult) -> "Harvest":
        """Add what an answer holds; an answer that is an error adds nothing."""
        if result.is_error or len(self.values) >= VALUES:
            return self
        seen = {(item.value, item.key, item.resource) for item in self.values}
        new = [item for item in harvest(tool, result) if (item.value, item.key, item.resource) not in seen]
        return Harvest((*self.values, *new)[:VALUES])

    def matching(self, tool: ToolDefinition, path: Path) -> list[Harvested]:
        """List the values that fit a parameter by its name, the closest first and then the earliest."""
        wanted = _Wanted.of(tool, path)
        if wanted is None:
            return []
        ranked = [(wanted.rank(item), number) for number, item in enumerate(self.values)]
        return [self.values[number] for rank, number in sorted(ranked) if rank < _NO_MATCH]


_NO_MATCH = 9


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a parameter asks for: the last word of its name, and the resource that it is of."""

    key: str
    resource: str

    @staticmethod
    def of(tool: ToolDefinition, path: Path) -> "_Wanted | None":
        found = path_words(path)
        if not found or not is_reusable(found[-1]):
            return None
        own = _resource(words(tool.name or ""))
        return _Wanted(found[-1], singular(found[-2]) if len(found) > 1 else own)

    def rank(self, item: Harvested) -> int:
        """Rank a value from 0, the closest; `_NO_MATCH` where it is of another kind or resource."""
        same_key = item.key == self.key
        alike = same_key or any(self.key in group and item.key in group for group in (_IDENTIFIERS, _PLACES))
        if not alike:
            return _NO_MATCH
        if item.resource == self.resource:
            return 0 if same_key else 2
        if same_key and self.key in _PLACES:
            return 3
        return _NO_MATCH


def is_reusable(word: str) -> bool:
    """Whether the last word of a name says that its value is an id, a name or a place of something."""
    return word in _IDENTIFIERS or word in _CALLED or word in _PLACES


def harvest(tool: ToolDefinition, result: ToolResult) -> list[Harvested]:
    """List the values of one answer: from the first kind of content that has any, and its resource links."""
    name = tool.label
    own = _resource(words(tool.name or ""))
    found: list[Harvested] = []
    if result.has_structured:
        found = _bounded(_in_json(result.structured, own, name, "structured content"))
    if not found:
        parsed = [document for document in map(_parsed, result.texts) if document is not None]
        found = _bounded(item for document in parsed for item in _in_json(document, own, name, "JSON text"))
    if not found:
        found = _bounded(item for text in result.texts for item in _in_text(text[:_TEXT], own, name))
    return _bounded((*found, *_links(result, own, name)))


def _in_json(document: Json, own: str, tool: str, content: str) -> Iterator[Harvested]:
    """Walk a document level by level; the key above an object names its resource."""
    left = _NODES
    level: list[tuple[str, str, Json]] = [("", own, document)]
    for _ in range(_LEVELS):
        below: list[tuple[str, str, Json]] = []
        for key, resource, value in level:
            left -= 1
            if left < 0:
                return
            if isinstance(value, dict):
                members = islice(value.items(), OBJECT_MEMBERS)
                below.extend((name, resource, member) for name, member in members)
            elif isinstance(value, list):
                below.extend((key, resource, item) for item in value[:ARRAY_ITEMS])
            else:
                yield from _scalar(key, resource, value, tool, content)
        level = [(key, _below(key, resource, value), value) for key, resource, value in below]


def _below(key: str, resource: str, value: Json) -> str:
    """Name the resource of what is under a key: objects and arrays have the key's, unless it is a wrapper."""
    found = words(key)
    if not isinstance(value, dict | list) or not found or found[-1] in _WRAPPERS:
        return resource
    return "secret" if not _SECRET.isdisjoint(found) else singular(found[-1])


def _scalar(key: str, resource: str, value: Json, tool: str, content: str) -> Iterator[Harvested]:
    """Give a value whose key names something that can be asked for again."""
    found = words(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or not found:
        return
    if isinstance(value, str) and not 0 < len(value) <= _VALUE:
        return
    last = singular(found[-1])
    if is_reusable(last):
        of = singular(found[-2]) if len(found) > 1 else resource
        if _SECRET.isdisjoint((*found, of)):
            yield Harvested(value, last, of, tool, content)


def _in_text(text: str, own: str, tool: str) -> Iterator[Harvested]:
    """Find ids and links in a text that is no JSON."""
    for match in _UUID.finditer(text):
        yield Harvested(match[0], "id", own, tool, "text")
    for match in _LABELLED.finditer(text):
        if any(character.isdigit() for character in match[1]) and not _UUID.match(text, match.start(1)):
            yield Harvested(match[1], "id", own, tool, "text")
    for match in _HASHED.finditer(text):
        yield Harvested(match[1], "id", own, tool, "text")
    for match in _LINK.finditer(text):
        yield Harvested(match[0].rstrip(".,;:!?"), "url", own, tool, "text")
    stripped = text.strip()
    if stripped.isascii() and stripped.isdecimal() and len(stripped) <= 18:
        yield Harvested(stripped, "id", own, tool, "text")


def _links(result: ToolResult, own: str, tool: str) -> Iterator[Harvested]:
    """Give the addresses of resource links and embedded resources."""
    for block in result.content[:ARRAY_ITEMS]:
        if not isinstance(block, dict):
            continue
        holder = block.get("resource") if block.get("type") == "resource" else block
        uri = holder.get("uri") if isinstance(holder, dict) else None
        if isinstance(uri, str) and 0 < len(uri) <= _VALUE:
            yield Harvested(uri, "uri", own, tool, "resource link")


def _parsed(text: str) -> Json:
    """Read a text that is a JSON object or array; None for any other, also for a longer or deeper one."""
    start = text[:200].lstrip()[:1]
    if start not in ("{", "[") or len(text) > _TEXT:
        return None
    try:
        document: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if depth(document, _LEVELS) <= _LEVELS else None


def _resource(found: tuple[str, ...]) -> str:
    """Name the resource that a tool is about: the last word of its name that is no verb, in the singular."""
    nouns = [word for word in found if word not in _VERBS and word not in _IDENTIFIERS]
    return singular(nouns[-1]) if nouns else ""


def _bounded(items: Iterator[Harvested] | tuple[Harvested, ...]) -> list[Harvested]:
    """Keep each value once, and so many of one key of one resource."""
    counts: dict[tuple[str, str], int] = {}
    kept: dict[Harvested, None] = {}
    for item in items:
        if item not in kept and counts.get((item.key, item.resource), 0) < _PER_KEY:
            kept[item] = None
            counts[item.key, item.resource] = counts.get((item.key, item.resource), 0) + 1
    return list(kept)
