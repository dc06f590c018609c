"""Requests that the user asked for (`--request`) are answered with a result."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.reply import ReplyKind
from mcp_stdio_guard.facts.run import Operation, RunFacts
from mcp_stdio_guard.rules.declare import (
    NO_SESSION,
    Block,
    CheckName,
    Declared,
    IssueClass,
    Judgement,
    declare,
    not_applicable,
)
from mcp_stdio_guard.rules.quoting import answer_evidence, seconds


def _declare(code: str, title: str, issue_class: IssueClass) -> Declared:
    return declare(code, title, Severity.ERROR, issue_class, CheckName.OPERATION)


MISSING = _declare(
    "operation-missing-response", "The server goes away instead of answering", IssueClass.INSTALL_RUNTIME
)
TIMEOUT = _declare("operation-timeout", "A request is not answered in time", IssueClass.INSTALL_RUNTIME)
ERROR = _declare("operation-error", "A request is answered with an error", IssueClass.MCP_PROTOCOL)
_DECLARED = (MISSING, TIMEOUT, ERROR)


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge the end of each request that was asked for."""
    if not run.initialized:
        yield from not_applicable(_DECLARED, NO_SESSION)
    elif not run.operations:
        yield from not_applicable(_DECLARED, "no request was asked for (--request)")
    for number, operation in enumerate(run.operations, start=1):
        yield from _judge_operation(run, operation, key=f"{number} {operation.method}")


def _judge_operation(run: RunFacts, operation: Operation, key: str) -> Iterator[Judgement]:
    reply, method = operation.reply, cut_text(operation.method, 80)
    evidence = answer_evidence(reply)
    again: Json = {"method": operation.method, "params": cut_value(operation.params)}
    match reply.kind:
        case ReplyKind.ERROR if reply.error is not None:
            text = cut_text(reply.error.message, 120)
            yield ERROR.finding(
                f"{method} was answered with error {reply.error.code}: {text}",
                key=key,
                hint="Check the method and its --params; if they are right, answer with a result.",
                evidence=evidence,
                reproduce=again,
            )
        case ReplyKind.TIMEOUT:
            yield TIMEOUT.finding(
                f"{method} was not answered within {seconds(run.request_s)}.",
                key=key,
                hint="Answer each request, with an error if need be, or give more time by --timeout.",
                evidence={"detailCode": "request-timeout"},
                reproduce=again,
            )
        case ReplyKind.CLOSED | ReplyKind.UNSENT if not run.stopped_by_us:
            yield MISSING.finding(
                f"The server closed its output or ended before it answered {method}.",
                key=key,
                hint="Keep running and answer each request, with an error if need be.",
                evidence=_exit_detail(run),
                reproduce=again,
            )


def _exit_detail(run: RunFacts) -> dict[str, Json]:
    gone = run.process.exit if run.process.alone else None
    if gone is None:
        return {}
    if gone.signal is not None:
        return {"detailCode": "signal-exit-during-operation"}
    return {"detailCode": f"{'clean' if gone.code == 0 else 'nonzero'}-exit-during-operation"}


BLOCK = Block(_DECLARED, judge)
