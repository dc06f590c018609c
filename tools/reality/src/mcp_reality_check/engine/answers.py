"""What each rule answers at the end of a run: what it looked at, or why it did not."""

from collections.abc import Sequence

from mcp_check_core.report.collector import Collector
from mcp_reality_check.engine.plan import Plan
from mcp_reality_check.facts.call import ToolCalls
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.registry import ANSWER_RULES, ENDING_RULES, TOOL_RULES
from mcp_reality_check.rules import schema_violation, unconfirmed_write

NO_TOOLS = "the server lists no tools"
NONE_READ_ONLY = "no tool is annotated readOnlyHint: true; --include-destructive calls all"
NONE_CHOSEN = "none of the server's tools is chosen by the options"
NO_SESSION = "there was no session with the server"
STOPPED_AT_START = "the server was ended at a limit of ours before there was a session"
NO_SUCCESS = "no call claims success"
NO_OUTPUT_SCHEMA = "no tool that was called declares an output schema"
NO_WRITE = "no write was made and answered behind which a tool of the same kind reads"
UNSEEN = (Outcome.STOPPED, Outcome.TOO_LARGE)
"""How a call ends that says nothing of what the tool would answer."""


def nothing_to_call(tools_total: int, plan: Plan) -> str | None:
    """Say why no tool is called at all; None where some are."""
    if tools_total == 0:
        return NO_TOOLS
    if plan.tools:
        return None
    reasons = {skipped.reason for skipped in plan.skipped}
    return NONE_READ_ONLY if any("readOnlyHint" in reason for reason in reasons) else NONE_CHOSEN


def answer_tool_rules(
    collector: Collector, plan: Plan, results: Sequence[ToolCalls], left_out: Sequence[str]
) -> None:
    """Let the rules that judge calls answer."""
    of = len(plan.tools)
    called = sum(bool(result.calls) for result in results)
    for module in ENDING_RULES:
        if called:
            collector.answered(module.RULE.id, judged=called, of=of)
        else:
            collector.could_not_tell(module.RULE.id, _no_call(left_out))
    for module in ANSWER_RULES:
        if not called:
            collector.could_not_tell(module.RULE.id, _no_call(left_out))
        elif module is schema_violation:
            _answer_schema(collector, results)
        elif module is unconfirmed_write:
            _answer_writes(collector, results)
        else:
            _answer_success(collector, module.RULE.id, results, of)


def answer_all(collector: Collector, reason: str, *, applies: bool) -> None:
    """Let the rules that judge calls give one and the same reason why they did not."""
    for module in TOOL_RULES:
        if applies:
            collector.not_run(module.RULE.id, reason)
        else:
            collector.not_applicable(module.RULE.id, reason)


def _no_call(left_out: Sequence[str]) -> str:
    return f"no call could be made: {left_out[0] if left_out else 'no input'}"


def _answer_success(collector: Collector, rule: str, results: Sequence[ToolCalls], of: int) -> None:
    judged = sum(bool(result.answers) for result in results)
    if judged:
        collector.answered(rule, judged=judged, of=of)
        return
    unseen = next((call for result in results for call in result.calls if call.outcome in UNSEEN), None)
    if unseen is not None:
        collector.could_not_tell(rule, f"no answer could be read: {unseen.ending.detail}")
    else:
        collector.not_applicable(rule, NO_SUCCESS)


def _answer_writes(collector: Collector, results: Sequence[ToolCalls]) -> None:
    """Let the rule on writes answer: it judges those behind which a tool of the same kind could read."""
    rule = unconfirmed_write.RULE.id
    judged = sum(any(write.reads for write in result.writes) for result in results)
    if judged:
        collector.answered(rule, judged=judged, of=sum(bool(result.writes) for result in results))
    else:
        collector.not_applicable(rule, NO_WRITE)


def _answer_schema(collector: Collector, results: Sequence[ToolCalls]) -> None:
    rule = schema_violation.RULE.id
    declaring = [result for result in results if result.output.declared and result.answers]
    judged = sum(
        any(result.output.judgeable(answer.result) for answer in result.answers) for result in declaring
    )
    if judged:
        collector.answered(rule, judged=judged, of=len(declaring))
    elif declaring:
        problem = declaring[0].output.problem or "the structured content is too large or too deep"
        collector.could_not_tell(rule, f"no output schema could be judged by: {problem}")
    else:
        collector.not_applicable(rule, NO_OUTPUT_SCHEMA)
