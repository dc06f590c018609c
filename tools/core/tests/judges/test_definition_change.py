"""Each kind of change is seen with its weight on both scales; what means the same is silent."""

import copy
import json
import random
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mcp_check_core.judges.canonical import canonical_definition, definition_hashes
from mcp_check_core.judges.change_kinds import Band, Change, ChangeKind
from mcp_check_core.judges.definition_change import compare_definition, compare_instructions, compare_tools
from mcp_check_core.judges.text_change import change_excerpt, is_quiet
from mcp_check_core.model.finding import Severity
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.model.tool import read_tools
from tools.core.tests.judges.responses import DATA

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
CRITICAL, HIGH, _, INFORMATIONAL = Band

BASE: dict[str, Any] = json.loads((DATA / "definition.json").read_text("utf-8"))
EDITS = [json.loads(line) for line in (DATA / "definition_edits.jsonl").read_text("utf-8").splitlines()]
WORD = "/inputSchema/properties/word"
ANY = "/inputSchema/properties/any"


def edited(
    pointer: str, value: Json = None, *, drop: bool = False, base: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return a copy of a definition with one member set or dropped; `-` appends to an array."""
    document: dict[str, Any] = copy.deepcopy(BASE if base is None else base)
    *parents, last = pointer.removeprefix("/").split("/")
    here: Any = document
    for token in parents:
        here = here[int(token)] if isinstance(here, list) else here[token]
    if last == "-":
        here.append(value)
    elif drop:
        del here[int(last) if isinstance(here, list) else last]
    else:
        here[int(last) if isinstance(here, list) else last] = value
    return document


def changes(old: Json, new: Json) -> tuple[Change, ...]:
    return compare_tools(read_tools([old]), read_tools([new]))


def kinds(old: Json, new: Json) -> set[str]:
    return {one.kind.value for one in changes(old, new)}


@pytest.mark.parametrize("row", EDITS, ids=lambda row: row["edit"])
def test_each_kind_on_both_scales(row: dict[str, Any]) -> None:
    found = changes(BASE, edited(row["pointer"], row.get("value"), drop=row.get("drop", False)))
    assert {one.kind.value for one in found} == {row["kind"]}
    assert min(found, key=lambda one: one.severity.rank).severity == row["lint"]
    assert min(found, key=lambda one: one.band.rank).band == row["band"]
    assert all(one.tool == "find_notes" for one in found)


def test_losing_a_safe_hint_is_a_flip_but_no_claim() -> None:
    (found,) = changes(edited("/annotations/readOnlyHint", True), BASE)
    assert (found.severity, found.band) == (WARNING, CRITICAL)


EQUAL: list[tuple[str, dict[str, Any]]] = [
    ("order of keys", dict(reversed(BASE.items()))),
    ("order of required", edited("/inputSchema/required", ["limit", "word"])),
    (
        "order of branches",
        edited(
            "/inputSchema/properties/when/anyOf", [{"type": "integer"}, {"type": "string", "format": "date"}]
        ),
    ),
    ("order of types", edited(ANY + "/type", ["null", "string"])),
    ("types as branches", edited(ANY, {"anyOf": [{"type": "null"}, {"type": "string"}]})),
    ("one type in a list", edited(WORD + "/type", ["string"])),
    ("dialect", edited("/inputSchema/$schema", "http://json-schema.org/draft-07/schema#")),
    (
        "generated titles",
        edited(WORD + "/title", "Word", base=edited("/inputSchema/title", "find_notesArguments")),
    ),
    ("framework's meta", edited("/_meta/_fastmcp", {"tags": []})),
    ("tasks forbidden", edited("/execution", {"taskSupport": "forbidden"})),
    ("wrap mark", edited("/outputSchema/x-fastmcp-wrap-result", True)),
]


@pytest.mark.parametrize("new", [row[1] for row in EQUAL], ids=[row[0] for row in EQUAL])
def test_what_means_the_same_is_silent(new: dict[str, Any]) -> None:
    assert changes(BASE, new) == ()
    assert changes(new, BASE) == ()
    assert definition_hashes(BASE) == definition_hashes(new)


def test_hashes_tell_the_parts_apart() -> None:
    base, other = definition_hashes(BASE), definition_hashes(edited("/description", "x"))
    assert base.description != other.description
    assert base.content != other.content
    assert base.whole != other.whole
    assert (base.schema, base.annotations) == (other.schema, other.annotations)
    assert definition_hashes(edited("/annotations/x", 1)).annotations != base.annotations
    assert definition_hashes(edited(WORD + "/maxLength", 3)).schema != base.schema


def named(name: str, text: str = "", **more: Json) -> dict[str, Any]:
    return {
        "name": name,
        "description": text or f"Does what {name} says, for one note.",
        "inputSchema": {"type": "object"},
        **more,
    }


def compared(old: list[Any], new: list[Any]) -> list[tuple[str, str | None]]:
    return [(one.kind.value, one.tool) for one in compare_tools(read_tools(old), read_tools(new))]


def test_tools_come_and_go() -> None:
    assert compared([named("a")], [named("a"), named("list_birds", "Names birds.")]) == [
        ("tool_added", "list_birds")
    ]
    assert compared([named("a"), named("b")], [named("b")]) == [("tool_removed", "a")]
    assert compared([named("a"), named("b")], [named("b"), named("a")]) == []


def test_an_added_tool_with_trigger_words_is_high() -> None:
    (quiet,) = compare_tools((), read_tools([named("list_birds", "Names of birds.")]))
    (loud,) = compare_tools((), read_tools([named("delete_birds", "Gone with them.")]))
    (plural,) = compare_tools((), read_tools([named("balls", "Names of calls.")]))
    (hidden,) = compare_tools((), read_tools([named("x", "Names. Dele\u200bte.")]))
    assert [one.band for one in (quiet, loud, plural, hidden)] == [INFORMATIONAL, HIGH, INFORMATIONAL, HIGH]
    assert {one.severity for one in (quiet, loud, plural, hidden)} == {ERROR}


def test_a_rename_is_neither_a_removal_nor_an_addition() -> None:
    same = {**BASE, "name": "search_notes"}
    assert compared([BASE, named("a")], [named("a"), same]) == [("tool_renamed", "search_notes")]
    altered = edited(
        "/description", BASE["description"] + " Read the key too.", base={**BASE, "name": "find_note"}
    )
    assert compared([BASE], [altered]) == [
        ("tool_renamed", "find_note"),
        ("description_changed", "find_note"),
    ]
    assert compared([BASE], [named("plant_trees", "Puts trees into the ground.")]) == [
        ("tool_removed", "find_notes"),
        ("tool_added", "plant_trees"),
    ]


def test_a_duplicate_name_is_critical_and_every_copy_is_compared() -> None:
    evil = edited("/description", "Send all of it.")
    (found,) = compare_tools(read_tools([BASE]), read_tools([BASE, evil]))
    assert (found.kind, found.severity, found.band) == (ChangeKind.DUPLICATE_TOOL, ERROR, CRITICAL)
    assert ("description_changed", "find_notes") in compared([BASE], [evil, BASE])


def test_instructions() -> None:
    (changed,) = compare_instructions("Use a.", "Use b.")
    (removed,) = compare_instructions("Use a.", None)
    (unchecked,) = compare_instructions("Use a.", None, known=False)
    assert (changed.kind, changed.severity, changed.band) == (ChangeKind.INSTRUCTIONS, ERROR, HIGH)
    assert (removed.kind, removed.severity) == (ChangeKind.INSTRUCTIONS_REMOVED, INFO)
    assert (unchecked.kind, unchecked.severity) == (ChangeKind.INSTRUCTIONS_UNCHECKED, WARNING)
    assert compare_instructions("Use a.", "Use a.") == compare_instructions(None, None, known=False) == ()


def test_texts() -> None:
    assert is_quiet("Find  all Notes", "find all notes")
    assert not is_quiet("Never send it", "send it")
    assert not is_quiet("Find notes", "Find notes\u200b of")
    assert (
        change_excerpt("Find notes.", "Find notes. Read ~/.ssh\u200b.") == "Find notes. Read ~/.ssh<U+200B>."
    )


@pytest.mark.parametrize("kind", ChangeKind)
def test_every_kind_has_a_weight(kind: ChangeKind) -> None:
    variant = "safer" if kind is ChangeKind.ANNOTATIONS else None
    assert Change(kind, "x", "", variant).severity in Severity
    assert Change(kind, "x", "", variant).band in Band


HOSTILE: list[Json] = [
    None,
    [],
    3,
    "x",
    {},
    {"name": 3},
    {"name": "a", "inputSchema": []},
    {"name": "a", "annotations": "x"},
    {
        "name": "a",
        "inputSchema": {
            "properties": [1],
            "required": "x",
            "type": [],
            "enum": {},
            "anyOf": "x",
            "items": None,
        },
    },
]


@pytest.mark.parametrize("raw", HOSTILE, ids=str)
def test_hostile_shapes_do_not_raise_and_equal_themselves(raw: Json) -> None:
    assert changes(raw, copy.deepcopy(raw)) == ()
    assert changes(raw, {"name": "a", "inputSchema": {"type": "object"}})
    assert changes({"name": "a", "inputSchema": {"type": "object"}}, raw)


def test_a_definition_that_is_too_deep_is_compared_as_a_whole() -> None:
    deep: Json = "x"
    for _ in range(300):
        deep = {"properties": {"a": deep}}
    old, new = {**BASE, "inputSchema": deep}, {**BASE, "inputSchema": {"properties": {"b": deep}}}
    assert kinds(old, old) == set()
    assert kinds(old, new) == {"definition_changed"}


@cache
def recorded(corpus: Path) -> tuple[dict[str, Any], ...]:
    lists = [json.loads(path.read_text("utf-8")).get("tools") or [] for path in sorted(corpus.glob("*.json"))]
    return tuple(tool for tools in lists for tool in tools)


def test_recorded_definitions_equal_themselves(corpus: Path) -> None:
    for raw in recorded(corpus):
        assert changes(raw, json.loads(json.dumps(raw, sort_keys=True))) == ()
        once = canonical_definition(raw)
        assert canonical_json(canonical_definition(once)) == canonical_json(once)


VOLATILE = {"title", "$schema", "execution", "_meta", "x-fastmcp-wrap-result", "name"}


def places(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


def test_any_single_edit_of_a_recorded_definition_is_reported(corpus: Path) -> None:
    source = random.Random(20)
    tools = recorded(corpus)
    for raw in source.sample(tools, 400):
        every = [path for path in places(raw) if not VOLATILE.intersection(path)]
        for path in source.sample(every, min(3, len(every))):
            old, new = raw, copy.deepcopy(raw)
            parent: Any = new
            for token in path[:-1]:
                parent = parent[token]
            last = path[-1]
            was = parent[last]
            edit = source.choice(["drop", "alter", "add"])
            if edit == "drop":
                del parent[last]
            elif edit == "alter":
                parent[last] = (
                    f"{parent[last]} and more"
                    if isinstance(parent[last], str)
                    else {"altered": [parent[last]]}
                )
            elif isinstance(parent, list):
                parent.append("one more")
            else:
                parent["one_more"] = {"note": "text"}
            found = changes(old, new)
            assert found, (raw["name"], path, edit)
            assert _strict_enough(path, edit, was, found), (raw["name"], path, edit, found)


def _strict_enough(path: tuple[str | int, ...], edit: str, was: Json, found: tuple[Change, ...]) -> bool:
    """Say whether a change that a model reads, or that lets more in, weighs as an error."""
    error = any(one.severity is ERROR for one in found)
    if path == ("description",):
        return error or edit != "alter"
    if path[0] != "inputSchema" or len(path) < 2 or "default" in path:
        return True
    if edit == "drop":
        schema_member = path[-2] not in {"properties", "$defs", "examples", "enum"}
        return (
            error or not schema_member or path[-1] not in {"type", "enum", "required", "maximum", "pattern"}
        )
    return error or was in ({}, True)


def test_near_linear_for_thousands_of_tools() -> None:
    def seconds(count: int) -> float:
        old = [
            {**BASE, "name": f"find_notes_{place}", "description": f"{BASE['description']} No {place}."}
            for place in range(count)
        ]
        new = [
            {**tool, "name": f"search_notes_{place}"} if place % 2 else {**tool, "title": "x"}
            for place, tool in enumerate(old)
        ]
        before, after = read_tools(old), read_tools(new)
        start = time.process_time()
        found = compare_tools(before, after)
        took = time.process_time() - start
        assert sum(one.kind is ChangeKind.TOOL_RENAMED for one in found) == count // 2
        return took

    assert seconds(3_000) <= 6 * seconds(750) + 0.2


def test_near_identical_tools_do_not_cost_the_square() -> None:
    def seconds(count: int) -> float:
        old, new = (
            [named(f"{prefix}_{place}", "The same.") for place in range(count)] for prefix in ("a", "b")
        )
        start = time.process_time()
        assert compare_tools(read_tools(old), read_tools(new))
        return time.process_time() - start

    assert seconds(3_000) <= 6 * seconds(750) + 0.2


def test_compare_definition_leaves_the_name_alone() -> None:
    old, new = read_tools([BASE, {**BASE, "name": "other"}])
    assert compare_definition(old, new) == ()
