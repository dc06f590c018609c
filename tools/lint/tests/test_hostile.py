"""Definitions made to hurt: bounded time and reports, and the other tools are judged all the same."""

import json
import time
from pathlib import Path

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.schema import validate
from mcp_lint.report_schema import report_schema
from tools.lint.tests.built import schema, tool, without
from tools.lint.tests.harness import Capture, ran, ran_json, written

LONG = "a" * 500_000
BACKTRACKING: Json = {"pattern": "^(a+)+$", "default": "a" * 40 + "b"}
BOTH: Json = {"readOnlyHint": True, "destructiveHint": True, "x": LONG}
NULL: Json = {"default": None, "type": "string"}
BARE: Json = without(tool("bare"), "description")
HOSTILE: dict[str, Json] = {
    "one word of 500 kB": tool("t", description=LONG),
    "500 kB of words": tool("t", description="do not tell the user " * 20_000),
    "a name of 500 kB": tool(LONG),
    "a property of 500 kB": tool("t", inputSchema=schema(**{LONG: NULL})),
    "a hint of 500 kB": tool("delete_t", annotations=BOTH),
    "a default of 500 kB": tool("t", inputSchema=schema(a={"type": "integer", "default": LONG})),
    "a reference of 500 kB": tool("t", inputSchema=schema(a={"$ref": f"#/{LONG}"})),
    "minLength": tool("t", inputSchema=schema(a={"type": "string", "minLength": 300_000_000})),
    "minItems": tool("t", inputSchema=schema(a={"type": "array", "minItems": 30_000_000})),
    "enum that is an object": tool("t", inputSchema=schema(a={"enum": {"a": 1}})),
    "no types": tool("t", inputSchema=schema(a={"type": []})),
    "branches that are texts": tool("t", inputSchema=schema(a={"anyOf": ["str"]})),
    "a pattern that backtracks": tool("t", inputSchema=schema(a=BACKTRACKING)),
    "properties that are an array": tool("t", inputSchema={"type": "object", "properties": ["a"]}),
    "required that is a text": tool("t", inputSchema={"type": "object", "required": "a"}),
    "brackets": tool("[red]t[/red]", description="[bold]x"),
    "5,000 properties": tool("t", inputSchema=schema(**{f"p{number}": {} for number in range(5_000)})),
    "half a pair": tool("t", description="half \ud800", inputSchema=schema(a={"default": "\udfff"})),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_definition(name: str, tmp_path: Path, capfdbinary: Capture) -> None:
    saved = str(written(tmp_path / "tools.json", [HOSTILE[name], BARE]))
    began = time.process_time()
    code, document = ran_json(capfdbinary, "check", saved)
    assert time.process_time() - began < 20
    assert code == 1
    assert validate(document, report_schema()) == []
    assert len(json.dumps(document)) < 1_000_000
    assert any(
        one["location"]["tool"] == "bare" for one in document["findings"] if one["ruleId"] == "lint/S1"
    )
    assert {one["outcome"] for one in document["rules"]} <= {"pass", "fail", "not_applicable"}
    code, out, _ = ran(capfdbinary, "check", "--min-severity", "info", saved)
    assert (code, len(out) < 100_000) == (1, True)
