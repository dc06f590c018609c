"""No schema makes anything here raise, loop, or take more than a bounded time and memory."""

import time
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.inputs.arguments import Made, NotMade, Recipe, make_arguments, read_input_schema
from mcp_check_core.inputs.filling import Fill
from mcp_check_core.inputs.realism import Realism
from mcp_check_core.inputs.variants import make_variants
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.model.tool import read_tools
from tools.core.tests.inputs.bombs import NAMES, bomb

BOUND_S = 0.5
"""Processor time for each step with one schema."""
BOUND_BYTES = 64 * 1024 * 1024
CALL_BYTES = 1_100_000
"""A call of 1 MB, with the quotes and commas around its values."""


class Timed:
    """Runs one step after the other, each within its time."""

    def __enter__(self) -> None:
        self.began = time.process_time()

    def __exit__(self, *_: object) -> None:
        assert time.process_time() - self.began < BOUND_S


def exercise(schema: Json) -> list[Made | NotMade]:
    """Do everything that there is to do with one schema."""
    (definition,) = read_tools([{"name": "bomb", "description": "a tool", "inputSchema": schema}])
    results: list[Made | NotMade] = []
    with Timed():
        inputs = read_input_schema(schema)
    for recipe in (*(Recipe(fill) for fill in Fill), Recipe(Fill.FULL, "0", Realism(definition))):
        with Timed():
            results.append(make_arguments(inputs, recipe))
    for found in results:
        if isinstance(found, Made):
            assert len(canonical_json(found.value)) < CALL_BYTES
            with Timed():
                variants = make_variants(inputs, found, "0").variants
            assert all(len(canonical_json(item.arguments)) < CALL_BYTES for item in variants)
    return results


@pytest.mark.parametrize("name", NAMES)
def test_time_is_bounded(name: str) -> None:
    for found in exercise(bomb(name)):
        assert isinstance(found, Made) or found.reason


MEMORY = (
    *("min length", "min items", "min items of min items", "long texts", "enum of a million", "doubling"),
    *("required of a million", "wide and deep", "200,000 values", "3,000 levels", "two selves"),
    *("pattern counts up", "pattern nothing often", "anyOf of 50,000", "requires of each"),
)


@pytest.mark.parametrize("name", MEMORY)
def test_memory_is_bounded(name: str) -> None:
    schema = bomb(name)
    inputs = read_input_schema(schema)
    tracemalloc.start()
    try:
        for fill in Fill:
            found = make_arguments(inputs, Recipe(fill))
            if isinstance(found, Made):
                make_variants(inputs, found, "0")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < BOUND_BYTES


@pytest.mark.parametrize(
    "name",
    [
        *("min length", "min items", "min properties", "enum an object", "enum empty", "type empty", "false"),
        *("anyOf empty", "self", "two selves", "remote", "3,000 levels", "schema false", "properties a list"),
        *("min properties of one name", "reference loop", "doubling", "long texts", "pattern counts up"),
    ],
)
def test_what_cannot_be_made_has_a_reason(name: str) -> None:
    inputs = read_input_schema(bomb(name))
    found = make_arguments(inputs, Recipe(Fill.FULL))
    assert isinstance(found, NotMade)
    assert 0 < len(found.reason) < 500


@pytest.mark.parametrize("name", ["schema null", "schema text", "schema list", "schema number"])
def test_no_schema_means_no_arguments(name: str) -> None:
    found = make_arguments(read_input_schema(bomb(name)), Recipe())
    assert isinstance(found, Made)
    assert found.value == {}


KEYWORDS = (
    *("type", "properties", "required", "items", "enum", "const", "default", "examples", "anyOf", "oneOf"),
    *("allOf", "not", "if", "then", "else", "$ref", "$defs", "minimum", "maximum", "exclusiveMinimum"),
    *("multipleOf", "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "contains"),
    *("minProperties", "maxProperties", "additionalProperties", "propertyNames", "patternProperties"),
    *("dependentRequired", "dependencies", "prefixItems", "format", "description", "$schema", "minContains"),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(
        [
            *(
                "string",
                "integer",
                "object",
                "array",
                "#",
                "#/$defs/a",
                "#/properties/a",
                "^a+$",
                "date",
                "(",
                "a|b",
            ),
            "http://json-schema.org/draft-07/schema#",
        ]
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


@settings(max_examples=300, deadline=None)
@given(schema=SCHEMAS)
def test_any_json_as_schema(schema: Json) -> None:
    assert exercise(schema)
    assert exercise({"type": "object", "properties": {"a": schema, "b": schema}, "required": ["a"]})


@settings(max_examples=200, deadline=None)
@given(members=st.dictionaries(st.sampled_from(KEYWORDS), SCHEMAS, max_size=6))
def test_any_json_below_keywords(members: dict[str, Any]) -> None:
    assert exercise({"type": "object", "properties": {"a": members}, "required": ["a"]})
