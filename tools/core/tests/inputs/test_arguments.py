"""Arguments keep to their schema by both validators, or there is a reason; one seed makes the same ones."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.inputs.arguments import Made, NotMade
from mcp_check_core.inputs.filling import Fill
from mcp_check_core.judges.schema import Judgement
from mcp_check_core.model.json_value import Json
from tools.core.tests.inputs.schemas import DRAFT_7, DRAFT_2020, made, make, oracle, taking

POINT: Json = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
TREE: Json = {
    "type": "object",
    "properties": {
        "left": {"$ref": "#/$defs/Tree"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    },
}
KEPT: dict[str, Json] = {
    "true": True,
    "empty": {},
    "lengths": {"type": "string", "minLength": 12, "maxLength": 14},
    "max length": {"type": "string", "maxLength": 2},
    "format": {"type": "string", "format": "date-time"},
    "format of a length": {"type": "string", "format": "uri", "minLength": 60},
    "format and pattern": {"type": "string", "format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
    "pattern": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]+$"},
    "pattern of a length": {"type": "string", "pattern": "^[a-z]+$", "minLength": 40, "maxLength": 41},
    "pattern without ends": {"type": "string", "pattern": "[0-9]{3}", "minLength": 10},
    "integers on a multiple": {"type": "integer", "minimum": 1000, "maximum": 1005, "multipleOf": 5},
    "open integers": {"type": "integer", "exclusiveMinimum": 4, "exclusiveMaximum": 6},
    "big integers": {"type": "integer", "minimum": 2**53 + 1},
    "maximum": {"type": "integer", "maximum": -10},
    "open numbers": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001},
    "numbers on a multiple": {"type": "number", "multipleOf": 0.25, "minimum": 20},
    "boolean": {"type": "boolean"},
    "null": {"type": "null"},
    "enum": {"enum": ["a", "b"]},
    "enum of a type": {"type": "integer", "enum": ["a", 3]},
    "const": {"const": {"k": [1]}},
    "types": {"type": ["null", "integer"]},
    "items": {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
    "unique enum": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": True},
    "no items": {"type": "array", "maxItems": 0},
    "first items": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2},
    "only first items": {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
    "contains": {"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 50}},
    "required without a schema": {
        "type": "object",
        "properties": {"k": {"type": "string"}},
        "required": ["k", "u"],
    },
    "min properties": {"type": "object", "minProperties": 3},
    "max properties": {"type": "object", "maxProperties": 1, "properties": {"a": {}, "b": {}}},
    "additional": {"type": "object", "additionalProperties": {"type": "integer"}, "required": ["n"]},
    "names": {"type": "object", "propertyNames": {"pattern": "^[a-z]{5}$"}, "minProperties": 2},
    "names of an enum": {"type": "object", "propertyNames": {"enum": ["a", "b"]}, "minProperties": 2},
    "pattern properties": {
        "type": "object",
        "patternProperties": {"^n_": {"type": "integer"}},
        "required": ["n_a"],
    },
    "dependents": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "dependentRequired": {"a": ["b"], "b": ["c"]},
    },
    "any of": {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 90}]},
    "one of": {"oneOf": [{"type": "string", "minLength": 300_000_000}, {"type": "boolean"}]},
    "one of with a tag": {
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": kind}, "v": {}}, "required": ["v"]}
            for kind in ("a", "b")
        ]
    },
    "all of": {"allOf": [{"type": "integer", "minimum": 5}, {"maximum": 6, "minimum": 6}]},
    "all of any of": {
        "allOf": [{"anyOf": [{"minimum": 5}, {"type": "string"}]}, {"anyOf": [{"type": "string"}]}]
    },
    "all of parts": {
        "allOf": [{"properties": {"a": {"type": "string"}}}, {"required": ["a"]}],
        "type": "object",
    },
    "if": {
        "type": "object",
        "properties": {"kind": {"enum": ["a"]}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"required": ["detail"]},
    },
    "not": {"type": "integer", "not": {"const": 0}},
    "reference": {"$ref": "#/$defs/Point"},
    "reference to itself": {"$ref": "#/$defs/Tree"},
    "no type": {"properties": {"k": {"type": "string"}}, "required": ["k"]},
    "minimum alone": {"minimum": 5},
    "bad default": {"type": "string", "default": 5},
    "bad example": {"type": "integer", "examples": ["a"], "example": 1.5},
}


@pytest.mark.parametrize("fill", list(Fill))
@pytest.mark.parametrize("dialect", [None, DRAFT_7, DRAFT_2020])
@pytest.mark.parametrize("name", KEPT)
def test_arguments_keep_to_the_schema(name: str, dialect: str | None, fill: Fill) -> None:
    whole: dict[str, Any] = {**taking(KEPT[name]), "$defs": {"Point": POINT, "Tree": TREE}}
    if dialect is not None:
        whole["$schema"] = dialect
    found = made(whole, fill)
    assert found.judgement is Judgement.VALID
    assert oracle(whole).is_valid(found.value), found.value


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "string", "minLength": 300_000_000}, "it needs 300000000 characters"),
        ({"type": "string", "minLength": 5, "maxLength": 4}, "its minLength is above its maxLength"),
        ({"type": "array", "minItems": 30_000_000}, "over 1000 items"),
        ({"type": "object", "minProperties": 5_000}, "over 1000 properties"),
        ({"type": "integer", "minimum": 2, "maximum": 1}, "its least value is above its greatest"),
        ({"type": "integer", "minimum": 1, "maximum": 2, "multipleOf": 5}, "no number lies within"),
        ({"enum": []}, "its enum is empty"),
        ({"enum": {"a": 1}}, "its enum is object"),
        (False, "its schema is false"),
        ({"$ref": "#"}, "x.x: its branches are nested deeper than 50 levels"),
        ({"$ref": "https://example.com/other.json"}, "which is not looked up or not there"),
        ({"type": "string", "pattern": "(?=a)b"}, "cannot be matched in linear time"),
        ({"not": {}}, "does not keep to the whole schema"),
    ],
)
def test_what_cannot_be_made_is_named(schema: Json, reason: str) -> None:
    _, found = make(taking(schema))
    assert isinstance(found, NotMade)
    assert reason in found.reason


def test_fills() -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "default": 7},
            "b": {"type": ["string", "null"], "default": None},
            "cursor": {"type": "string"},
            "c": {"type": "string", "default": "x", "examples": ["y"]},
        },
    }
    assert {fill.name: made(schema, fill).value for fill in (Fill.MINIMAL, Fill.DEFAULTS)} == {
        "MINIMAL": {},
        "DEFAULTS": {"a": 7, "c": "x"},
    }
    assert sorted(made(schema, Fill.FULL).value) == ["a", "b", "c", "cursor"]
    assert list(made(schema, Fill.TYPICAL).value) == ["b"]


def test_sources_say_where_each_value_comes_from() -> None:
    schema: Json = {
        "type": "object",
        "properties": {"a": {"const": 1}, "b": {"type": "string", "examples": ["y"]}, "c": {"type": "null"}},
    }
    assert made(schema).input_source == {
        "a": "const",
        "b": "examples",
        "c": "schema: null",
    }


def test_a_schema_that_cannot_judge_makes_arguments_all_the_same() -> None:
    inputs, found = make({"type": "object", "properties": {"x": {"type": "string", "pattern": 7}}})
    assert isinstance(found, Made)
    assert inputs.problem is not None
    assert found.judgement is Judgement.NOT_JUDGEABLE


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (None, "there is no input schema"),
        ("object", "the input schema is string, not an object"),
        ({"type": 7}, "the input schema breaks its dialect at /type"),
        ({"pattern": "(?=a)"}, "the input schema cannot judge: its pattern"),
        ({"enum": list(range(60_000))}, "the input schema holds more than 50000 values"),
    ],
)
def test_why_a_schema_cannot_judge(schema: Json, problem: str) -> None:
    inputs, _ = make(schema)
    assert str(inputs.problem).startswith(problem)


def test_the_same_seed_makes_the_same_arguments() -> None:
    schema = taking({"type": "array", "items": {"enum": list(range(50))}, "minItems": 3})
    assert made(schema, seed="5") == made(schema, seed="5")
    assert len({str(made(schema, seed=str(seed)).value) for seed in range(5)}) > 1


PROGRAM = """
import json, sys
from mcp_check_core.inputs.arguments import Recipe, make_arguments, read_input_schema
from mcp_check_core.inputs.realism import Realism
from mcp_check_core.inputs.variants import make_variants
from mcp_check_core.model.tool import read_tools

for schema in json.load(sys.stdin):
    inputs = read_input_schema(schema)
    (tool,) = read_tools([{"name": "search_users", "inputSchema": schema}])
    made = make_arguments(inputs, Recipe(seed="3"))
    print(made.value, make_arguments(inputs, Recipe(seed="3", advice=Realism(tool))))
    print(make_variants(inputs, made, "3"))
"""


def test_another_process_makes_the_same() -> None:
    schemas = json.dumps(
        [taking(schema) for name, schema in KEPT.items() if not name.startswith("reference")]
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-P", "-c", PROGRAM],
            input=schemas.encode(),
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000


LEAVES = st.one_of(
    st.builds(
        lambda low, more: {"type": "integer", "minimum": low, "maximum": low + more},
        *[st.integers(-50, 50)] * 2,
    ),
    st.builds(
        lambda low, more: {"type": "string", "minLength": low, "maxLength": low + more},
        st.integers(0, 20),
        st.integers(0, 20),
    ),
    st.sampled_from(["^[a-z]{2,5}$", "^a+b?$", r"^\d{3}-\d{2}$", "x|y", "^(on|off)$"]).map(
        lambda pattern: {"type": "string", "pattern": pattern}
    ),
    st.sampled_from(["boolean", "null", "number", "string"]).map(lambda kind: {"type": kind}),
    st.lists(st.one_of(st.integers(), st.text(max_size=3), st.none()), min_size=1, max_size=4).map(
        lambda members: {"enum": members}
    ),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(
            lambda items, least: {"type": "array", "items": items, "minItems": least},
            inner,
            st.integers(0, 3),
        ),
        st.builds(
            lambda members, cut: {
                "type": "object",
                "properties": members,
                "required": list(members)[:cut],
                "additionalProperties": False,
            },
            st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
            st.integers(0, 4),
        ),
        st.lists(inner, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches}),
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(schema=TREES, fill=st.sampled_from(Fill))
def test_made_arguments_are_valid_by_the_oracle(schema: Json, fill: Fill) -> None:
    whole = taking(schema)
    _, found = make(whole, fill)
    if isinstance(found, NotMade):
        assert "least value is above" in found.reason, (whole, found)
    else:
        assert oracle(whole).is_valid(found.value), (whole, found.value)
