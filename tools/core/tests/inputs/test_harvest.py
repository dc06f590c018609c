"""Ids and other reusable values are taken from answers and given to the calls that ask for them."""

import json
import time

import pytest

from mcp_check_core.inputs.harvest import VALUES, Harvest, harvest
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool_result import ToolResult, read_tool_result
from tools.core.tests.inputs.schemas import tool

UUID = "0b0f6f6e-1f3c-4c58-9d2a-6b1f0a7c9e11"
LIST = tool({}, "list_users")


def structured(value: Json) -> ToolResult:
    return read_tool_result({"content": [], "structuredContent": value})


def text(*texts: str) -> ToolResult:
    return read_tool_result({"content": [{"type": "text", "text": item} for item in texts]})


def for_call(found: Harvest, name: str, parameter: str) -> list[str | int]:
    return [item.value for item in found.matching(tool({}, name), (parameter,))]


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        (structured({"users": [{"id": 7, "name": "Alex Example"}]}), "structured content"),
        (text('{"users": [{"id": 7, "name": "Alex Example"}]}'), "JSON text"),
        (text('{"id": 7}', '{"id": 8}'), "JSON text"),
        (structured({"result": [{"id": 7}]}), "structured content"),
        (structured([{"userId": 7}]), "structured content"),
    ],
)
def test_ids_of_a_listing_are_given_to_a_getter(answer: ToolResult, content: str) -> None:
    found = Harvest().plus(LIST, answer)
    assert found.values[0].content == content
    assert for_call(found, "get_user", "user_id")[0] == 7
    assert for_call(found, "get_user", "id")[0] == 7
    assert for_call(found, "get_order", "order_id") == []
    assert for_call(found, "get_order", "id") == []


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (text(f"Created user {UUID}."), UUID),
        (text("Created a user (id: 42)"), "42"),
        (text("ID 00ab12"), "00ab12"),
        (text("See #17 for more"), "17"),
        (text(" 42 "), "42"),
    ],
)
def test_ids_in_bare_texts(answer: ToolResult, value: str) -> None:
    found = Harvest().plus(tool({}, "create_user"), answer)
    assert for_call(found, "get_user", "user_id") == [value]


def test_links_and_resources() -> None:
    answer = read_tool_result(
        {
            "content": [
                {"type": "text", "text": "Read https://example.com/a, then go on."},
                {"type": "resource_link", "uri": "note://1", "name": "n"},
                {"type": "resource", "resource": {"uri": "note://2", "text": ""}},
            ]
        }
    )
    found = Harvest().plus(tool({}, "list_notes"), answer)
    assert for_call(found, "read_note", "uri") == ["note://1", "note://2", "https://example.com/a"]


def test_structured_content_is_read_before_texts() -> None:
    answer = read_tool_result(
        {"content": [{"type": "text", "text": '{"id": 1}'}], "structuredContent": {"id": 2}}
    )
    assert [item.value for item in harvest(LIST, answer)] == [2]


def test_paths_and_names_match_by_their_key() -> None:
    found = Harvest().plus(
        tool({}, "list_files"), structured({"files": [{"path": "/srv/a.txt", "name": "a.txt"}]})
    )
    assert for_call(found, "read_text", "path") == ["/srv/a.txt"]
    assert for_call(found, "open_file", "name") == ["a.txt"]
    assert for_call(found, "create_user", "name") == []


def test_numbers_of_a_resource() -> None:
    found = Harvest().plus(tool({}, "list_issues"), structured({"issues": [{"number": 5, "title": "x"}]}))
    assert for_call(found, "get_issue", "issue_number") == [5]


def test_an_error_gives_nothing() -> None:
    answer = read_tool_result({"content": [{"type": "text", "text": f"no {UUID}"}], "isError": True})
    assert Harvest().plus(LIST, answer) == Harvest()


def test_secrets_are_not_taken() -> None:
    answer = structured(
        {"api_keys": [{"key": "abcdef", "access_token": "t", "secretKey": "s"}], "token": {"id": 5}}
    )
    assert harvest(tool({}, "list_settings"), answer) == []


def test_the_same_answers_give_the_same_values() -> None:
    answer = structured({"users": [{"id": number} for number in range(50)]})
    assert Harvest().plus(LIST, answer) == Harvest().plus(LIST, answer)
    twice = Harvest().plus(LIST, answer).plus(LIST, answer)
    assert twice == Harvest().plus(LIST, answer)


def deep(levels: int) -> Json:
    value: Json = {"id": 1}
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "answer",
    [
        structured(deep(5_000)),
        text("[" * 100_000),
        text(json.dumps([{"id": number} for number in range(10_000)])),
        structured({f"k{number}_id": number for number in range(300_000)}),
        text("id: " * 200_000),
        text(f"{UUID} " * 50_000),
        text("https://" * 100_000),
        text('{"id": ' + "9" * 10_000 + "}"),
        structured({"id": "x" * 1_000_000}),
        structured({"\ud800_id": "\ud800"}),
    ],
)
def test_large_answers_are_bounded(answer: ToolResult) -> None:
    began = time.process_time()
    found = Harvest().plus(LIST, answer)
    assert time.process_time() - began < 0.5
    assert len(found.values) <= VALUES
