"""Which tools read what others write, and whether an answer shows it."""

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool_result import read_tool_result
from mcp_reality_check.facts.writing import content_values, readers, shows, writes, written_values

from .making import result, tool

WRITER: dict[str, Json] = {"readOnlyHint": False}


def names(writer: str, *others: str) -> list[str | None]:
    made = tool(writer, annotations=WRITER)
    return [found.name for found in readers(made, [tool(name) for name in others])]


@pytest.mark.parametrize(
    ("name", "read_only", "wanted"),
    [
        ("create_note", False, True),
        ("updateNote", False, True),
        ("delete_note", False, False),
        ("get_note", False, False),
        ("create_note", True, False),
    ],
)
def test_writers(name: str, read_only: bool, wanted: bool) -> None:
    assert writes(tool(name, annotations={"readOnlyHint": read_only})) is wanted


def test_readers_are_of_the_same_kind() -> None:
    assert names("create_note", "list_notes", "get_note", "get_user", "count_notes") == [
        "list_notes",
        "get_note",
    ]
    assert names("create", "list_notes") == []
    assert len(names("add_note", "get_note", "list_notes", "search_notes", "read_note")) == 3


def test_a_tool_that_does_not_say_that_it_reads_is_not_asked() -> None:
    other = tool("list_notes", annotations={})
    assert readers(tool("create_note", annotations=WRITER), [other]) == ()


def test_what_was_written_is_long_enough_to_be_told_from_chance() -> None:
    sent: dict[str, Json] = {"text": "buy bread", "tag": "x", "more": [{"name": "Ada L."}]}
    assert written_values(sent) == ("buy bread", "Ada L.")


def test_where_something_is_written_is_not_what_is_written() -> None:
    sent: dict[str, Json] = {"file_path": "/tmp/notes.txt", "documentId": "doc-17", "text": "buy bread"}
    assert content_values(sent) == ("buy bread",)


def test_an_answer_shows_it_in_whatever_form() -> None:
    values = ("Buy  bread",)
    assert shows(read_tool_result(result("notes: buy bread")), values)
    assert shows(read_tool_result({"content": [], "structuredContent": {"a": ["buy bread"]}}), values)
    embedded: Json = {"type": "resource", "resource": {"uri": "a://b", "text": "buy bread"}}
    assert shows(read_tool_result({"content": [embedded]}), values)
    assert not shows(read_tool_result(result("notes: none")), values)
