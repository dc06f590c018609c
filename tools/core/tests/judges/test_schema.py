"""The one constructor of validators: right on what it judges, and a third answer on what it cannot."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.judges.schema import Dialect, Judgement, compile_schema
from mcp_check_core.judges.schema_cost import in_place_cost
from mcp_check_core.judges.shape import depth, nodes
from mcp_check_core.model.json_value import Json


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def doubling(levels: int) -> dict[str, Any]:
    """Each definition refers twice to the next one."""
    defs: dict[str, Any] = {
        f"d{k}": {"allOf": [{"$ref": f"#/$defs/d{k + 1}"}, {"$ref": f"#/$defs/d{k + 1}"}]}
        for k in range(levels)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{levels}": {"type": "object"}}}


NOT_JUDGEABLE: dict[str, tuple[Json, str]] = {
    "look-ahead": ({"type": "string", "pattern": "^(?=a)b"}, "linear time"),
    "back-reference": ({"pattern": r"(a)\1"}, "linear time"),
    "pattern that grows": ({"pattern": "(a{1000}){1000}"}, "linear time"),
    "3,000 levels": (deep(3000), "127 levels"),
    "remote reference": ({"$ref": "http://example.invalid/schema"}, "compiled"),
    "reference to nowhere": ({"$ref": "#/$defs/Missing"}, "compiled"),
    "unknown dialect": ({"$schema": "https://example.invalid/dialect"}, "dialect"),
    "exponential references": (doubling(40), "evaluations"),
    "half a surrogate pair": ({"const": "\ud800"}, "surrogate"),
}
BROKEN: dict[str, tuple[Json, str]] = {
    "enum that is an object": ({"enum": {"a": 1}}, "/enum"),
    "no types": ({"type": []}, "/type"),
    "unknown type": ({"type": "strng"}, "/type"),
    "text for a number": ({"minimum": "3"}, "/minimum"),
    "texts for branches": ({"anyOf": ["str"]}, "/anyOf/0"),
    "required as text": ({"required": "a"}, "/required"),
    "properties as list": ({"properties": []}, "/properties"),
    "null": (None, ""),
    "list": ([], ""),
}


@pytest.mark.parametrize("name", NOT_JUDGEABLE)
def test_what_cannot_be_judged_says_why(name: str) -> None:
    schema, why = NOT_JUDGEABLE[name]
    validator = compile_schema(schema)
    assert validator.problem is not None
    assert why in validator.problem
    assert validator.faults == ()
    assert validator.judge({}) is Judgement.NOT_JUDGEABLE


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_schema_names_the_place(name: str) -> None:
    schema, pointer = BROKEN[name]
    validator = compile_schema(schema)
    assert [fault.pointer for fault in validator.faults][:1] == [pointer]
    assert not validator.judges
    assert validator.judge({}) is Judgement.NOT_JUDGEABLE


@pytest.mark.parametrize(
    ("schema", "value", "judgement"),
    [
        (True, 1, Judgement.VALID),
        (False, 1, Judgement.INVALID),
        ({"type": "integer"}, 1.0, Judgement.VALID),
        ({"type": "integer"}, True, Judgement.INVALID),
        ({"type": "number", "minimum": 10**400}, 1, Judgement.INVALID),
        ({"$ref": "#"}, {}, Judgement.VALID),
        ({"type": "string", "pattern": "^(a+)+$"}, "a" * 50_000 + "!", Judgement.INVALID),
        ({"type": "string"}, "\ud800", Judgement.NOT_JUDGEABLE),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "null"}]},
            [1],
            Judgement.INVALID,
        ),
        ({"prefixItems": [{"type": "null"}]}, [1], Judgement.INVALID),
        (doubling(6), {}, Judgement.VALID),
    ],
)
def test_judgement(schema: Json, value: Json, judgement: Judgement) -> None:
    assert compile_schema(schema).judge(value) is judgement


def test_dialect_is_the_one_named_or_the_default() -> None:
    named: Json = {"$schema": "http://json-schema.org/draft-07/schema#"}
    assert compile_schema(named).dialect is Dialect.DRAFT_7
    assert compile_schema({}).dialect is Dialect.DRAFT_2020_12
    assert compile_schema({}, Dialect.DRAFT_7).dialect is Dialect.DRAFT_7


def test_faults_of_a_value_point_at_both_sides() -> None:
    schema: Json = {"properties": {"a/b": {"type": "object", "properties": {"n": {"minimum": 3}}}}}
    (fault,) = compile_schema(schema).explain({"a/b": {"n": 1}})
    assert fault.pointer == "/a~1b/n"
    assert fault.keyword == "minimum"
    assert fault.schema_pointer == "/properties/a~1b/properties/n/minimum"


def test_a_deep_value_is_not_judgeable() -> None:
    value: Json = {}
    for _ in range(3000):
        value = {"a": value}
    recursive: Json = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    assert compile_schema(recursive).judge(value) is Judgement.NOT_JUDGEABLE


def test_cost_counts_shared_definitions_each_time() -> None:
    assert in_place_cost(doubling(3), 10_000) > 2**3
    assert in_place_cost({"allOf": [{"$ref": "#"}]}, 10_000) <= 3
    assert in_place_cost(doubling(500), 10_000) == 10_001


def test_shape() -> None:
    shapes: list[Json] = [1, [], {"a": []}, [[[]]]]
    assert [depth(value, 10) for value in shapes] == [0, 1, 2, 3]
    assert depth(deep(3000), 127) == 128
    assert nodes([1, [2, 3]], 100) == 5
    assert nodes(list(range(1000)), 10) == 11


def test_every_schema_of_the_corpus_compiles(corpus: Path) -> None:
    refused = []
    total = 0
    for file in sorted(corpus.glob("*.json")):
        for tool in json.loads(file.read_text(encoding="utf-8")).get("tools", []):
            for member in {"inputSchema", "outputSchema"} & tool.keys():
                total += 1
                if not compile_schema(tool[member]).judges:
                    refused.append((file.stem, tool["name"], member))
    assert total > 2500
    assert refused == []


scalars = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "a", "ab", "b"]) | st.floats(-2, 2)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])


def extend(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "required": st.lists(st.sampled_from("abc"), unique=True, max_size=2),
            "items": inner,
            "minItems": st.integers(0, 3),
            "uniqueItems": st.booleans(),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "additionalProperties": inner | st.booleans(),
            "minimum": st.integers(-3, 3),
            "multipleOf": st.integers(1, 3),
            "maxLength": st.integers(0, 2),
            "pattern": st.sampled_from(["^a", "b$", "^$"]),
            "enum": st.lists(scalars, min_size=1, max_size=3),
            "const": scalars,
            "if": inner,
            "then": inner,
        },
    )


schemas: st.SearchStrategy[Any] = st.recursive(st.booleans() | st.just({}), extend, max_leaves=6)


@settings(max_examples=400, deadline=None)
@given(schema=schemas, value=values, dialect=st.sampled_from([Dialect.DRAFT_7, Dialect.DRAFT_2020_12]))
def test_agrees_with_the_reference_implementation(schema: Json, value: Json, dialect: Dialect) -> None:
    oracle: dict[Dialect, Any] = {
        Dialect.DRAFT_7: jsonschema.Draft7Validator,
        Dialect.DRAFT_2020_12: jsonschema.Draft202012Validator,
    }
    expected = oracle[dialect](schema).is_valid(value)
    assert compile_schema(schema, dialect).judge(value) is (
        Judgement.VALID if expected else Judgement.INVALID
    )
