"""More on stderr than is kept: drained, counted, and no fault."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Severity
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

STDERR_LIMIT = declare(
    "stderr-output-limit-exceeded",
    "The server wrote more to stderr than is kept",
    Severity.INFO,
    IssueClass.INSTALL_RUNTIME,
    CheckName.PROCESS,
    references=("MCP specification, transports: stdio",),
)
_DECLARED = (STDERR_LIMIT,)


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Say so where stderr is over the limit; a client that does not drain it blocks the server."""
    if not run.process.started:
        yield from not_applicable(_DECLARED, NO_PROCESS)
    elif run.wire.stderr_bytes > run.wire.stderr_limit:
        yield STDERR_LIMIT.finding(
            f"The server wrote more than {run.wire.stderr_limit} bytes to stderr; the end of it is kept.",
            hint="Log less: a client that does not read stderr blocks the server once the pipe is full.",
            evidence={"limitBytes": run.wire.stderr_limit},
        )


BLOCK = Block(_DECLARED, judge)
