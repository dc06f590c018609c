"""Variants break one constraint each, and keep to it just inside; both validators agree."""

from typing import Any

import pytest

from mcp_check_core.inputs.arguments import Made
from mcp_check_core.inputs.places import dotted
from mcp_check_core.inputs.variants import VARIANTS, Side, Variants, make_variants
from mcp_check_core.judges.schema import Judgement
from mcp_check_core.model.json_value import Json
from tools.core.tests.inputs.schemas import DRAFT_7, DRAFT_2020, make, oracle, taking


def variants(schema: Json, seed: str = "0") -> Variants:
    inputs, base = make(schema)
    assert isinstance(base, Made), base
    return make_variants(inputs, base, seed)


def sides(schema: Json, keyword: str) -> tuple[list[Json], list[Json]]:
    """Return what stands outside and inside of one constraint of the property x."""
    found = [item for item in variants(taking(schema)).variants if item.keyword == keyword and item.path]
    return (
        [item.value for item in found if item.side is Side.OUTSIDE],
        [item.value for item in found if item.side is Side.INSIDE],
    )


@pytest.mark.parametrize(
    ("schema", "keyword", "outside", "inside"),
    [
        ({"type": "integer", "minimum": 10}, "minimum", [9], []),
        ({"type": "integer", "minimum": -3}, "minimum", [-4], [-3]),
        ({"type": "integer", "maximum": 100}, "maximum", [101], [100]),
        ({"type": "number", "maximum": 100.5}, "maximum", [100.51], [100.5]),
        ({"type": "integer", "exclusiveMinimum": -1}, "exclusiveMinimum", [-1], [0]),
        ({"type": "integer", "exclusiveMaximum": 50}, "exclusiveMaximum", [50], [49]),
        ({"type": "integer", "multipleOf": 10, "minimum": 10, "maximum": 10}, "multipleOf", [11], []),
        ({"type": "integer", "maximum": 1000, "multipleOf": 7}, "maximum", [1007], [994]),
        ({"type": "string", "minLength": 3, "default": "abcd"}, "minLength", ["ab"], ["abc"]),
        ({"type": "string", "maxLength": 3, "default": "ab"}, "maxLength", ["aba" + "b"], ["aba"]),
        ({"type": "string", "pattern": "^[a-z]+$", "default": "abc"}, "pattern", ["abc "], []),
        ({"type": "string", "enum": ["on", "off"], "default": "on"}, "enum", None, None),
        ({"const": 5}, "const", [6], []),
        ({"type": "array", "minItems": 2, "items": {"const": 1}}, "minItems", [[1]], []),
        ({"type": "array", "maxItems": 2, "items": {"const": 1}}, "maxItems", [[1, 1, 1]], [[1, 1]]),
        ({"type": "array", "uniqueItems": True, "items": {"const": 1}}, "uniqueItems", [[1, 1]], []),
        ({"type": "boolean"}, "type", ["sample"], []),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, "anyOf", [12345], [2]),
        ({"oneOf": [{"const": 1}, {"const": 2}]}, "oneOf", [12345], [2]),
        ({"type": "integer", "not": {"type": "integer", "const": 5}, "default": 4}, "not", [5], []),
        ({"type": "object", "maxProperties": 0}, "maxProperties", [{"undeclared_property_0": "sample"}], []),
        (
            {"type": "object", "additionalProperties": False},
            "additionalProperties",
            [{"undeclared_property": "sample"}],
            [],
        ),
        (
            {"properties": {"a": {"const": 1}, "b": {"const": 2}}, "dependentRequired": {"a": ["b"]}},
            "dependentRequired",
            [{"a": 1}],
            [],
        ),
        ({"properties": {"a": {"const": 1}}, "required": ["a"]}, "required", [{}], []),
    ],
)
def test_just_outside_and_just_inside(
    schema: dict[str, Json], keyword: str, outside: list[Json] | None, inside: list[Json] | None
) -> None:
    found_outside, found_inside = sides(schema, keyword)
    if outside is None or inside is None:
        assert found_outside[0] not in schema["enum"]  # type: ignore[operator]
        assert all(value in schema["enum"] for value in found_inside)  # type: ignore[operator]
        assert len(found_outside) == 1
        return
    assert found_outside == outside
    assert found_inside == inside


EVERYTHING: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["filter", "list"],
    "properties": {
        "filter": {
            "type": "object",
            "properties": {
                "from": {"type": "string", "format": "date"},
                "n": {"type": "integer", "minimum": 1},
            },
            "required": ["from", "n"],
        },
        "list": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string", "pattern": "^[a-z]{3}$"}},
                "required": ["id"],
            },
        },
        "when": {"type": "string", "format": "uuid"},
        "choice": {"anyOf": [{"type": "integer", "maximum": 5}, {"type": "null"}]},
    },
}


@pytest.mark.parametrize("dialect", [DRAFT_7, DRAFT_2020])
def test_nested_constraints_are_broken_and_both_validators_agree(dialect: str) -> None:
    schema = {"$schema": dialect, **EVERYTHING}
    found = variants(schema)
    places = {(dotted(item.path), item.keyword) for item in found.variants if item.side is Side.OUTSIDE}
    assert {
        ("", "required"),
        ("", "additionalProperties"),
        ("filter", "required"),
        ("filter.n", "minimum"),
        ("filter.from", "format"),
        ("list", "minItems"),
        ("list[0]", "required"),
        ("list[0].id", "pattern"),
        ("choice", "anyOf"),
    } <= places
    plain, formats = oracle(schema), oracle(schema, formats=True)
    for item in found.variants:
        if item.keyword == "format":
            assert not formats.is_valid(item.arguments), item
        else:
            assert plain.is_valid(item.arguments) is (item.judgement is Judgement.VALID), item


def test_a_format_is_no_rule_in_2020_12() -> None:
    schema = taking({"type": "string", "format": "email"})
    (new,) = [item for item in variants(schema).variants if item.keyword == "format"]
    (old,) = [item for item in variants({**schema, "$schema": DRAFT_7}).variants if item.keyword == "format"]
    assert new.judgement is Judgement.NOT_JUDGEABLE
    assert old.judgement is Judgement.INVALID


@pytest.mark.parametrize(
    ("schema", "keyword", "reason"),
    [
        ({"type": "integer", "multipleOf": 1}, "multipleOf", "every whole number is a multiple of 1"),
        ({"type": "string", "minLength": 0}, "minLength", "at least no characters"),
        ({"type": "string", "maxLength": 10**9}, "maxLength", "the most that is sent"),
        ({"type": "string", "format": "int32"}, "format", "nothing is known to break"),
        ({"type": "string", "pattern": ".*"}, "pattern", "no text of ours breaks"),
        ({"anyOf": [{}, {"type": "string"}]}, "anyOf", "another part of the schema allows"),
    ],
)
def test_what_cannot_be_broken_is_named(schema: Json, keyword: str, reason: str) -> None:
    (found,) = [item for item in variants(taking(schema)).unbroken if item.keyword == keyword]
    assert found.side is Side.OUTSIDE
    assert reason in found.reason


def test_order_and_content_are_a_function_of_schema_and_seed() -> None:
    assert variants(EVERYTHING, "7") == variants(EVERYTHING, "7")


def test_the_number_of_variants_is_bounded_and_said() -> None:
    many: Json = {f"p{number}": {"type": "integer", "minimum": 1} for number in range(2_000)}
    found = variants({"type": "object", "properties": many})
    assert len(found.variants) + len(found.unbroken) <= VARIANTS + 1
    assert found.unbroken[-1].keyword == "further constraints"
