"""The end: the server lives until its stdin closes, ends then, and leaves nothing running."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.defects import LEFT_BEHIND, SERVER_DEATH
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.transcript import Phase
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.rules.declare import (
    NO_PROCESS,
    Block,
    CheckName,
    IssueClass,
    Judgement,
    declare,
    not_applicable,
)
from mcp_stdio_guard.rules.quoting import EXCERPT, exit_facts, exit_words, seconds

if TYPE_CHECKING:
    from mcp_check_core.process.launch import Exit, Shutdown

_SHUTDOWN = ("MCP specification, lifecycle: shutdown",)

CRASHED = declare(
    "server-crashed",
    "The server's process dies after the handshake",
    Severity.ERROR,
    IssueClass.INSTALL_RUNTIME,
    CheckName.PROCESS,
    kinds=("in-session", "at-shutdown"),
    defect=SERVER_DEATH,
)
SLOW_SHUTDOWN = declare(
    "slow-shutdown",
    "The server does not end when its stdin closes",
    Severity.WARNING,
    IssueClass.INSTALL_RUNTIME,
    CheckName.PROCESS,
    references=(*_SHUTDOWN, "microsoft/azure-devops-mcp issue 1598"),
)
LEFTOVER = declare(
    "process-left-behind",
    "A process of the server outlives its orderly end",
    Severity.ERROR,
    IssueClass.INSTALL_RUNTIME,
    CheckName.PROCESS,
    defect=LEFT_BEHIND,
    references=(*_SHUTDOWN, "ProxymanApp/Proxyman issue 2727"),
)
_DECLARED = (CRASHED, SLOW_SHUTDOWN, LEFTOVER)
_NAMED = 5
"""Processes left behind that are named; the others are counted."""


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge how the process ended and what it left."""
    if not run.process.started:
        yield from not_applicable(_DECLARED, NO_PROCESS)
        return
    yield from _crash(run)
    if run.process.shutdown is None:
        yield from not_applicable((SLOW_SHUTDOWN, LEFTOVER), "the server was not shut down in order")
        return
    yield from _slow(run, run.process.shutdown)
    yield from _leftovers(run.process.shutdown)


def _crash(run: RunFacts) -> Iterator[Judgement]:
    gone = run.process.exit
    if not run.initialized or run.process.breach is not None:
        yield from not_applicable((CRASHED,), "the server did not get past the handshake by itself")
    elif gone is None or gone.code == 0:
        return
    elif run.process.alone:
        yield _crashed(run, gone)
    elif run.process.shutdown is not None and not _ended_by_us(run.process.shutdown):
        yield CRASHED.finding(
            f"The server ended with {exit_words(gone)} when its stdin was closed.",
            kind="at-shutdown",
            severity=Severity.INFO if gone.signal is None else Severity.WARNING,
            hint="End with exit code 0 when stdin ends.",
            evidence={**exit_facts(gone), **_stderr(run)},
        )


def _crashed(run: RunFacts, gone: "Exit") -> Finding:
    detail = "nonzero-exit" if gone.signal is None else "signal-exit"
    label = next((reply.method for reply in run.replies if not reply.answered), None)
    during = f" while {label} was in flight" if label and run.process.died_in is Phase.OPERATION else ""
    return CRASHED.finding(
        f"The server's process ended with {exit_words(gone)} after the handshake{during}.",
        kind="in-session",
        hint="Answer bad or unexpected input with an error and keep running; stderr may say what went wrong.",
        evidence={**exit_facts(gone), "detailCode": f"{detail}-after-initialize", **_stderr(run)},
    )


def _slow(run: RunFacts, shutdown: "Shutdown") -> Iterator[Judgement]:
    if not shutdown.closed_stdin:
        yield from not_applicable((SLOW_SHUTDOWN,), "the server had ended before its stdin was closed")
    elif run.process.breach is None and _ended_by_us(shutdown):
        how = "nor of SIGTERM, and was killed" if shutdown.sent_sigkill else "and ended on SIGTERM"
        grace = seconds(run.process.stdin_grace_s)
        took = {} if shutdown.ms_to_exit is None else {"tookMs": round(shutdown.ms_to_exit)}
        yield SLOW_SHUTDOWN.finding(
            f"The server did not end within {grace} of the end of its stdin {how}.",
            hint="End when stdin ends; stop the timers and threads that keep the process alive.",
            evidence={"sigterm": shutdown.sent_sigterm, "sigkill": shutdown.sent_sigkill, **took},
        )


def _leftovers(shutdown: "Shutdown") -> Iterator[Judgement]:
    if not (left := shutdown.leftovers):
        return
    commands: list[Json] = [cut_text(member.command or member.name, 120) for member in left[:_NAMED]]
    were = "process of the server was" if len(left) == 1 else "processes of the server were"
    yield LEFTOVER.finding(
        f"{len(left)} {were} still running after it had ended in order.",
        hint="End what the server starts when its stdin ends; else orphans pile up.",
        evidence={"count": len(left), "commands": commands},
    )


def _ended_by_us(shutdown: "Shutdown") -> bool:
    return shutdown.sent_sigterm or shutdown.sent_sigkill


def _stderr(run: RunFacts) -> dict[str, Json]:
    tail = run.wire.stderr_tail[-EXCERPT:]
    return {"stderr": tail} if tail.strip() else {}


BLOCK = Block(_DECLARED, judge)
