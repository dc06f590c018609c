"""What each rule answers at the end of a run: what it looked at, or why it did not."""

from collections.abc import Sequence

from mcp_check_core.report.collector import Collector
from mcp_fuzz.engine.plan import Plan
from mcp_fuzz.facts.call import Leftovers, ToolCalls
from mcp_fuzz.registry import RULES, TOOL_RULES
from mcp_fuzz.rules import accepted_invalid, process_left_behind

NO_TOOLS = "the server lists no tools"
NONE_READ_ONLY = "no tool is annotated readOnlyHint: true; --include-destructive calls all"
NONE_CHOSEN = "none of the server's tools is chosen by the options"
NO_BAD_CALL = "no tool has an argument that could be left out or be of another type"
NO_BAD_CALL_JUDGED = "every call with bad arguments failed for want of something around the server"
NO_SESSION = "there was no session with the server"
STOPPED_AT_START = "the server was ended at a limit of ours before there was a session"
NEVER_IN_ORDER = "the server never ended in an orderly way, so that everything of it was ended together"


def nothing_to_call(tools_total: int, plan: Plan) -> str | None:
    """Say why no tool is called at all; None where some are."""
    if tools_total == 0:
        return NO_TOOLS
    if plan.tools:
        return None
    reasons = {skipped.reason for skipped in plan.skipped}
    return NONE_READ_ONLY if any("readOnlyHint" in reason for reason in reasons) else NONE_CHOSEN


def answer_tool_rules(collector: Collector, plan: Plan, results: Sequence[ToolCalls]) -> None:
    """Let the rules that judge calls answer."""
    called, of = sum(bool(result.calls) for result in results), len(plan.tools)
    for module in TOOL_RULES:
        rule = module.RULE.id
        if not called:
            reasons = [item.reason for tool in plan.tools for item in tool.left_out]
            collector.could_not_tell(rule, f"no call could be made: {reasons[0] if reasons else 'no case'}")
        elif module is accepted_invalid:
            _answer_accepted(collector, results, of)
        else:
            collector.answered(rule, judged=called, of=of)


def answer_all(collector: Collector, reason: str, *, applies: bool) -> None:
    """Let the rules that judge calls give one and the same reason why they did not."""
    for module in TOOL_RULES:
        if applies:
            collector.not_run(module.RULE.id, reason)
        else:
            collector.not_applicable(module.RULE.id, reason)


def answer_none(collector: Collector, reason: str) -> None:
    """Let every rule say why it did not look: that there is no session says nothing of the server."""
    for rule in RULES:
        collector.not_run(rule.id, reason)


def answer_without_session(collector: Collector, *, applies: bool) -> None:
    """Let all rules but the one on the connection answer where the server made no session.

    They do not apply to such a server. Where a limit of ours may be the cause, or the finding that says so
    is held back, they were meant to look (`applies`) and did not.
    """
    answer_all(collector, NO_SESSION, applies=applies)
    settle = collector.not_run if applies else collector.not_applicable
    settle(process_left_behind.RULE.id, NO_SESSION)


def answer_left_behind(collector: Collector, ends: Sequence[Leftovers]) -> None:
    """Let the rule on leftovers answer, from the orderly ends that were seen."""
    rule = process_left_behind.RULE
    for finding in process_left_behind.check(ends):
        collector.found(finding)
    if ends:
        collector.answered(rule.id)
    else:
        collector.not_applicable(rule.id, NEVER_IN_ORDER)


def _answer_accepted(collector: Collector, results: Sequence[ToolCalls], of: int) -> None:
    rule = accepted_invalid.RULE.id
    judged = sum(result.judged_invalid for result in results)
    if judged:
        collector.answered(rule, judged=judged, of=of)
    elif any(result.unjudged_invalid for result in results):
        collector.could_not_tell(rule, "no input schema of a tool with arguments can be used to judge a call")
    elif any(result.wanting for result in results):
        collector.not_applicable(rule, NO_BAD_CALL_JUDGED)
    else:
        collector.not_applicable(rule, NO_BAD_CALL)
