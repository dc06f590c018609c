"""What changed between two tool definitions, and between two lists of them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import isnan

from mcp_check_core.judges.canonical import DEPTH_BOUND, canonical_definition
from mcp_check_core.judges.change_kinds import Change, ChangeKind
from mcp_check_core.judges.renames import find_renames
from mcp_check_core.judges.schema_change import SchemaChange, escape, schema_changes
from mcp_check_core.judges.shape import depth
from mcp_check_core.judges.text_change import change_excerpt, has_trigger, is_quiet
from mcp_check_core.model.bounds import cut_value
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.model.tool import ToolDefinition

_DEFAULT_HINTS = {
    "readOnlyHint": False,
    "idempotentHint": False,
    "destructiveHint": True,
    "openWorldHint": True,
}
"""What an absent hint counts as (specification, tool annotations)."""
_SAFE_WHEN_TRUE = frozenset({"readOnlyHint", "idempotentHint"})


def compare_tools(old: Sequence[ToolDefinition], new: Sequence[ToolDefinition]) -> tuple[Change, ...]:
    """List the changes from one tool list to another, in the order of the old list, then what is new.

    The order of the lists does not matter. Of several tools of one name each is compared, and the name is
    reported: a host may take any of them. Near-linear in the number of tools.
    """
    old_named, new_named = _by_name(old), _by_name(new)
    changes: list[Change] = []
    for name, tools in old_named.items():
        others = new_named.get(name, [])
        for before, after in zip(tools, others, strict=False):
            changes.extend(compare_definition(before, after))
        changes.extend(
            _whole(ChangeKind.TOOL_REMOVED, tool, before=tool.raw) for tool in tools[len(others) :] if others
        )
    changes.extend(
        _whole(ChangeKind.DUPLICATE_TOOL, tool, after=tool.raw)
        for name, tools in new_named.items()
        if name is not None
        for tool in tools[1:]
    )
    gone = [tool for name, tools in old_named.items() if name not in new_named for tool in tools]
    added = [tool for name, tools in new_named.items() if name not in old_named for tool in tools]
    extra = [
        tool
        for name, tools in new_named.items()
        if name in old_named
        for tool in tools[len(old_named[name]) :]
    ]
    changes.extend(_moved(gone, added))
    changes.extend(_added(tool) for tool in extra if tool.name is None)
    return tuple(changes)


def compare_definition(before: ToolDefinition, after: ToolDefinition) -> tuple[Change, ...]:
    """List the changes of one tool, apart from its name, in the order of pointers."""
    if _deep(before) or _deep(after):
        same = canonical_json(before.raw) == canonical_json(after.raw)
        return () if same else (_whole(ChangeKind.DEFINITION, after, before.raw, after.raw),)
    old, new = canonical_definition(before.raw), canonical_definition(after.raw)
    if not isinstance(old, dict) or not isinstance(new, dict):
        same = canonical_json(old) == canonical_json(new)
        return () if same else (_whole(ChangeKind.DEFINITION, after, old, new),)
    changes: list[Change] = []
    for key in sorted((old.keys() | new.keys()) - {"name"}):
        was, now = old.get(key), new.get(key)
        if (key in old) != (key in new) or canonical_json(was) != canonical_json(now):
            changes.extend(_member_changes(after.label, key, was, now))
    return tuple(changes)


def compare_instructions(before: str | None, after: str | None, *, known: bool = True) -> tuple[Change, ...]:
    """Compare the server's instructions; `known` is False where the new ones could not be seen."""
    if not known:
        return (
            (Change(ChangeKind.INSTRUCTIONS_UNCHECKED, None, "/instructions", before=before),)
            if before
            else ()
        )
    if before == after or (not before and not after):
        return ()
    if not after:
        return (Change(ChangeKind.INSTRUCTIONS_REMOVED, None, "/instructions", before=before),)
    return (_text_change(ChangeKind.INSTRUCTIONS, None, "/instructions", before, after),)


def _by_name(tools: Sequence[ToolDefinition]) -> dict[str | None, list[ToolDefinition]]:
    named: dict[str | None, list[ToolDefinition]] = defaultdict(list)
    for tool in tools:
        named[tool.name].append(tool)
    return named


def _moved(gone: Sequence[ToolDefinition], added: Sequence[ToolDefinition]) -> Iterator[Change]:
    renames = find_renames(gone, added)
    kept = set(renames.values())
    for place, tool in enumerate(gone):
        if place not in kept:
            yield _whole(ChangeKind.TOOL_REMOVED, tool, before=tool.raw)
    for place, tool in enumerate(added):
        if place not in renames:
            yield _added(tool)
            continue
        former = gone[renames[place]]
        yield Change(ChangeKind.TOOL_RENAMED, tool.label, "/name", before=former.label, after=tool.label)
        yield from compare_definition(former, tool)


def _added(tool: ToolDefinition) -> Change:
    loud = has_trigger(f"{tool.name or ''} {tool.description or ''}")
    return _whole(ChangeKind.TOOL_ADDED, tool, after=tool.raw, variant="trigger" if loud else None)


def _whole(
    kind: ChangeKind,
    tool: ToolDefinition,
    before: Json = None,
    after: Json = None,
    variant: str | None = None,
) -> Change:
    return Change(kind, tool.label, "", variant, cut_value(before), cut_value(after))


def _deep(tool: ToolDefinition) -> bool:
    return depth(tool.raw, DEPTH_BOUND) > DEPTH_BOUND


def _member_changes(tool: str, key: str, was: Json, now: Json) -> Iterator[Change]:
    pointer = f"/{escape(key)}"
    match key:
        case "description":
            yield _text_change(ChangeKind.DESCRIPTION, tool, pointer, was, now)
        case "title":
            yield _text_change(ChangeKind.TITLE, tool, pointer, was, now)
        case "annotations":
            yield from _annotation_changes(tool, was, now)
        case "inputSchema":
            yield from (_schema_change(tool, pointer, one) for one in _or_whole(was, now))
        case "outputSchema":
            yield from (_output_change(tool, pointer, one) for one in _or_whole(was, now))
        case "_meta":
            yield Change(ChangeKind.META, tool, pointer, None, cut_value(was), cut_value(now))
        case _:
            yield Change(ChangeKind.DEFINITION, tool, pointer, None, cut_value(was), cut_value(now))


def _or_whole(was: Json, now: Json) -> Iterator[SchemaChange]:
    """Yield the changes of a schema; where none can be named though the bytes differ, that it changed."""
    found = list(schema_changes(was, now))
    yield from found or [SchemaChange(ChangeKind.SCHEMA, "", was, now)]


def _schema_change(tool: str, pointer: str, one: SchemaChange) -> Change:
    where = pointer + one.pointer
    if one.kind is ChangeKind.SCHEMA_TEXT:
        return _text_change(one.kind, tool, where, one.before, one.after)
    return Change(one.kind, tool, where, None, cut_value(one.before), cut_value(one.after))


def _output_change(tool: str, pointer: str, one: SchemaChange) -> Change:
    if one.kind is ChangeKind.SCHEMA_TEXT:
        return _schema_change(tool, pointer, one)
    where = pointer + one.pointer
    return Change(ChangeKind.OUTPUT_SCHEMA, tool, where, None, cut_value(one.before), cut_value(one.after))


def _text_change(kind: ChangeKind, tool: str | None, pointer: str, was: Json, now: Json) -> Change:
    excerpt: str | None
    texts = [each for each in (was, now) if isinstance(each, str)]
    if len(texts) == 2:
        variant = "quiet" if is_quiet(texts[0], texts[1]) else None
        excerpt = change_excerpt(texts[0], texts[1])
    elif isinstance(was, str) and now is None:
        variant, excerpt = ("quiet" if is_quiet(was, "") else None), ""
    else:
        variant, excerpt = None, change_excerpt("", now) if isinstance(now, str) else None
    return Change(kind, tool, pointer, variant, cut_value(was), cut_value(now), excerpt)


def _annotation_changes(tool: str, was: Json, now: Json) -> Iterator[Change]:
    """Compare annotations by what a host would read: hints by truthiness, absent ones by their default."""
    old, new = (each if isinstance(each, dict) else {} for each in (was, now))
    if not isinstance(was, dict | None) or not isinstance(now, dict | None) or (not old and not new):
        yield Change(ChangeKind.ANNOTATIONS, tool, "/annotations", None, cut_value(was), cut_value(now))
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if (key in old) == (key in new) and canonical_json(before) == canonical_json(after):
            continue
        variant = "title" if key == "title" else _hint_variant(key, before, after)
        pointer = f"/annotations/{escape(key)}"
        yield Change(ChangeKind.ANNOTATIONS, tool, pointer, variant, cut_value(before), cut_value(after))


def _hint_variant(key: str, before: Json, after: Json) -> str | None:
    if key not in _DEFAULT_HINTS:
        return None
    old, new = (_truthy(each, default=_DEFAULT_HINTS[key]) for each in (before, after))
    if old == new:
        return None
    return "safer" if new is (key in _SAFE_WHEN_TRUE) else "flipped"


def _truthy(value: Json, *, default: bool) -> bool:
    """Read a hint as a JavaScript host does: null is absent, empty text and 0 are false, the rest true."""
    if value is None:
        return default
    if isinstance(value, float) and isnan(value):
        return False
    return True if isinstance(value, list | dict) else bool(value)
