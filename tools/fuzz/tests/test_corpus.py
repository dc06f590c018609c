"""Recorded tool lists of public servers: nearly every tool gets a valid call and is judged by its schema."""

import json
from pathlib import Path

from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_fuzz.facts.case import Phase, Validity
from mcp_fuzz.inputs.cases import tool_cases
from mcp_fuzz.options import Depth


def recorded(corpus: Path) -> list[ToolDefinition]:
    documents = (json.loads(path.read_text("utf-8")) for path in sorted(corpus.glob("*.json")))
    return [tool for document in documents for tool in read_tools(document.get("tools", []))]


def test_recorded_tools_get_valid_calls(corpus: Path) -> None:
    tools = recorded(corpus)
    plans = [tool_cases(tool, seed=0, depth=Depth.NORMAL) for tool in tools]
    valid = [
        any(case.phase is Phase.VALID and case.validity is Validity.VALID for case in plan.cases)
        for plan in plans
    ]
    assert len(tools) > 1_000
    assert sum(valid) / len(tools) > 0.995
    assert all(
        case.validity is not Validity.VALID or case.phase is Phase.VALID
        for plan in plans
        for case in plan.cases
    )
