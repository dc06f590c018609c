"""S9: everything that a strict client cannot load, and what it loads though it looks odd."""

import pytest

from mcp_check_core.model.json_value import Json
from mcp_lint.facts.definitions import Listed, make_definitions
from mcp_lint.rules.loading.rule import BLAST_RADIUS, LoadingFault
from mcp_lint.rules.s9_loading import JUDGED as S9
from tools.lint.tests.built import definitions, found, schema, tool, without

DEEP: Json = {"type": "object"}
for _ in range(70):
    DEEP = {"type": "object", "properties": {"next": DEEP}}


def kinds(*tools: Json, protocol: str | None = None) -> list[str | None]:
    return [one.kind for one in found(S9, definitions(*tools, protocol=protocol))]


def typed(**input_schema: Json) -> dict[str, Json]:
    return tool(inputSchema={"type": "object", **input_schema})


def of(**parameter: Json) -> dict[str, Json]:
    return tool(inputSchema=schema(zone=parameter))


def defined(parameter: Json, shared: Json) -> dict[str, Json]:
    return tool(inputSchema={**schema(zone=parameter), "$defs": shared})


@pytest.mark.parametrize(
    ("definition", "kind"),
    [
        ("get_time", "entry"),
        (None, "entry"),
        (tool(inputSchema=DEEP), "too-deep"),
        (without(tool(), "name"), "name-missing"),
        (tool(""), "name-missing"),
        (tool(7), "name-missing"),
        (tool("a" * 129), "name-length"),
        (tool("get time"), "name-characters"),
        (tool("größe"), "name-characters"),
        (tool(description=None), "member-type"),
        (tool(annotations=[]), "member-type"),
        (tool(title=3), "member-type"),
        (without(tool(), "inputSchema"), "schema-missing"),
        (tool(inputSchema=None), "schema-not-object"),
        (tool(inputSchema=True), "schema-not-object"),
        (tool(outputSchema=[]), "schema-not-object"),
        (tool(inputSchema={}), "root-type"),
        (tool(inputSchema={"anyOf": [{"type": "object"}]}), "root-type"),
        (tool(outputSchema={"type": "array"}), "root-type"),
        (typed(properties=[]), "schema-invalid"),
        (typed(required="zone"), "schema-invalid"),
        (of(type="text"), "schema-invalid"),
        (of(type="number", exclusiveMinimum=True), "schema-invalid"),
        (of(**{"$ref": "#/$defs/Missing"}), "unresolved-ref"),
        (of(**{"$ref": "https://example.org/zone.json"}), "remote-ref"),
        (typed(properties={}, required=["zone"]), "required-undeclared"),
        (typed(required=["zone"]), "required-undeclared"),
        (of(type="string", default=None), "null-default"),
        (of(enum=["a"], default=None), "null-default"),
        (of(type="string", default=5), "default-invalid"),
        (of(type="integer", maximum=5, default=10), "default-invalid"),
        (
            of(type="array", items={"type": "object", "properties": {"a": {"type": "string", "default": 1}}}),
            "default-invalid",
        ),
    ],
)
def test_a_definition_that_does_not_load(definition: Json, kind: str) -> None:
    assert kinds(tool("other"), definition) == [kind]


@pytest.mark.parametrize(
    "definition",
    [
        tool("a" * 128),
        tool("get.time-2_x"),
        typed(),
        typed(properties={}, additionalProperties=False),
        typed(required=["zone"], anyOf=[{"properties": {"zone": {"type": "string"}}}]),
        typed(required=["zone"], patternProperties={"^z": {}}),
        of(type=["string", "null"], default=None),
        of(anyOf=[{"type": "string"}, {"type": "null"}], default=None),
        of(default=None),
        of(type="string", pattern="^(?!x)", default="y"),
        of(type="number", default=5),
        of(**{"$ref": "#"}),
        of(**{"$ref": "https://json-schema.org/draft/2020-12/schema"}),
        of(const={"$ref": "#/nowhere"}),
        defined({"$ref": "#zone"}, {"zone": {"$anchor": "zone"}}),
        defined({"$ref": "#/$defs/a~1b"}, {"a/b": {"type": "string"}}),
        tool(
            inputSchema={
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "definitions": {},
            }
        ),
        tool(outputSchema={"type": "object", "properties": {"zone": {"type": "string", "default": None}}}),
        tool(title="Time", annotations={}, icons=[], execution={}, _meta={}),
    ],
)
def test_a_definition_that_loads(definition: Json) -> None:
    assert kinds(tool("other"), definition) == []


def test_a_remote_reference_is_a_warning_and_all_else_an_error() -> None:
    remote, missing = (
        found(S9, definitions(of(**{"$ref": target})))[0] for target in ("https://example.org/z", "#/$defs/Z")
    )
    assert (remote.severity.value, missing.severity.value) == ("warning", "error")


@pytest.mark.parametrize(
    ("protocol", "root", "name"),
    [
        ("2024-11-05", ["root-type"], []),
        ("2025-11-25", ["root-type"], ["name-characters"]),
        (None, ["root-type"], ["name-characters"]),
        ("2026-07-28", [], ["name-characters"]),
    ],
)
def test_what_depends_on_the_revision(protocol: str | None, root: list[str], name: list[str]) -> None:
    assert kinds(tool(inputSchema={"anyOf": [{"type": "object"}]}), protocol=protocol) == root
    assert kinds(tool("get time"), protocol=protocol) == name


def test_before_there_was_a_default_dialect_a_schema_may_be_of_draft_07() -> None:
    array_form = typed(properties={"pair": {"type": "array", "items": [{"type": "string"}]}})
    assert kinds(array_form, protocol="2024-11-05") == []
    assert kinds(array_form, protocol="2025-11-25") == ["schema-invalid"]
    assert kinds(typed(properties=[]), protocol="2024-11-05") == ["schema-invalid"]


@pytest.mark.parametrize(
    ("names", "count"),
    [
        (("a", "a"), 1),
        (("a", "A"), 1),
        (("straße", "STRASSE"), 1),
        (("a", "b"), 0),
        (("a", "a", "b", "B"), 2),
    ],
)
def test_names_that_are_doubled(names: tuple[str, ...], count: int) -> None:
    facts = definitions(*map(tool, names), protocol="2024-11-05")
    assert [one.kind for one in found(S9, facts)] == ["name-duplicate"] * count


def test_a_deep_definition_is_seen_by_no_other_rule() -> None:
    facts = definitions(tool("deep", inputSchema=DEEP), tool("flat"))
    assert [one.label for one in facts.tools] == ["flat"]
    assert facts.deep == ("deep",)


def test_a_list_that_cannot_be_read_is_an_error_unless_a_limit_of_ours_cut_it() -> None:
    cut = Listed((tool(),), "its cursor repeats after 2 pages", whole=False)
    ours = Listed((tool(),), "it has more pages than are read", whole=False, ours=True)
    assert [one.kind for one in found(S9, make_definitions(cut))] == ["list"]
    assert found(S9, make_definitions(ours)) == []


def test_each_finding_says_how_far_the_damage_reaches() -> None:
    assert set(BLAST_RADIUS) == set(LoadingFault)
    (one,) = found(S9, definitions(tool(inputSchema={})))
    assert one.evidence["reach"] == BLAST_RADIUS[LoadingFault.ROOT_TYPE]


def test_a_null_default_is_the_fault_that_other_rules_know() -> None:
    (one,) = found(S9, definitions(of(type="string", default=None)))
    assert (one.defect, one.location.parameter) == ("null-default", "zone")
    assert one.location.pointer == "/inputSchema/properties/zone/default"
