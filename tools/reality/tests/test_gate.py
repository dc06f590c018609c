"""The gate for an agent's own calls."""

from collections.abc import Mapping
from typing import Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent, Tool

from mcp_reality_check.gate import CallOutcome, Verdict, guarded_call, judge

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
TOOL = Tool(name="get_x", description="Return x.", input_schema={"type": "object"}, output_schema=SCHEMA)
REFUSAL = "I'm sorry, but I don't have access to your files."
FINE = {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"a": 1}}


class Session:
    """Answers each call with the same, and counts them."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.calls: list[tuple[str, Mapping[str, Any]]] = []

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> object:
        self.calls.append((name, arguments))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def guarded(session: Session, tool: object = TOOL) -> Verdict:
    return anyio.run(guarded_call, session, tool, {"secret": "s3cr3t-value"})


def test_a_good_answer_is_not_flagged() -> None:
    session = Session(CallToolResult(content=[TextContent(text='{"a": 1}')], structured_content={"a": 1}))
    verdict = guarded(session)
    assert (verdict.outcome, verdict.flagged, verdict.reasons) == (CallOutcome.OK, False, ())
    assert verdict.response is session.answer
    assert session.calls == [("get_x", {"secret": "s3cr3t-value"})]


def test_a_refusal_is_flagged_with_the_rule() -> None:
    verdict = guarded(Session(CallToolResult(content=[TextContent(text=REFUSAL)])), "get_x")
    assert verdict.flagged
    assert [reason.partition(":")[0] for reason in verdict.reasons] == ["reality/disguised-refusal"]


def test_a_response_that_breaks_its_schema_is_flagged() -> None:
    verdict = judge(TOOL, {}, {"content": [], "structuredContent": {"a": "s3cr3t-value"}})
    assert verdict.flagged
    assert "schema-violation" in verdict.reasons[0]
    assert "s3cr3t-value" not in str(verdict.reasons)


def test_an_honest_error_is_an_error_and_not_flagged() -> None:
    verdict = judge(TOOL, {}, CallToolResult(content=[TextContent(text=REFUSAL)], is_error=True))
    assert (verdict.outcome, verdict.flagged) == (CallOutcome.ERROR, False)


def test_a_definition_may_be_json() -> None:
    definition = {"name": "get_x", "outputSchema": SCHEMA}
    assert not judge(definition, {}, FINE).flagged
    assert judge(definition, {}, {"content": []}).flagged


@pytest.mark.parametrize(
    ("problem", "outcome", "flagged"),
    [
        (MCPError(code=-32602, message="Unknown tool"), CallOutcome.ERROR, False),
        (MCPError(code=-32000, message="Connection closed"), CallOutcome.CRASH, True),
        (MCPError(code=-32001, message="Request 'tools/call' timed out"), CallOutcome.TIMEOUT, True),
        (TimeoutError(), CallOutcome.TIMEOUT, True),
        (anyio.ClosedResourceError(), CallOutcome.CRASH, True),
        (ConnectionResetError(), CallOutcome.CRASH, True),
    ],
)
def test_a_call_that_raises(problem: Exception, outcome: CallOutcome, flagged: bool) -> None:
    session = Session(problem)
    verdict = guarded(session)
    assert (verdict.outcome, verdict.flagged, verdict.response) == (outcome, flagged, None)
    assert len(session.calls) == 1


def test_an_exception_of_the_caller_passes() -> None:
    with pytest.raises(KeyError):
        guarded(Session(KeyError("x")))


def test_what_is_no_response_is_refused() -> None:
    with pytest.raises(TypeError, match="neither a mapping"):
        judge(TOOL, {}, 7)
