"""The rule that every runtime tool but guard has: there must be a session to check anything."""

from mcp_check_core.model.defects import NO_CONNECTION
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.report import ErrorKind, RunError
from mcp_check_core.model.rule import Rule
from mcp_check_core.wire.connector import ConnectFailure, NotConnectedError

_HINTS = {
    ConnectFailure.SPAWN: "Check the command line and that the program is installed.",
    ConnectFailure.EXITED: (
        "Start it by hand and read what it writes to stderr; it may need a variable (--env, --pass-env)."
    ),
    ConnectFailure.CLOSED: "Keep stdin and stdout open until stdin is closed; log to stderr.",
    ConnectFailure.TIMEOUT: "Start it by hand; if it is only slow, give it more time by --startup-timeout.",
    ConnectFailure.REFUSED: "Answer initialize with a result that names a protocol version it speaks.",
    ConnectFailure.UNUSABLE: "Answer initialize as the specification's lifecycle page says.",
}
_HTTP_HINTS = {
    ConnectFailure.CLOSED: "Read the server's log: it closed the connection before a response was whole.",
    ConnectFailure.TIMEOUT: "Read the server's log; if it is only slow, give it more --startup-timeout.",
    ConnectFailure.REFUSED: "Check the path of the URL (commonly /mcp); initialize is to be answered there.",
}
"""For a server behind a URL, where that differs."""
_ERRORS = {
    ConnectFailure.AUTH: (ErrorKind.AUTH_REQUIRED, "give a credential by --header-env NAME=VARIABLE"),
    ConnectFailure.UNREACHABLE: (ErrorKind.UNREACHABLE, "check the address and the network"),
    ConnectFailure.CREDENTIAL: (ErrorKind.MISSING_CREDENTIAL, "set it, or give it by --header-env"),
}
"""What says nothing of the server, and what to do about it."""

RULE = Rule(
    id="core/no-connection",
    title="The server does not start or does not make the handshake",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    kinds=tuple(failure.value for failure in _HINTS),
    defect=NO_CONNECTION,
    references=("MCP specification, lifecycle: initialization",),
)


def connection_problem(problem: NotConnectedError) -> Finding | RunError:
    """Make what a report says of it: a finding on the server, or why it could not be checked.

    A login that is needed, a host that cannot be reached and a missing credential are no defects of a server.
    """
    if (known := _ERRORS.get(problem.failure)) is not None:
        kind, advice = known
        return RunError(kind, f"No session with the server: {problem.message}; {advice}.")
    return no_connection(problem)


def no_connection(problem: NotConnectedError) -> Finding:
    """Make the finding that there is no session with a server, for a failure that is the server's own."""
    hint = _HINTS[problem.failure]
    if "transport" in problem.evidence:
        hint = _HTTP_HINTS.get(problem.failure, hint)
    return RULE.finding(
        f"No session with the server: {problem.message}.",
        kind=problem.failure.value,
        hint=hint,
        evidence=problem.evidence,
    )
