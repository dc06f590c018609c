"""Cases are made from schemas, the same ones for the same seed, and say what they are after."""

from typing import Any

import jsonschema_rs
import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_fuzz.facts.case import Case, Phase, Validity
from mcp_fuzz.inputs.cases import ToolCases, tool_cases, within
from mcp_fuzz.options import Depth


def tool(schema: Json, name: str = "t") -> ToolDefinition:
    return read_tools([{"name": name, "inputSchema": schema}])[0]


def plan(schema: Json, *, depth: Depth = Depth.NORMAL, seed: int = 0) -> ToolCases:
    return tool_cases(tool(schema), seed=seed, depth=depth)


def taking(schema: Json, *, required: bool = True) -> dict[str, Json]:
    return {"type": "object", "properties": {"x": schema}, "required": ["x"] if required else []}


def of(cases: ToolCases, phase: Phase) -> list[Case]:
    return [case for case in cases.cases if case.phase is phase]


def test_required_alone_and_everything() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["a"],
    }
    valid = of(plan(schema), Phase.VALID)
    assert [case.variant for case in valid] == ["minimal", "full"]
    assert [sorted(case.arguments) for case in valid] == [["a"], ["a", "b"]]


def test_equal_valid_calls_are_made_once() -> None:
    assert len(of(plan(taking({"type": "string"})), Phase.VALID)) == 1


def test_defaults_are_sent_and_null_is_not() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "default": 7},
            "b": {"type": ["string", "null"], "default": None},
            "c": {"type": "string", "default": "x", "examples": ["y"]},
        },
    }
    defaults = [case for case in plan(schema).cases if case.variant == "defaults"]
    assert [dict(case.arguments) for case in defaults] == [{"a": 7, "c": "x"}]


def test_whole_examples_are_sent_unless_the_schema_refuses_them() -> None:
    examples: list[Json] = [{"x": "good"}, {"x": 5}]
    schema: dict[str, Json] = {**taking({"type": "string"}), "examples": examples}
    sent = [case for case in plan(schema).cases if case.variant.startswith("example")]
    assert [dict(case.arguments) for case in sent] == [{"x": "good"}]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": 12, "maxLength": 14},
        {"type": "string", "maxLength": 2},
        {"type": "string", "format": "date-time"},
        {"type": "string", "pattern": "^[A-Z]{3}-[0-9]+$"},
        {"type": "string", "pattern": "^[0-9a-f]{40}$"},
        {"type": "integer", "minimum": 1000, "maximum": 1005, "multipleOf": 5},
        {"type": "integer", "exclusiveMinimum": 4, "exclusiveMaximum": 6},
        {"type": "integer", "maximum": -10},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001},
        {"type": "number", "multipleOf": 0.25, "minimum": 20},
        {"type": "boolean"},
        {"type": "null"},
        {"enum": ["a", "b"]},
        {"type": "integer", "enum": ["a", 3]},
        {"const": {"k": [1]}},
        {"type": ["null", "integer"]},
        {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
        {"type": "array", "maxItems": 0},
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2},
        {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k", "undescribed"]},
        {"type": "object", "minProperties": 3},
        {"type": "object", "additionalProperties": {"type": "integer"}, "required": ["n"]},
        {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 90}]},
        {"oneOf": [{"type": "string", "minLength": 300_000_000}, {"type": "boolean"}]},
        {"allOf": [{"type": "integer", "minimum": 5}, {"maximum": 6, "minimum": 6}]},
        {"allOf": [{"properties": {"a": {"type": "string"}}}, {"required": ["a"]}], "type": "object"},
        {"$ref": "#/$defs/Point"},
        {"$ref": "#/$defs/Tree"},
        {"properties": {"k": {"type": "string"}}, "required": ["k"]},
        {"minimum": 5},
        True,
        {},
    ],
)
def test_valid_calls_keep_to_the_schema(schema: Json) -> None:
    point: Json = {
        "type": "object",
        "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
        "required": ["x", "y"],
    }
    tree: Json = {
        "type": "object",
        "properties": {
            "left": {"$ref": "#/$defs/Tree"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
    }
    whole: Any = {**taking(schema), "$defs": {"Point": point, "Tree": tree}}
    cases = plan(whole)
    valid = of(cases, Phase.VALID)
    assert valid, cases.left_out
    oracle = jsonschema_rs.validator_for(whole)
    for case in valid:
        assert case.validity is Validity.VALID
        assert oracle.is_valid(dict(case.arguments))


def test_each_required_property_is_left_out_wherever_it_is() -> None:
    item: Json = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": item, "minItems": 2},
            "filter": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
            "free": {"type": "string"},
        },
        "required": ["list"],
    }
    missing = of(plan(schema), Phase.MISSING)
    assert {case.parameter: case.pointer for case in missing} == {
        "list": "/list",
        "list[0].id": "/list/0/id",
        "filter.name": "/filter/name",
    }
    oracle = jsonschema_rs.validator_for(schema)
    assert all(not oracle.is_valid(dict(case.arguments)) for case in missing)


def test_each_property_gets_one_value_of_another_type() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}, "c": {"enum": [1]}, "d": {}},
    }
    wrong = of(plan(schema), Phase.WRONG_TYPE)
    assert [(case.parameter, case.sent, case.wanted) for case in wrong] == [
        ("a", "sample", ("integer",)),
        ("b", 12345, ("string",)),
    ]


def test_deep_sends_every_other_type() -> None:
    wrong = of(plan(taking({"type": "integer"}), depth=Depth.DEEP), Phase.WRONG_TYPE)
    assert [case.sent for case in wrong] == ["sample", ["sample"], {"sample": 1}, None, True, "5", 1.5]


def test_a_value_that_another_branch_allows_is_not_wrong() -> None:
    wrong = of(plan(taking({"anyOf": [{"type": "string"}, {"type": "integer"}]})), Phase.WRONG_TYPE)
    assert [case.sent for case in wrong] == [True]


def test_a_property_may_have_no_wrong_type_at_all() -> None:
    everything: Json = {"type": ["string", "number", "boolean", "array", "object", "null"]}
    assert of(plan(taking(everything), depth=Depth.DEEP), Phase.WRONG_TYPE) == []


def test_the_same_seed_makes_the_same_cases() -> None:
    schema = taking({"type": "array", "items": {"enum": list(range(50))}, "minItems": 3})
    assert plan(schema, seed=5) == plan(schema, seed=5)
    assert any(plan(schema, seed=seed).cases != plan(schema, seed=5).cases for seed in range(4))


def test_a_schema_that_cannot_judge_makes_unknown_cases() -> None:
    cases = plan(taking({"type": "string", "pattern": "(?=s)sample"}, required=False))
    assert cases.unjudged is not None
    assert {case.validity for case in cases.cases} == {Validity.UNKNOWN}


def test_a_tool_without_a_schema_is_called_without_arguments() -> None:
    (case,) = plan(None).cases
    assert (dict(case.arguments), case.validity) == ({}, Validity.UNKNOWN)


def test_most_calls_are_shared_out_tool_by_tool() -> None:
    plans = [plan(taking({"type": "string"})) for _ in range(3)]
    assert [len(kept.cases) for kept in within(plans, 5)] == [2, 2, 1]
    assert [len(kept.cases) for kept in within(plans, 100)] == [3, 3, 3]
    assert within(plans, 5)[2].left_out[-1].reason == "2 of 3 are over --max-calls"
