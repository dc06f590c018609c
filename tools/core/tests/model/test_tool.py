import pytest

from mcp_check_core.model.defects import DEFECTS
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import read_tools
from mcp_check_core.model.tool_result import read_tool_result

ODD: list[Json] = [None, True, 7, "add", [], [1], {}, {"name": None}, {"name": ""}, {"name": 5}]


def test_a_tool_is_read_as_it_was_listed() -> None:
    raw: Json = {
        "name": "add",
        "description": "Add.",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        "annotations": {"readOnlyHint": True},
    }
    (tool,) = read_tools([raw])
    assert (tool.name, tool.label, tool.description, tool.raw) == ("add", "add", "Add.", raw)
    assert (tool.properties, tool.required, tool.read_only) == ({"a": {"type": "integer"}}, ("a",), True)


@pytest.mark.parametrize("item", ODD)
def test_an_entry_of_any_shape_is_kept_and_named_by_its_place(item: Json) -> None:
    tools = read_tools([{"name": "first"}, item])
    assert [tool.label for tool in tools] == ["first", "#2"]
    assert (tools[1].name, tools[1].description, tools[1].input_schema) == (None, None, None)
    assert (tools[1].properties, tools[1].required, tools[1].annotations) == ({}, (), {})
    assert not tools[1].read_only


@pytest.mark.parametrize(
    "schema", [None, True, [], "object", {"properties": [], "required": "a"}, {"required": {}}]
)
def test_a_schema_of_any_shape_has_no_properties(schema: Json) -> None:
    (tool,) = read_tools([{"name": "t", "inputSchema": schema}])
    assert (tool.input_schema, tool.properties, tool.required) == (schema, {}, ())


@pytest.mark.parametrize("hint", [None, False, 1, "true", [True], {"readOnlyHint": True}])
def test_only_true_is_read_only(hint: Json) -> None:
    (tool,) = read_tools([{"name": "t", "annotations": {"readOnlyHint": hint}}])
    assert not tool.read_only


def test_what_is_no_string_in_required_is_left_out() -> None:
    (tool,) = read_tools([{"inputSchema": {"required": ["a", 1, None, "b"]}}])
    assert tool.required == ("a", "b")


def test_a_long_name_is_shown_cut_and_used_whole() -> None:
    (tool,) = read_tools([{"name": "n" * 300}])
    assert tool.name == "n" * 300
    assert tool.label == "n" * 200 + "… [first 200 of 300 characters]"


RESULTS: list[tuple[dict[str, Json], str | None]] = [
    ({"content": []}, None),
    ({"content": [{"type": "text", "text": "a"}, {"type": "image", "data": ""}]}, None),
    ({"structuredContent": {}}, None),
    ({"content": [{"type": "text", "text": "a"}], "isError": False}, None),
    ({}, "it has no content"),
    ({"content": None}, "content is null, not an array"),
    ({"content": {}}, "content is object, not an array"),
    ({"content": [], "isError": "no"}, "isError is string, not a boolean"),
    ({"content": ["a"]}, "content block 0 is string, not an object"),
    ({"content": [{"type": "text"}, {"text": "a"}]}, "content block 1 has no type"),
]


@pytest.mark.parametrize(("result", "problem"), RESULTS)
def test_a_result_says_what_is_wrong_with_it(result: dict[str, Json], problem: str | None) -> None:
    assert read_tool_result(result).problem == problem


def test_a_result_is_read_without_trust() -> None:
    read = read_tool_result(
        {
            "content": [
                {"type": "text", "text": "a"},
                {"type": "text", "text": 5},
                "x",
                {"type": "text", "text": "b"},
            ],
            "structuredContent": None,
            "isError": True,
        }
    )
    assert (read.texts, read.text, len(read.content)) == (("a", "b"), "a\nb", 4)
    assert (read.structured, read.has_structured, read.is_error) == (None, True, True)
    bare = read_tool_result({"isError": 1})
    assert (bare.content, bare.texts, bare.has_structured, bare.is_error) == ((), (), False, False)


def test_keys_of_defects_are_slugs() -> None:
    assert all(key == key.lower() and " " not in key and "_" not in key for key in DEFECTS)
    assert len(DEFECTS) == 10
