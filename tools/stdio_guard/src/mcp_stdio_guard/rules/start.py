"""The start: the process runs, stays, and answers initialize in time."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.defects import NO_CONNECTION
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.reply import ReplyKind
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
from mcp_stdio_guard.rules.quoting import EXCERPT, exit_facts, exit_words, quote, seconds

if TYPE_CHECKING:
    from mcp_check_core.process.launch import Exit

SLOW_S = 5.0
"""Seconds after which a start is called slow."""

SPAWN_FAILED = declare(
    "spawn-failed",
    "The server's command cannot be started",
    Severity.ERROR,
    IssueClass.INSTALL_RUNTIME,
    CheckName.INITIALIZE,
    CheckName.PROCESS,
    defect=NO_CONNECTION,
)
EXITED = declare(
    "server-exited",
    "The server ends by itself",
    Severity.ERROR,
    IssueClass.INSTALL_RUNTIME,
    CheckName.INITIALIZE,
    CheckName.PROCESS,
    kinds=("before-initialize", "after-initialize"),
    defect=NO_CONNECTION,
    references=("MCP specification, lifecycle: shutdown",),
)
TIMEOUT = declare(
    "initialize-timeout",
    "initialize is not answered in time",
    Severity.ERROR,
    IssueClass.INSTALL_RUNTIME,
    CheckName.INITIALIZE,
    defect=NO_CONNECTION,
    references=("MCP specification, lifecycle: initialization",),
)
SLOW = declare(
    "slow-startup",
    "The server takes long to answer initialize",
    Severity.WARNING,
    IssueClass.INSTALL_RUNTIME,
    CheckName.PROCESS,
)
_DECLARED = (SPAWN_FAILED, EXITED, TIMEOUT, SLOW)


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge how far the start came."""
    if not run.process.started:
        yield SPAWN_FAILED.finding(
            f"The server did not start: {run.process.spawn_message}.",
            hint="Check the command line and that the program is installed.",
            evidence={"code": run.process.spawn_code, "detailCode": "spawn-failed-before-startup"},
        )
        yield from not_applicable((EXITED, TIMEOUT, SLOW), NO_PROCESS)
        return
    gone = run.process.exit if run.process.alone else None
    if gone is not None and not run.initialized and run.process.breach is None:
        yield _exited_before(run, gone)
    if gone is not None and run.initialized and gone.code == 0:
        yield EXITED.finding(
            "The server ended with exit code 0 after the handshake, while its stdin was open.",
            kind="after-initialize",
            hint="Keep running until stdin ends.",
            evidence={"exitCode": 0, "detailCode": "clean-exit-after-initialize", **_stderr(run)},
        )
    if run.handshake is not None and run.handshake.reply.kind is ReplyKind.TIMEOUT:
        yield TIMEOUT.finding(
            f"The server did not answer initialize within {seconds(run.startup_s)}.",
            hint="Start it by hand and send initialize; if it is slow, give it time by --startup-timeout.",
            evidence={"detailCode": "startup-timeout", **_stderr(run)},
        )
    yield from _slow(run)


def _exited_before(run: RunFacts, gone: "Exit") -> Finding:
    ended = "clean-exit" if gone.code == 0 else "nonzero-exit"
    detail = ended if gone.signal is None else "signal-exit"
    error = run.handshake.reply.error if run.handshake is not None else None
    said = f"; it sent an error that names no request: {quote(error.message)}" if error is not None else ""
    return EXITED.finding(
        f"The server ended with {exit_words(gone)} before it answered initialize{said}.",
        kind="before-initialize",
        hint="Start it by hand and read its stderr; it may need a variable (--env, --pass-env).",
        evidence={**exit_facts(gone), "detailCode": f"{detail}-before-initialize", **_stderr(run)},
    )


def _slow(run: RunFacts) -> Iterator[Judgement]:
    answered = run.handshake is not None and run.handshake.reply.answered
    if not answered or run.startup_ms is None:
        yield from not_applicable((SLOW,), "initialize was not answered")
    elif run.startup_ms > SLOW_S * 1000:
        yield SLOW.finding(
            f"The server took more than {seconds(SLOW_S)} to answer initialize.",
            hint="Answer initialize first and load what is heavy after it; clients give up early.",
            evidence={"tookMs": round(run.startup_ms)},
        )


def _stderr(run: RunFacts) -> dict[str, Json]:
    tail = run.wire.stderr_tail[-EXCERPT:]
    return {"stderr": cut_text(tail, EXCERPT)} if tail.strip() else {}


BLOCK = Block(_DECLARED, judge)
