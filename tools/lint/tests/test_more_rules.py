"""Rules on pairs, names, clients, scope and claims, on definitions built by hand."""

import json
import time
from pathlib import Path

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import ServerIdentity
from mcp_lint.facts.clients import client_facts
from mcp_lint.facts.definitions import Listed, make_definitions
from mcp_lint.rules.s4_confusable import JUDGED as S4
from mcp_lint.rules.s5_naming import JUDGED as S5
from mcp_lint.rules.s10_portability import JUDGED as S10
from mcp_lint.rules.s12_scope import JUDGED as S12
from mcp_lint.rules.s13_contradiction import JUDGED as S13
from tools.lint.tests.built import DESCRIPTION, definitions, found, schema, told, tool

PATH: dict[str, Json] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}
TEXT: Json = "Read the whole file as text, in UTF-8."
UNREAD: Json = {**PATH, "required": ["path", "key"]}
OTHER_TYPE: Json = {**PATH, "properties": {"path": {"type": "object"}}}
REFERRING: Json = {**schema(zone={"$ref": "#/$defs/Z"}), "$defs": {"Z": {"type": "string"}}}
DIALECT: Json = {**schema(), "$schema": "https://json-schema.org/draft/2020-12/schema"}


def pair(one: str, other: str, **over: Json) -> list[str]:
    """Give the tools of a pair that S4 reports; their texts are the same but for `over` on the second."""
    first = tool(one, description="Read the whole file as text.", inputSchema=PATH)
    second = tool(
        other, **{"description": "Read the whole file as text, in UTF-8.", "inputSchema": PATH, **over}
    )
    findings = found(S4, definitions(first, second))
    return [str(name) for one in findings for name in (one.location.tool, one.evidence["tools"])]


@pytest.mark.parametrize(
    ("one", "other", "over", "fires"),
    [
        ("read_file", "read_text_file", {}, True),
        ("get_file", "read_file", {}, True),
        ("read_file", "delete_file", {}, False),
        ("write_file", "read_file", {}, False),
        ("read_file", "read_text_file", {"inputSchema": schema(url={"type": "string"})}, False),
        ("read_file", "read_text_file", {"inputSchema": UNREAD}, False),
        (
            "read_file",
            "read_text_file",
            {"inputSchema": OTHER_TYPE},
            False,
        ),
        ("read_file", "ring_bell", {"description": "Ring the bell of the tower at noon."}, False),
        ("km_to_miles", "miles_to_km", {}, False),
    ],
)
def test_confusable_pairs(one: str, other: str, over: dict[str, Json], fires: bool) -> None:
    first, second = sorted((one, other))
    assert pair(one, other, **over) == ([first, str([first, second])] if fires else [])


def test_tools_that_say_what_the_other_does_not_speak_of_are_told_apart() -> None:
    names = ("read_plugin_status", "read_theme_status")
    texts = ("Show the status of a plugin of the site.", "Show the status of a theme of the site.")
    tools = [tool(name, description=text, inputSchema=PATH) for name, text in zip(names, texts, strict=True)]
    assert found(S4, definitions(*tools)) == []
    silent = [
        tool(name, description="Show the status of it on the site.", inputSchema=PATH) for name in names
    ]
    assert len(found(S4, definitions(*silent))) == 1


def test_values_that_exclude_each_other_tell_tools_apart() -> None:
    def kind(value: str) -> dict[str, Json]:
        return {"type": "object", "properties": {"kind": {"const": value}}, "required": ["kind"]}

    tools = [tool("read_file", inputSchema=kind("a")), tool("read_text_file", inputSchema=kind("b"))]
    assert found(S4, definitions(*tools)) == []


def numbered(count: int, text: str) -> list[Json]:
    words = ["clock", "tower", "bell", "hand", "weight", "cord", "nail", "wall", "number", "face"]
    return [
        tool(
            f"get_{words[number % 10]}_{words[number // 10 % 10]}_{number}",
            description=text.format(number=number, word=words[number % 7]),
            inputSchema=PATH,
        )
        for number in range(count)
    ]


def test_many_tools_take_no_long_time_and_hide_no_pair() -> None:
    facts = definitions(*numbered(3_000, "Show the same clock of the same wall, with all that hangs on it."))
    began = time.process_time()
    assert len(found(S4, facts)) > 3_000
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["wall_a", "wall_b", "wall_c", "wall_d", "reset"], [("reset", "unprefixed", "warning")]),
        (["wall_a", "wall_b", "wall_c", "wall_d", "wall_e"], []),
        (["wall_a", "wall_b", "wall_c", "reset", "ring"], [(None, "no-prefix", "info")]),
        (["get", "set", "ring", "stop", "start"], [(None, "no-prefix", "info")]),
        (["get", "set", "ring", "stop"], []),
        (["get_a", "set_b", "ringC"], [(None, "mixed-styles", "info")]),
        (["get-a", "set-b", "ring"], []),
    ],
)
def test_names(names: list[str], wanted: list[tuple[str | None, str, str]]) -> None:
    assert told(found(S5, definitions(*map(tool, names)))) == wanted


@pytest.mark.parametrize(
    ("definition", "kind"),
    [
        (tool("get.time"), "name-characters"),
        (tool("a" * 64), "name-length"),
        (tool(inputSchema=schema(zone={"type": ["string", "null"]})), "union-type"),
        (tool(inputSchema=schema(zone=True)), "boolean-schema"),
        (tool(inputSchema=schema(zone={"description": "A zone."})), "untyped"),
        (
            tool(inputSchema=REFERRING),
            "reference",
        ),
        (
            tool(inputSchema=DIALECT),
            "dialect",
        ),
    ],
)
def test_what_single_clients_refuse(definition: Json, kind: str) -> None:
    assert kind in {one.kind for one in found(S10, definitions(definition))}
    assert found(S10, definitions(tool())) == []


def test_the_client_s_prefix_counts() -> None:
    named = make_definitions(Listed((tool("a" * 45),)), server=ServerIdentity("b" * 20))
    (one,) = found(S10, named)
    assert (one.kind, one.evidence["clients"]) == ("name-length", ["Claude Code"])
    assert "has 72 characters" in one.message


def test_the_number_of_tools() -> None:
    assert told(found(S10, definitions(*(tool(f"t{number}") for number in range(101))))) == [
        (None, "tool-count", "info")
    ]
    assert found(S10, definitions(*(tool(f"t{number}") for number in range(100)))) == []


def test_alternatives_at_the_root_are_legal_in_the_modern_era_alone() -> None:
    definition = tool(inputSchema={"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})
    assert [one.kind for one in found(S10, definitions(definition, protocol="2026-07-28"))] == ["root-union"]
    assert found(S10, definitions(definition, protocol="2025-11-25")) == []


def test_each_fact_on_a_client_has_a_source_and_a_date() -> None:
    assert all(fact.source and fact.clients and len(fact.seen) == 10 for fact in client_facts())


@pytest.mark.parametrize(
    ("name", "description", "kind"),
    [
        ("delete_clock", "Delete clocks.", "no-boundary"),
        ("delete_clock", "Delete one clock.", None),
        ("delete_clock", "Delete clocks. It cannot be undone.", None),
        ("delete_file", "Delete any file on the host, only if asked.", "unbounded"),
        ("get_clock", "Get clocks.", None),
        ("delete_clock", None, None),
    ],
)
def test_scope(name: str, description: Json, kind: str | None) -> None:
    findings = found(S12, definitions(tool(name, description=description)))
    assert [one.kind for one in findings] == ([kind] if kind else [])


def test_a_boundary_that_siblings_state() -> None:
    within = "Read a file. Only works within allowed directories."
    tools = [tool(f"read_{number}", description=within, inputSchema=PATH) for number in range(3)]
    odd = tool("read_odd", description="Read a file.", inputSchema=PATH)
    assert told(found(S12, definitions(*tools, odd))) == [("read_odd", "omitted", "info")]
    assert found(S12, definitions(*tools[:2], odd)) == []


@pytest.mark.parametrize(
    ("parameter", "kind"),
    [
        ({"type": "integer", "default": 20, "description": "Defaults to 10."}, "default"),
        ({"type": "integer", "default": 10, "description": "Defaults to 10."}, None),
        ({"type": "integer", "default": 10, "description": "Defaults to all."}, None),
        ({"type": "boolean", "default": True, "description": "Default: false"}, "default"),
        ({"type": "boolean", "default": True, "description": "Default: true"}, None),
        ({"type": "integer", "maximum": 100, "description": "At most 50."}, "maximum"),
        ({"type": "integer", "maximum": 50, "description": "At most 50."}, None),
        ({"type": "integer", "maximum": 100, "description": "At most 50 words of 5."}, "maximum"),
        ({"type": "string", "maxLength": 100, "description": "At most 50 characters."}, None),
        ({"type": "integer", "minimum": 0, "description": "At least 1."}, "minimum"),
        ({"type": "integer", "minimum": 1, "maximum": 9, "description": "Between 1 and 10"}, "maximum"),
        ({"type": "integer", "maximum": 100, "description": "Up to 50, or up to 100 with a key."}, None),
        ({"type": "integer", "maximum": 100, "description": "At most 50%."}, None),
        ({"type": "integer", "description": "At most 50."}, None),
    ],
)
def test_claims(parameter: Json, kind: str | None) -> None:
    findings = found(S13, definitions(tool(inputSchema=schema(limit=parameter))))
    assert [one.kind for one in findings] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("listed", "unknown"),
    [
        ("Args:\n    zone: The zone.\n    ctx: The context.", ["ctx"]),
        ("Parameters:\n  - `zone` (string): The zone.\n  - `key` (string): A key.", ["key"]),
        ("Args:\n    zone: The zone.\n        more: of it.\n\nReturns:\n    text: The time.", []),
        ("Args:\n    other: Nothing of this tool.", []),
        ("Example:\n    ctx: nothing.", []),
    ],
)
def test_parameters_that_do_not_exist(listed: str, unknown: list[str]) -> None:
    findings = found(S13, definitions(tool(description=f"{DESCRIPTION}\n\n{listed}")))
    assert [one.message.split("'")[1] for one in findings] == unknown


def test_the_official_filesystem_server(corpus: Path) -> None:
    saved = json.loads((corpus / "server-filesystem.json").read_text("utf-8"))
    findings = found(S4, definitions(*saved["tools"]))
    assert [one.evidence["tools"] for one in findings] == [
        ["read_file", "read_media_file"],
        ["read_file", "read_text_file"],
        ["list_directory", "list_directory_with_sizes"],
    ]
