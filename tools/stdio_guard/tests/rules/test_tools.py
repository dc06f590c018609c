"""Tool definitions: names, descriptions and schemas, condition by condition."""

import pytest

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.reply import ReplyKind
from mcp_stdio_guard.facts.run import ListFacts, ListOutcome
from mcp_stdio_guard.rules import tool_listing, tool_schemas
from mcp_stdio_guard.rules.declare import Count
from tools.stdio_guard.tests.built import findings, listing, reply, run, tool
from tools.stdio_guard.tests.rules.judged import codes_of, one, reasons, told

MISSING: Json = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}}
REMOTE: Json = {"type": "object", "properties": {"a": {"$ref": "https://example.org/a.json"}}}


def listed(*entries: Json, outcome: ListOutcome = ListOutcome.COMPLETE) -> object:
    return run(lists=[listing(*entries, outcome=outcome)])


def counts(facts: object) -> dict[str, tuple[int, int]]:
    made = (judged for judged in tool_schemas.BLOCK.judge(facts) if isinstance(judged, Count))  # type: ignore[arg-type]
    return {one.rule.removeprefix("guard/tool-"): (one.judged, one.of) for one in made}


def schema(**members: Json) -> Finding:
    return one(tool_schemas.BLOCK, listed(tool(inputSchema={"type": "object", **members})))


def test_without_an_answer_there_is_no_list_to_judge() -> None:
    nothing = dict.fromkeys(codes_of(tool_listing.BLOCK), "there was no answer to tools/list to judge")
    assert reasons(tool_listing.BLOCK, run()) == nothing
    lost = ListFacts("tools/list", (), 0, ListOutcome.NO_RESULT, reply("tools/list", ReplyKind.TIMEOUT))
    assert reasons(tool_listing.BLOCK, run(lists=[lost])) == nothing


def test_pages_before_a_lost_one_are_judged() -> None:
    lost = listed(tool("a b"), outcome=ListOutcome.NO_RESULT)
    assert told(tool_listing.BLOCK, lost) == {("tool-name-invalid", "characters", "warning")}
    assert reasons(tool_listing.BLOCK, lost) == {}


def test_an_empty_list_has_no_names_to_judge() -> None:
    others = codes_of(tool_listing.BLOCK) - {"tools-list-invalid-result"}
    assert reasons(tool_listing.BLOCK, listed()) == dict.fromkeys(others, tool_listing.NO_TOOLS)
    assert findings(tool_listing.BLOCK, listed()) == []


def test_an_answer_that_is_no_list() -> None:
    bad = listed(outcome=ListOutcome.BAD_SHAPE)
    assert told(tool_listing.BLOCK, bad) == {("tools-list-invalid-result", "shape", "error")}
    assert told(tool_listing.BLOCK, listed(7)) == {("tools-list-invalid-result", "entry", "error")}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.b_c-D9", set()),
        ("x" * 128, set()),
        ("x" * 129, {("tool-name-invalid", "length", "warning")}),
        ("naïve", {("tool-name-invalid", "characters", "warning")}),
        ("", {("tool-name-invalid", "missing", "error")}),
        (7, {("tool-name-invalid", "missing", "error")}),
    ],
)
def test_names(name: Json, expected: set[tuple[str, str | None, str]]) -> None:
    assert told(tool_listing.BLOCK, listed(tool(name))) == expected


@pytest.mark.parametrize(
    ("name", "words"), [("", "missing or empty"), (None, "missing or empty"), (7, "is integer")]
)
def test_what_is_wrong_with_a_name(name: Json, words: str) -> None:
    assert words in one(tool_listing.BLOCK, listed(tool(name))).message


def test_one_name_twice() -> None:
    found = one(tool_listing.BLOCK, listed(tool("a"), tool("b"), tool("a")))
    assert (found.rule_id, found.location.tool, found.evidence["count"]) == (
        "guard/tool-name-duplicate",
        "a",
        2,
    )
    nameless = {name: value for name, value in tool().items() if name != "name"}
    assert {code for code, _, _ in told(tool_listing.BLOCK, listed(nameless, nameless))} == {
        "tool-name-invalid"
    }


@pytest.mark.parametrize(
    ("text", "missing"), [("Tell.", False), (" ", True), ("", True), (None, True), (3, True)]
)
def test_descriptions(text: Json, missing: bool) -> None:
    assert bool(findings(tool_listing.BLOCK, listed(tool(description=text)))) is missing


def test_schemas_of_no_tool() -> None:
    nothing = dict.fromkeys(codes_of(tool_schemas.BLOCK), "no tool definitions were listed")
    assert reasons(tool_schemas.BLOCK, listed()) == nothing
    assert reasons(tool_schemas.BLOCK, listed(7)) == nothing


def test_output_schemas_are_judged_where_there_are_any() -> None:
    reason = {"tool-output-schema-invalid": "no tool has an output schema"}
    assert reasons(tool_schemas.BLOCK, listed(tool())) == reason
    with_output = tool("b", outputSchema={"type": "object"})
    assert reasons(tool_schemas.BLOCK, listed(tool(), with_output)) == {}
    assert findings(tool_schemas.BLOCK, listed(tool(), with_output)) == []
    assert findings(tool_schemas.BLOCK, listed(tool(outputSchema=None))) == []


def test_an_output_schema_that_is_none() -> None:
    assert told(tool_schemas.BLOCK, listed(tool(outputSchema=[]))) == {
        ("tool-output-schema-invalid", "not-an-object", "error")
    }
    assert told(tool_schemas.BLOCK, listed(tool(outputSchema={"type": "array"}))) == {
        ("tool-output-schema-invalid", "root-type", "error")
    }


def test_an_input_schema_that_is_missing_or_null() -> None:
    without = {name: value for name, value in tool().items() if name != "inputSchema"}
    assert told(tool_schemas.BLOCK, listed(without)) == {("tool-input-schema-invalid", "missing", "error")}
    assert told(tool_schemas.BLOCK, listed(tool(inputSchema=None))) == {
        ("tool-input-schema-invalid", "not-an-object", "error")
    }


def test_how_many_were_judged() -> None:
    unknown = tool("b", inputSchema={"$schema": "urn:nobody", "type": "object"})
    assert counts(listed(tool(), unknown)) == {
        "input-schema-invalid": (1, 2),
        "output-schema-invalid": (2, 2),
        "input-schema-required-missing": (2, 2),
        "schema-unresolved-ref": (2, 2),
    }


@pytest.mark.parametrize(
    ("root", "words"),
    [
        ({}, "no type"),
        ({"type": "array"}, "type array"),
        ({"type": ["object"]}, "type array"),
        ({"type": 3}, ""),
    ],
)
def test_the_type_at_the_root_is_told(root: dict[str, Json], words: str) -> None:
    assert words in one(tool_schemas.BLOCK, listed(tool(inputSchema=root))).message


def test_required_parameters() -> None:
    assert schema(required=["a"], properties={"b": {}}).location.parameter == "a"
    described: dict[str, Json] = {"type": "object", "required": ["a"], "properties": {"a": {}}}
    assert findings(tool_schemas.BLOCK, listed(tool(inputSchema=described))) == []
    assert schema(required=["a"]).message.endswith("which its properties do not describe.")
    closed = schema(required=["a"], additionalProperties=False)
    assert (closed.kind, closed.severity.value) == ("unsatisfiable", "error")
    assert closed.message.endswith("so no call can be valid.")


@pytest.mark.parametrize(
    "keyword",
    ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"],
)
def test_other_keywords_may_describe_a_parameter(keyword: str) -> None:
    values: dict[str, Json] = {
        "$ref": "#/$defs/a",
        "$dynamicRef": "#/$defs/a",
        "if": {},
        "patternProperties": {},
        "dependentSchemas": {},
    }
    members: dict[str, Json] = {"required": ["a"], "$defs": {"a": {}}, keyword: values.get(keyword, [{}])}
    assert findings(tool_schemas.BLOCK, listed(tool(inputSchema={"type": "object", **members}))) == []


def test_a_required_list_of_a_schema_that_is_none_is_not_judged() -> None:
    assert told(tool_schemas.BLOCK, listed(tool(inputSchema=[]))) == {
        ("tool-input-schema-invalid", "not-an-object", "error")
    }


def test_references() -> None:
    assert told(tool_schemas.BLOCK, listed(tool(inputSchema=REMOTE))) == {
        ("tool-schema-unresolved-ref", "remote", "warning")
    }
    single = [
        found
        for found in findings(tool_schemas.BLOCK, listed(tool(outputSchema=MISSING)))
        if "ref" in found.rule_id
    ]
    assert [found.kind for found in single] == ["missing"]
    assert "such references" not in single[0].message
    assert "leads to nothing in the schema" in single[0].message
    assert "leads out of the schema" in one(tool_schemas.BLOCK, listed(tool(inputSchema=REMOTE))).message


def test_several_references_are_one_finding() -> None:
    two: dict[str, Json] = {
        "type": "object",
        "properties": {"a": {"$ref": "https://example.org/a"}, "b": {"$ref": "https://example.org/b"}},
    }
    assert "(2 such references)" in one(tool_schemas.BLOCK, listed(tool(inputSchema=two))).message
