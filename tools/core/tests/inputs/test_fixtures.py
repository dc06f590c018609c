"""The fixtures file: what it may hold, one line for what it may not, and variables that stay out of sight."""

import json
from pathlib import Path

import pytest

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.fixtures import fixtures_file
from mcp_check_core.inputs.arguments import read_input_schema
from mcp_check_core.inputs.fixtures import FixturesError, Probe, expand, read_fixtures
from mcp_check_core.inputs.fixtures_starter import starter_document
from mcp_check_core.inputs.probe_gate import blocked
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import read_tools
from tools.core.tests.inputs.schemas import taking, tool


def content(*probes: Json, **beside: Json) -> bytes:
    return json.dumps({"version": 1, "probes": list(probes), **beside}).encode()


def test_a_whole_probe() -> None:
    probe: Json = {
        "tool": "read",
        "label": "a note",
        "args": {"path": "${FIXTURES_DIR}/a.txt", "deep": [{"k": "${HOME_OF_X}!"}], "n": 5, "plain": "$${X}"},
        "expect_error": True,
        "allow_destructive": True,
        "skip": False,
    }
    (found,) = read_fixtures(b"\xef\xbb\xbf" + content(probe)).probes
    assert (found.tool, found.label, found.expect_error, found.allow_destructive, found.skip) == (
        "read",
        "a note",
        True,
        True,
        False,
    )
    assert expand(found, {"HOME_OF_X": "secret-value"}, "/srv/f") == {
        "path": "/srv/f/a.txt",
        "deep": [{"k": "secret-value!"}],
        "n": 5,
        "plain": "${X}",
    }


def test_what_is_absent_has_a_default() -> None:
    (found,) = read_fixtures(content({"tool": "read"})).probes
    assert found == Probe(0, "read", {}, "read")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"version": 1,\n "probes": [}', "line 2, column 13: it is no JSON"),
        (b"\xff\xfe", "byte 0: it is not UTF-8"),
        (b"[]", "it is array, not an object"),
        (b'{"version": 2, "probes": []}', "/version: it must be 1"),
        (b'{"version": true, "probes": []}', "/version: it must be 1"),
        (b'{"version": 1}', "/probes: it must be an array"),
        (b'{"version": 1, "version": 1, "probes": []}', "the key 'version' is given twice"),
        (b'{"version": 1, "probes": [{"tool": "a", "args": {"x": NaN}}]}', "NaN is no number"),
        (b'{"version": 1, "probes": ' + b"[" * 100_000, "it is"),
        (
            b'{"version": 1, "probes": [{"tool": "a", "args": {"x": ' + b"9" * 5_000 + b"}}]}",
            "too long to read",
        ),
        (content({"tool": "a"}, mode="x"), "the key 'mode' is not known; there are version, probes"),
        (content({"tool": "a"}, {"tool": "a", "arg": {}}), "/probes/1: the key 'arg' is not known"),
        (content("read"), "/probes/0: it must be an object, and is string"),
        (content({"args": {}}), "/probes/0/tool: it must be the name of a tool"),
        (content({"tool": "a", "args": []}), "/probes/0/args: it must be an object, and is array"),
        (content({"tool": "a", "label": 5}), "/probes/0/label: it must be a text"),
        (content({"tool": "a", "skip": "yes"}), "/probes/0/skip: it must be true or false, and is string"),
        (content({"tool": "a", "args": {"p": ["${a b}"]}}), "/probes/0/args/p/0: '${' is not followed"),
        (b" " * 5_000_000, "5000000 bytes"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(FixturesError) as caught:
        read_fixtures(data)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_variable_that_is_not_set_is_named() -> None:
    (found,) = read_fixtures(content({"tool": "a", "args": {"key": ["${NOT_SET}"]}})).probes
    with pytest.raises(FixturesError, match=r"^/probes/0/args/key/0: the variable 'NOT_SET' is not set$"):
        expand(found, {"OTHER": "a-secret-value"}, "/srv")


def test_values_of_variables_are_only_where_they_are_sent(tmp_path: Path) -> None:
    path = tmp_path / "fixtures.json"
    path.write_bytes(
        content(
            {"tool": "a", "args": {"key": "${MY_KEY}"}},
            {"tool": "b", "args": {"key": "${ONLY_SKIPPED}"}, "skip": True},
        )
    )
    ready = fixtures_file(path, {"MY_KEY": "a-secret-value"}, "--fixtures")
    assert ready.secrets == ("a-secret-value",)
    assert [item.arguments for item in ready.ready] == [{"key": "a-secret-value"}]
    assert "a-secret-value" not in repr(ready.ready[0].probe)
    assert [probe.tool for probe in ready.skipped] == ["b"]


def test_the_folder_of_the_file_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fixtures.json").write_bytes(content({"tool": "a", "args": {"p": "${FIXTURES_DIR}/n"}}))
    monkeypatch.chdir(tmp_path)
    (item,) = fixtures_file(Path("fixtures.json"), {}, "--fixtures").ready
    assert item.arguments == {"p": f"{tmp_path}/n"}


def test_errors_of_the_command_name_option_file_and_place(tmp_path: Path) -> None:
    path = tmp_path / "fixtures.json"
    with pytest.raises(CommandError, match=r"^--fixtures: .*fixtures.json: No such file"):
        fixtures_file(path, {}, "--fixtures")
    path.write_bytes(content({"tool": "a", "args": {"k": "${NOT_SET}"}}))
    with pytest.raises(CommandError, match=r"fixtures.json: /probes/0/args/k: the variable 'NOT_SET'"):
        fixtures_file(path, {"OTHER": "a-secret-value"}, "--fixtures")


HINTS: dict[str, dict[str, Json]] = {
    "r": {"readOnlyHint": True},
    "w": {},
    "h": {"destructiveHint": False},
}
READ_ONLY, WRITING, HINTED = read_tools(
    [
        {"name": name, "inputSchema": taking({"type": "string"}), "annotations": hints}
        for name, hints in HINTS.items()
    ]
)
INPUTS = read_input_schema(READ_ONLY.input_schema)


def test_what_may_not_be_called_is_blocked() -> None:
    good: dict[str, Json] = {"x": "a"}
    assert blocked(Probe(0, "r", good), READ_ONLY, good, INPUTS) is None
    assert "skip" in str(blocked(Probe(0, "r", good, skip=True), READ_ONLY, good, INPUTS))
    for item in (WRITING, HINTED):
        assert "not annotated" in str(blocked(Probe(0, "w", good), item, good, INPUTS))
        assert "not annotated" in str(blocked(Probe(0, "w", good, expect_error=True), item, good, INPUTS))
        assert blocked(Probe(0, "w", good, allow_destructive=True), item, good, INPUTS) is None
    assert "lists no tool" in str(blocked(Probe(0, "u"), None, {}, INPUTS))
    assert blocked(Probe(0, "u", expect_error=True), None, {}, INPUTS) is None
    for bad in ({}, {"x": 5}):
        arguments: dict[str, Json] = dict(bad)
        assert "break the input schema" in str(blocked(Probe(0, "r"), READ_ONLY, arguments, INPUTS))
        assert blocked(Probe(0, "r", expect_error=True), READ_ONLY, arguments, INPUTS) is None


def test_the_starter_can_be_read_and_skips_everything() -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "api_key": {"type": "string", "default": "hunter2-hunter2"},
            "auth": {"type": "object", "properties": {"token": {"type": "string"}}, "required": ["token"]},
            "note": {"type": "string", "default": "costs ${PRICE}"},
        },
        "required": ["path", "api_key", "auth", "note"],
    }
    document = starter_document(
        [tool(schema, "write_file"), tool({"type": "object"}, "ping"), *read_tools([{"inputSchema": {}}])]
    )
    text = json.dumps(document)
    assert "hunter2" not in text
    probes = read_fixtures(text.encode()).probes
    assert [(probe.tool, probe.skip) for probe in probes] == [("write_file", True), ("ping", True)]
    assert probes[0].args == {
        "path": "${FIXTURES_DIR}/notes.txt",
        "api_key": "${API_KEY}",
        "auth": {"token": "${AUTH_TOKEN}"},
        "note": "costs $${PRICE}",
    }
