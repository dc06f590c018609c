"""The `$ref`s of a JSON Schema, and which of them lead nowhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urldefrag, urljoin

from mcp_check_core.model.json_value import Json

_DATA = frozenset({"const", "default", "enum", "example", "examples"})
"""Keywords whose values are data: a `$ref` in there is no reference."""
_MAPS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
"""Keywords that map free names to schemas."""
_META = ("http://json-schema.org/", "https://json-schema.org/")


@dataclass(frozen=True, slots=True)
class Reference:
    """One `$ref`: where it stands, as a JSON pointer, and what it names."""

    pointer: str
    target: str


@dataclass(frozen=True, slots=True)
class _Node:
    """A schema within a schema, with its pointer and the URI that its references are relative to."""

    pointer: str
    schema: dict[str, Json]
    base: str


def unresolved(schema: Json) -> tuple[list[Reference], list[Reference]]:
    """Find the references that lead nowhere within the document, and those that leave it.

    The document is walked without recursion; nothing is fetched. References to the published meta-schemas
    count as resolved.
    """
    nodes = list(_nodes(schema))
    by_uri = {node.base: node for node in reversed(nodes) if "$id" in node.schema or not node.pointer}
    anchors = {
        (node.base, name)
        for node in nodes
        for name in (node.schema.get("$anchor"), node.schema.get("$dynamicAnchor"), _old_anchor(node))
        if isinstance(name, str)
    }
    missing: list[Reference] = []
    remote: list[Reference] = []
    for node in nodes:
        target = node.schema.get("$ref")
        if not isinstance(target, str):
            continue
        document, fragment = _absolute(node.base, target)
        reference = Reference(f"{node.pointer}/$ref", target)
        if document in by_uri:
            if (document, fragment) not in anchors and not _leads_somewhere(
                by_uri[document].schema, fragment
            ):
                missing.append(reference)
        elif not document.startswith(_META):
            remote.append(reference)
    return missing, remote


def _nodes(schema: Json) -> Iterator[_Node]:
    waiting: list[tuple[str, Json, str, bool]] = [("", schema, "", False)]
    while waiting:
        pointer, value, base, is_map = waiting.pop()
        if isinstance(value, list):
            waiting += [(f"{pointer}/{place}", item, base, False) for place, item in enumerate(value)]
        if not isinstance(value, dict):
            continue
        if not is_map:
            identity = value.get("$id")
            base = _joined(base, identity) if isinstance(identity, str) else base
            yield _Node(pointer, value, base)
        waiting += [
            (f"{pointer}/{_escaped(name)}", member, base, not is_map and name in _MAPS)
            for name, member in value.items()
            if is_map or name not in _DATA
        ]


def _joined(base: str, identity: str) -> str:
    return base if identity.startswith("#") else _absolute(base, identity)[0]


def _absolute(base: str, target: str) -> tuple[str, str]:
    """Split a reference into the URI of its document and the fragment; a broken URI is taken as it is."""
    document, _, fragment = target.partition("#")
    if not document:
        return base, fragment
    try:
        return urldefrag(urljoin(base, document))[0], fragment
    except ValueError:
        return document, fragment


def _old_anchor(node: _Node) -> str | None:
    """Give the name in `"$id": "#name"`, the anchor of draft-07."""
    identity = node.schema.get("$id")
    return identity[1:] if isinstance(identity, str) and identity.startswith("#") else None


def _leads_somewhere(schema: Json, fragment: str) -> bool:
    if not fragment:
        return True
    if not fragment.startswith("/"):
        return False
    value = schema
    for part in fragment[1:].split("/"):
        name = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return False
    return True


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
