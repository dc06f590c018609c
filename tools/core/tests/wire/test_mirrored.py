import base64

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.mirrored import header_text, headers_of_tools, mirrored, param_headers

META: Json = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


def encoded(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain text!", "plain text!"),
        ("", ""),
        ("é", encoded("é")),
        (" edge", encoded(" edge")),
        ("a\r\nInjected: x", encoded("a\r\nInjected: x")),
        ("=?base64?eA==?=", encoded("=?base64?eA==?=")),
        (True, "true"),
        (False, "false"),
        (-7, "-7"),
        (1.5, None),
        (None, None),
        ([], None),
        ("\ud800", None),
    ],
)
def test_a_value_in_a_header(value: Json, text: str | None) -> None:
    assert header_text(value) == text


def test_a_number_of_more_digits_than_python_writes_has_no_header() -> None:
    assert header_text(10**5000) is None


SCHEMA: Json = {
    "type": "object",
    "x-mcp-header": "Root",
    "properties": {
        "city": {"type": "string", "x-mcp-header": "City"},
        "again": {"type": "string", "x-mcp-header": "CITY"},
        "ratio": {"type": "number", "x-mcp-header": "Ratio"},
        "bad": {"type": "string", "x-mcp-header": "a b"},
        "odd": {"type": "string", "x-mcp-header": 5},
        "deep": {"properties": {"count": {"type": "integer", "x-mcp-header": "Count"}}},
        "list": {"items": {"type": "string", "x-mcp-header": "Item"}},
        "broken": True,
    },
}


def test_which_properties_want_a_header() -> None:
    found = param_headers(SCHEMA)
    assert found.pop("Count") == ("deep", "count")
    assert list(found.values()) in ([("city",)], [("again",)])


@pytest.mark.parametrize("schema", [None, [], {}, {"properties": []}, {"properties": {"a": None}}])
def test_a_schema_of_any_shape_wants_none(schema: Json) -> None:
    assert param_headers(schema) == {}


def test_a_schema_of_many_levels_is_bounded() -> None:
    level: dict[str, Json] = {"type": "string", "x-mcp-header": "Deep"}
    for _ in range(500):
        level = {"properties": {"a": level}}
    assert param_headers(level) == {}


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({"method": "tools/list", "params": {"_meta": META}}, {"MCP-Protocol-Version": "2026-07-28"}),
        ({"method": "tools/call", "params": {"name": "é"}}, {"Mcp-Name": encoded("é")}),
        ({"method": "prompts/get", "params": {"name": "p", "uri": "u"}}, {"Mcp-Name": "p"}),
        ({"method": "resources/read", "params": {"uri": "file:///a"}}, {"Mcp-Name": "file:///a"}),
        ({"method": "completion/complete", "params": {"name": "p"}}, {}),
        ({"method": "tools/call", "params": []}, {}),
        (
            {
                "method": "tools/call",
                "params": {"name": "t", "arguments": {"city": "Oslo", "deep": {"count": 3}}},
            },
            {"Mcp-Name": "t", "Mcp-Param-City": "Oslo", "Mcp-Param-Count": "3"},
        ),
        ({"method": "tools/call", "params": {"name": "t", "arguments": [1]}}, {"Mcp-Name": "t"}),
        ({"method": "tools/call", "params": {"name": "t", "arguments": {"deep": 5}}}, {"Mcp-Name": "t"}),
    ],
)
def test_headers_repeat_the_body(body: dict[str, Json], headers: dict[str, str]) -> None:
    tools = headers_of_tools([{"name": "t", "inputSchema": SCHEMA}, {"name": 5}, "x", {"name": "u"}], 10)
    mine = {name: path for name, path in tools["t"].items() if name == "Count"}
    tools = {"t": {**mine, "City": ("city",)}}
    assert mirrored(body, tools) == {"Mcp-Method": body["method"], **headers}


def test_only_so_many_tools_are_looked_at() -> None:
    tools: Json = [{"name": str(number), "inputSchema": SCHEMA} for number in range(10)]
    assert len(headers_of_tools(tools, 3)) == 3
    assert headers_of_tools({"not": "a list"}, 3) == {}
