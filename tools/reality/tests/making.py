"""Facts made by hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_check_core.model.tool_result import read_tool_result
from mcp_reality_check.facts.call import Call, Input, Purpose, ToolCalls, tool_calls
from mcp_reality_check.facts.outcome import read_result
from mcp_reality_check.registry import TOOL_RULES


def tool(name: str = "get_note", **more: Json) -> ToolDefinition:
    """Make a reading tool."""
    definition: dict[str, Any] = {
        "name": name,
        "description": "Return what is asked for.",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True},
    }
    return read_tools([definition | more])[0]


def result(text: str | None = None, **more: Json) -> dict[str, Any]:
    """Make a tool result with one text block, or with none."""
    content = [] if text is None else [{"type": "text", "text": text}]
    return {"content": content, **more}


def call(
    answer: Mapping[str, Any],
    arguments: Mapping[str, Json] | None = None,
    purpose: Purpose = Purpose.REALISTIC,
) -> Call:
    """Make a call that was answered by a result."""
    return Call(purpose, Input(dict(arguments or {"id": "7"})), read_result(read_tool_result(answer)))


def facts(*calls: Call, of: ToolDefinition | None = None) -> ToolCalls:
    """Put calls of one tool together."""
    return tool_calls(of or tool(), calls)


def findings(seen: ToolCalls) -> Iterator[Finding]:
    """Give what all rules find."""
    return (finding for module in TOOL_RULES for finding in module.check(seen))


def ids(found: Sequence[Finding] | Iterator[Finding]) -> set[str]:
    """Give the rules of findings, without the tool's name."""
    return {finding.rule_id.removeprefix("reality/") for finding in found}


def judged(answer: Mapping[str, Any], name: str = "get_note", **more: Json) -> set[str]:
    """Give the rules that find something in one answer of a tool with `more` in its definition."""
    return ids(findings(facts(call(answer), of=tool(name, **more))))
