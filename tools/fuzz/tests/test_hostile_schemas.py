"""No schema makes the generator raise, loop, or take more than a bounded time and memory."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.model.tool import read_tools
from mcp_fuzz.facts.case import Phase
from mcp_fuzz.inputs.cases import ToolCases, tool_cases
from mcp_fuzz.options import Depth

BOUND_S = 3.0


def taking(schema: object, **beside: object) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "required": ["x"], **beside}


def nested(levels: int, keyword: str) -> object:
    schema: object = {"type": "string"}
    for _ in range(levels):
        schema = taking(schema) if keyword == "properties" else {keyword: [schema]}
    return schema


def lists(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


A = {"$ref": "#/$defs/A"}
LONG = "n" * 100_000
WIDE = {f"p{number}": taking(taking({"type": "string"})) for number in range(2_000)}
BOMBS: dict[str, Any] = {
    "min length": taking({"type": "string", "minLength": 300_000_000}),
    "min items": taking({"type": "array", "minItems": 30_000_000}),
    "min properties": taking({"type": "object", "minProperties": 30_000_000}),
    "enum an object": taking({"enum": {"a": 1}}),
    "enum empty": taking({"enum": []}),
    "enum of a million": taking({"enum": list(range(1_000_000))}),
    "type empty": taking({"type": []}),
    "type a number": taking({"type": 7}),
    "anyOf a text": taking({"anyOf": ["str"]}),
    "anyOf empty": taking({"anyOf": []}),
    "false": taking(False),
    "schema false": False,
    "schema null": None,
    "schema text": "object",
    "schema list": [],
    "properties a list": {"type": "object", "properties": [1], "required": ["x"]},
    "required a text": {"type": "object", "properties": {"x": {}}, "required": "x"},
    "required of a million": {"type": "object", "required": [str(number) for number in range(1_000_000)]},
    "self": taking({"$ref": "#"}),
    "two selves": {
        "type": "object",
        "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}},
        "required": ["a", "b"],
    },
    "optional selves": {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}},
    "self in anyOf": taking(
        {"$ref": "#/$defs/A"}, **{"$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}] * 5}}}
    ),
    "self in allOf": taking(
        {"$ref": "#/$defs/A"}, **{"$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}] * 5}}}
    ),
    "reference loop": taking(A, **{"$defs": {"A": {"$ref": "#/$defs/B"}, "B": A}}),
    "remote": taking({"$ref": "http://127.0.0.1:9/schema.json"}),
    "reference a number": taking({"$ref": 5}),
    "pattern that backtracks": taking({"type": "string", "pattern": "^(a+)+$", "minLength": 5_000}),
    "pattern broken": taking({"type": "string", "pattern": "((("}),
    "3,000 levels": nested(3_000, "properties"),
    "3,000 anyOf": taking(nested(3_000, "anyOf")),
    "3,000 allOf": taking(nested(3_000, "allOf")),
    "default of 3,000 levels": taking({"default": lists(3_000)}),
    "default of 5 MB": taking({"default": "x" * 5_000_000}),
    "bounds crossed": taking({"type": "integer", "minimum": 10, "maximum": -10}),
    "bounds beyond numbers": taking({"type": "number", "minimum": 1e308, "multipleOf": 1e-300}),
    "huge integer": taking({"type": "integer", "minimum": 10**400}),
    "not a number": taking({"type": "number", "minimum": float("nan"), "multipleOf": float("nan")}),
    "infinite": taking({"type": "integer", "minimum": float("inf")}),
    "multiple of zero": taking({"type": "integer", "multipleOf": 0}),
    "wide and deep": {"type": "object", "properties": WIDE},
    "name of 100 kB": {"type": "object", "properties": {LONG: {"type": "string"}}, "required": [LONG]},
    "surrogate": taking({"const": "\ud800"}),
}


def bounded(schema: Json, depth: Depth = Depth.DEEP) -> ToolCases:
    (definition,) = read_tools([{"name": "bomb", "inputSchema": schema}])
    began = time.process_time()
    plan = tool_cases(definition, seed=0, depth=depth)
    assert time.process_time() - began < BOUND_S
    for case in plan.cases:
        assert len(canonical_json(dict(case.arguments))) < 2_000_000
    return plan


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_bounded(name: str) -> None:
    plan = bounded(BOMBS[name])
    assert plan.cases or plan.left_out


@pytest.mark.parametrize(
    "name",
    [
        "min length",
        "min items",
        "min properties",
        "enum an object",
        "type empty",
        "self",
        "remote",
        "3,000 levels",
    ],
)
def test_what_cannot_be_made_is_named(name: str) -> None:
    plan = bounded(BOMBS[name])
    assert [case for case in plan.cases if case.phase is Phase.VALID] == []
    assert all(item.reason for item in plan.left_out)
    assert plan.left_out[0].cases == "valid minimal"


KEYWORDS = (
    *("type", "properties", "required", "items", "enum", "const", "default", "examples", "anyOf", "oneOf"),
    *("allOf", "$ref", "$defs", "minimum", "maximum", "multipleOf", "minLength", "maxLength", "pattern"),
    *(
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "additionalProperties",
        "prefixItems",
        "format",
    ),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(
        ["string", "integer", "object", "array", "#", "#/$defs/a", "#/properties/a", "^a+$", "date"]
    ),
)
SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from([*KEYWORDS, "a", "b"]), inner, max_size=5),
    ),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(schema=SCHEMAS)
def test_any_json_as_schema(schema: Json) -> None:
    bounded(schema)
    bounded({"type": "object", "properties": {"a": schema, "b": schema}, "required": ["a"]}, Depth.NORMAL)
