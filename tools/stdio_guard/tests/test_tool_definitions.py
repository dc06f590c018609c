"""Tool definitions, judged on facts."""

import pytest

from mcp_check_core.model.json_value import Json
from mcp_stdio_guard.facts.references import unresolved
from mcp_stdio_guard.rules import tool_listing, tool_schemas
from tools.stdio_guard.tests.built import abstained, findings, listing, run, tool
from tools.stdio_guard.tests.harness import codes


def schema_codes(**over: Json) -> set[tuple[str, str | None, str]]:
    found = findings(tool_schemas.BLOCK, run(lists=[listing({**tool(), **over})]))
    return {(one.rule_id.partition("/")[2], one.kind, one.severity.value) for one in found}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}}},
        {"type": "object", "properties": {"a": {"pattern": "(?=look)ahead"}}},
        {"type": "object", "properties": {"$ref": {"type": "string"}}},
        {"type": "object", "required": ["a"], "allOf": [{"properties": {"a": {}}}]},
    ],
)
def test_good_input_schemas(schema: Json) -> None:
    assert schema_codes(inputSchema=schema) == set()


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        (None, "not-an-object"),
        ([], "not-an-object"),
        ({}, "root-type"),
        ({"type": ["object", "null"]}, "root-type"),
        ({"type": "object", "properties": {"a": {"type": "text"}}}, "dialect"),
        ({"type": "object", "properties": []}, "dialect"),
    ],
)
def test_bad_input_schemas(schema: Json, kind: str) -> None:
    assert schema_codes(inputSchema=schema) == {("tool-input-schema-invalid", kind, "error")}


def test_a_schema_that_cannot_be_judged_is_no_pass() -> None:
    deep: Json = {"type": "object"}
    for _ in range(200):
        deep = {"type": "object", "properties": {"a": deep}}
    unknown: Json = {"$schema": "urn:nobody", "type": "object"}
    for schema in (deep, unknown):
        facts = run(lists=[listing(tool(inputSchema=schema))])
        assert findings(tool_schemas.BLOCK, facts) == []
        assert abstained(tool_schemas.BLOCK, facts)["tool-input-schema-invalid"] is True


@pytest.mark.parametrize(
    ("additional", "severity", "kind"), [(True, "warning", "undescribed"), (False, "error", "unsatisfiable")]
)
def test_required_without_a_description(additional: bool, severity: str, kind: str) -> None:
    schema: Json = {"type": "object", "required": ["a"], "additionalProperties": additional}
    assert schema_codes(inputSchema=schema) == {("tool-input-schema-required-missing", kind, severity)}


ROOT = "https://example.org/root"


@pytest.mark.parametrize(
    ("schema", "missing", "remote"),
    [
        ({"$ref": "#"}, 0, 0),
        ({"$ref": "#/$defs/a", "$defs": {"a": {}}}, 0, 0),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {}}}, 0, 0),
        ({"$ref": "#/$defs/a%20b", "$defs": {"a b": {}}}, 0, 0),
        ({"$ref": "#/$defs/b", "$defs": {"a": {}}}, 1, 0),
        ({"$ref": "#name", "$defs": {"a": {"$anchor": "name"}}}, 0, 0),
        ({"$ref": "#name", "definitions": {"a": {"$id": "#name"}}}, 0, 0),
        ({"$ref": "#name"}, 1, 0),
        ({"allOf": [{"$ref": "#/allOf/1"}, {}]}, 0, 0),
        ({"allOf": [{"$ref": "#/allOf/2"}, {}]}, 1, 0),
        ({"$id": "urn:x:y", "$ref": "#/$defs/a", "$defs": {"a": {}}}, 0, 0),
        ({"$id": ROOT, "$ref": "part", "$defs": {"a": {"$id": "part"}}}, 0, 0),
        ({"$id": ROOT, "$ref": "other"}, 0, 1),
        ({"$ref": "https://example.org/other.json"}, 0, 1),
        ({"$ref": "http://json-schema.org/draft-07/schema#"}, 0, 0),
        ({"$ref": "http://[bad"}, 0, 1),
        ({"default": {"$ref": "#/no"}, "const": {"$ref": "#/no"}}, 0, 0),
        ({"properties": {"default": {"$ref": "#/no"}}}, 1, 0),
        ({"properties": {"$ref": {"type": "string"}}}, 0, 0),
    ],
)
def test_references(schema: Json, missing: int, remote: int) -> None:
    lost, left = unresolved(schema)
    assert (len(lost), len(left)) == (missing, remote)


def test_references_of_a_deep_schema_are_walked_without_recursion() -> None:
    deep: Json = {"$ref": "#/no"}
    for _ in range(5_000):
        deep = {"items": deep}
    lost, _ = unresolved(deep)
    assert [one.target for one in lost] == ["#/no"]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ((tool(),), set()),
        ((tool(), tool("today")), set()),
        ((tool(), tool()), {"tool-name-duplicate"}),
        ((tool("a b"),), {"tool-name-invalid"}),
        ((tool("x" * 129),), {"tool-name-invalid"}),
        ((tool(""),), {"tool-name-invalid"}),
        (({**tool(), "name": 3},), {"tool-name-invalid"}),
        ((tool(description="  "),), {"tool-description-missing"}),
        ((3, tool()), {"tools-list-invalid-result"}),
    ],
)
def test_listing(entries: tuple[Json, ...], expected: set[str]) -> None:
    assert codes(findings(tool_listing.BLOCK, run(lists=[listing(*entries)]))) == expected


def test_without_tools_nothing_is_judged() -> None:
    facts = run(lists=[listing()])
    assert findings(tool_listing.BLOCK, facts) == []
    assert set(abstained(tool_schemas.BLOCK, facts)) == {
        "tool-input-schema-invalid",
        "tool-output-schema-invalid",
        "tool-input-schema-required-missing",
        "tool-schema-unresolved-ref",
    }
