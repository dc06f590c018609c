"""Answers that stay in the output buffer of Python until the process ends."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Severity
from mcp_check_core.wire.message import MessageKind
from mcp_check_core.wire.transcript import Phase
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.rules.declare import Block, CheckName, IssueClass, Judgement, declare, not_applicable
from mcp_stdio_guard.rules.quoting import shown

BUFFERED = declare(
    "python-buffered-stdio",
    "Answers come only when Python flushes stdout at its exit",
    Severity.ERROR,
    IssueClass.INSTALL_RUNTIME,
    CheckName.PYTHON_BUFFERING,
    references=("Python documentation, command line: -u",),
)
_DECLARED = (BUFFERED,)


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge a Python that was started with buffered output: seen, not guessed from the command."""
    if not run.plain_python:
        yield from not_applicable(_DECLARED, "the command does not start Python with buffered output")
        return
    late = [
        frame
        for frame in run.wire.frames
        if frame.late
        and not frame.faults
        and frame.phase is Phase.SHUTDOWN
        and frame.kind is MessageKind.RESPONSE
    ]
    if late:
        yield BUFFERED.finding(
            "A request got no answer until stdin was closed: it came when Python flushed its output.",
            hint="Flush after each message, or start Python with -u or PYTHONUNBUFFERED=1.",
            evidence={"lines": [dict(shown(frame)) for frame in late[:3]]},
        )


BLOCK = Block(_DECLARED, judge)
