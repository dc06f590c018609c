"""What is read out of results: mirrored content, counts, blocks, substance, surroundings."""

from typing import Any

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool_result import read_tool_result
from mcp_reality_check.facts.content import bad_blocks
from mcp_reality_check.facts.counting import miscounts
from mcp_reality_check.facts.mirror import contradiction
from mcp_reality_check.facts.substance import says_little

from .making import result

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


def contradicts(text: str | list[str], structured: Json) -> str | None:
    texts = [text] if isinstance(text, str) else text
    content: list[Json] = [{"type": "text", "text": one} for one in texts]
    found = contradiction(read_tool_result({"content": content, "structuredContent": structured}))
    return None if found is None else found.pointer


@pytest.mark.parametrize(
    ("text", "structured", "pointer"),
    [
        ('{"a": 1}', {"a": 2}, "/a"),
        ('{"a": {"b": [1, 2]}}', {"a": {"b": [1, 3]}}, "/a/b/1"),
        ('{"items": [1, 2]}', {"items": [1, 2, 3]}, "/items"),
        ("[1, 2]", {"result": [1, 3]}, "/result/1"),
        (["0", "1"], {"result": [0, 2]}, "/result/1"),
        ("sunny", {"result": "rain"}, "/result"),
        ('{"result": {"a": 1}}', {"result": {"a": 2}}, "/result/a"),
        ('{"ok": true}', {"ok": 1}, "/ok"),
    ],
)
def test_text_that_says_otherwise(text: str | list[str], structured: Json, pointer: str) -> None:
    assert contradicts(text, structured) == pointer


@pytest.mark.parametrize(
    ("text", "structured"),
    [
        ('{\n  "a": 1,\n  "b": 2\n}', {"b": 2, "a": 1}),
        ("It is sunny.", {"weather": "rain"}),
        (["0", "1", "2"], {"result": [0, 1, 2]}),
        ("6", {"result": 6}),
        ("6.0", {"result": 6}),
        ("true", {"result": True}),
        ("hello", {"result": "hello"}),
        ('{"a": 1}', {"result": '{"a": 1}'}),
        ('[{"name": "x"}]', {"content": '[{"name": "x"}]'}),
        ('{"a": 1}', {"a": 1, "b": None}),
        ('{"a": 1, "b": null}', {"a": 1}),
        ('{"a": "1"}', {"a": 1}),
        ('{"result": {"a": 1}}', {"result": {"a": 1}}),
        ('{"result": [1]}', {"result": '{"result": [1]}'}),
        ('{"result": 120}', {"result": '{"result": 120}'}),
        ('{"x": 0.30000000000000004}', {"x": 0.3}),
        ("", {"a": 1}),
        ("[1, 2]", {"a": 1}),
    ],
)
def test_text_that_says_the_same_or_something_else(text: str | list[str], structured: Json) -> None:
    assert contradicts(text, structured) is None


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ('{"count": 3, "items": [1, 2]}', True),
        ('{"count": 2, "items": [1, 2]}', False),
        ('{"count": 9, "items": [1, 2], "next": "x"}', False),
        ('{"count": 9, "items": [1, 2], "total": 9}', False),
        ('{"count": 9, "items": [1], "others": [2]}', False),
        ('{"noteCount": 3, "notes": [1, 2]}', True),
        ('{"count": "3", "items": [1, 2]}', False),
        ('{"data": {"count": 1, "rows": []}}', True),
        ('{"word_count": 3, "items": [1, 2]}', False),
        ("count: 3", False),
    ],
)
def test_counts(value: str, wrong: bool) -> None:
    assert any(miscounts(read_tool_result(result(value)))) is wrong


def kinds(block: dict[str, Any], *, document: bool = False) -> set[str]:
    return {bad.kind for bad in bad_blocks(read_tool_result({"content": [block]}), document=document)}


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ({"type": "image", "mimeType": "image/png", "data": PNG}, None),
        ({"type": "image", "mimeType": "image/png", "data": "\n".join((PNG[:40], PNG[40:]))}, None),
        ({"type": "image", "mimeType": "image/jpeg", "data": PNG}, "other-type"),
        ({"type": "image", "mimeType": "image/png", "data": "data:image/png;base64," + PNG}, "not-base64"),
        ({"type": "image", "mimeType": "image/png", "data": PNG[:-3]}, "not-base64"),
        ({"type": "image", "mimeType": "image/png", "data": ""}, "not-base64"),
        ({"type": "image", "mimeType": "image/svg+xml", "data": "PHN2Zz4="}, None),
        ({"type": "image", "data": PNG}, "missing-member"),
        ({"type": "audio", "mimeType": "audio/wav", "data": PNG}, "other-type"),
        ({"type": "text"}, "missing-member"),
        ({"type": "text", "text": 7}, "missing-member"),
        ({"type": "resource", "resource": {"uri": "a://b"}}, "missing-member"),
        ({"type": "resource", "resource": {"uri": "a://b", "text": ""}}, None),
        (
            {"type": "resource", "resource": {"uri": "a://b", "mimeType": "image/png", "blob": "AAAA"}},
            "other-type",
        ),
        ({"type": "resource_link", "uri": "a://b"}, "missing-member"),
        ({"type": "resource_link", "uri": "a://b", "name": "b"}, None),
        ({"type": "hologram"}, None),
        ({"type": "text", "text": '{"a": 1, "b": [1, 2'}, "torn-json"),
        ({"type": "text", "text": '[{"a": "some wor'}, "torn-json"),
        ({"type": "text", "text": '{"a": 1}'}, None),
        ({"type": "text", "text": "[INFO] started"}, None),
        ({"type": "text", "text": '{"a": 1}\n{"b": 2}'}, None),
        ({"type": "text", "text": '{"a": "some wor... [truncated]'}, None),
        ({"type": "text", "text": "{name} is a placeholder"}, None),
    ],
)
def test_blocks(block: dict[str, Any], kind: str | None) -> None:
    assert kinds(block) == ({kind} if kind else set())


def test_a_part_of_a_file_may_end_anywhere() -> None:
    assert kinds({"type": "text", "text": '{"a": 1, "b": [1, 2'}, document=True) == set()


@pytest.mark.parametrize(
    ("text", "little"),
    [
        ("ok", True),
        ("No notes were found.", True),
        ('{"entities": [], "relations": []}', True),
        ('{"entities": [{"name": "Ada"}]}', False),
        ("Tomorrow it will be sunny with 21 degrees.", False),
    ],
)
def test_answers_that_say_little(text: str, little: bool) -> None:
    assert says_little(read_tool_result(result(text))) is little
