"""The answer to initialize: an error, or a result with everything that a client needs."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Finding, Location, Severity
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.versions import HANDSHAKE_VERSIONS, MODERN_VERSIONS, has_handshake
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.rules.declare import (
    NO_PROCESS,
    Block,
    CheckName,
    Declared,
    IssueClass,
    Judgement,
    declare,
    not_applicable,
)
from mcp_stdio_guard.rules.quoting import answer_evidence

_SPEC = ("MCP specification, lifecycle: initialization",)


def _declare(
    code: str, title: str, severity: Severity = Severity.ERROR, kinds: tuple[str, ...] = ()
) -> Declared:
    return declare(
        code,
        title,
        severity,
        IssueClass.MCP_PROTOCOL,
        CheckName.INITIALIZE,
        kinds=kinds,
        references=_SPEC,
    )


ERROR = _declare("initialize-error", "initialize is answered with an error")
INVALID_RESULT = _declare(
    "initialize-invalid-result",
    "The answer to initialize cannot be read",
    kinds=("malformed", "too-large", "closed", "instructions"),
)
MISSING_VERSION = _declare(
    "initialize-missing-protocol-version", "The answer to initialize has no protocolVersion"
)
INVALID_VERSION = _declare(
    "initialize-invalid-protocol-version", "The answer to initialize names a version that nobody speaks"
)
ERA_MISMATCH = _declare("era-mismatch", "initialize is answered with a revision that has no initialize")
MISSING_CAPABILITIES = _declare(
    "initialize-missing-capabilities", "The answer to initialize has no capabilities"
)
INVALID_CAPABILITIES = _declare(
    "initialize-invalid-capabilities", "The capabilities in the answer to initialize are no objects"
)
MISSING_SERVER_INFO = _declare(
    "initialize-missing-server-info", "The answer to initialize has no serverInfo", Severity.WARNING
)
INVALID_SERVER_INFO = _declare(
    "initialize-invalid-server-info", "serverInfo lacks a name or a version", Severity.WARNING
)
_DECLARED = (
    ERROR,
    INVALID_RESULT,
    MISSING_VERSION,
    INVALID_VERSION,
    ERA_MISMATCH,
    MISSING_CAPABILITIES,
    INVALID_CAPABILITIES,
    MISSING_SERVER_INFO,
    INVALID_SERVER_INFO,
)
_OF_A_RESULT = _DECLARED[2:]
_NEWEST = HANDSHAKE_VERSIONS[-1]


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge the answer, if there was one."""
    if not run.process.started or run.handshake is None:
        yield from not_applicable(_DECLARED, NO_PROCESS)
        return
    reply = run.handshake.reply
    if reply.kind is ReplyKind.RESULT:
        yield from _version(reply)
        yield from _capabilities(reply)
        yield from _server_info(reply)
        yield from _instructions(reply)
        return
    yield from not_applicable(_OF_A_RESULT, "initialize was not answered with a result")
    if reply.kind is ReplyKind.ERROR and reply.error is not None:
        text = cut_text(reply.error.message, 120)
        yield ERROR.finding(
            f"initialize was answered with error {reply.error.code}: {text}",
            hint=f"Answer with a result that names a version you speak, such as {_NEWEST}.",
            evidence=answer_evidence(reply),
        )
    elif run.stopped_by_us or reply.kind is ReplyKind.TIMEOUT or run.process.alone:
        yield from not_applicable((ERROR, INVALID_RESULT), "initialize was not answered")
    else:
        yield _unreadable(reply)


def _unreadable(reply: Reply) -> Finding:
    kind, what = {
        ReplyKind.MALFORMED: ("malformed", "The answer to initialize cannot be read as a JSON-RPC response."),
        ReplyKind.TOO_LARGE: ("too-large", "The answer to initialize is over the limit of a line."),
    }.get(reply.kind, ("closed", "The server closed its stdout before it answered initialize."))
    if reply.kind is ReplyKind.MALFORMED and reply.error is not None:
        said = cut_text(reply.error.message, 120)
        what = f"The answer to initialize is an error that names no request: {said}"
    return INVALID_RESULT.finding(
        what,
        kind=kind,
        hint="Answer initialize with one line of JSON: jsonrpc, the id of the request, and a result object.",
        evidence=answer_evidence(reply),
    )


def _version(reply: Reply) -> Iterator[Finding]:
    version = reply.fields.get("protocolVersion")
    hint = (
        f"Answer with the version that was offered if you speak it, else with your newest, such as {_NEWEST}."
    )
    if version is None:
        yield MISSING_VERSION.finding("The answer to initialize has no protocolVersion.", hint=hint)
    elif not isinstance(version, str):
        yield INVALID_VERSION.finding(
            f"protocolVersion in the answer to initialize is {json_type(version)}, not a string.",
            hint=hint,
            evidence={"protocolVersion": cut_value(version)},
        )
    elif version in MODERN_VERSIONS:
        yield ERA_MISMATCH.finding(
            f"initialize was answered with {version}, a revision that has no initialize.",
            hint=f"Answer initialize with a revision that has it ({_NEWEST} or older); serve {version} "
            "through server/discover.",
            evidence={"protocolVersion": version},
        )
    elif not has_handshake(version):
        yield INVALID_VERSION.finding(
            f"initialize was answered with protocol version {cut_text(version, 60)!r}, which nobody speaks.",
            hint=hint,
            evidence={"protocolVersion": cut_text(version, 100)},
        )


def _capabilities(reply: Reply) -> Iterator[Finding]:
    capabilities = reply.fields.get("capabilities")
    hint = "Answer with an object that has one object for each capability, {} where there is none."
    if capabilities is None:
        yield MISSING_CAPABILITIES.finding("The answer to initialize has no capabilities.", hint=hint)
        return
    if not isinstance(capabilities, dict):
        yield INVALID_CAPABILITIES.finding(
            f"The capabilities in the answer to initialize are {json_type(capabilities)}, not an object.",
            hint=hint,
            evidence={"capabilities": cut_value(capabilities)},
        )
        return
    for name in KNOWN_CAPABILITIES:
        value: Json = capabilities.get(name, {})
        if not isinstance(value, dict):
            yield INVALID_CAPABILITIES.finding(
                f"The capability {name} is {json_type(value)}, not an object.",
                key=name,
                hint=hint,
                location=Location(pointer=f"/result/capabilities/{name}"),
                evidence={name: cut_value(value)},
            )


KNOWN_CAPABILITIES = ("tools", "resources", "prompts", "logging", "completions", "experimental", "tasks")
"""Capabilities of servers in the handshake era, each an object."""


def _server_info(reply: Reply) -> Iterator[Finding]:
    info = reply.fields.get("serverInfo")
    hint = "Send serverInfo with the strings name and version; clients of the SDKs refuse an answer without."
    if info is None:
        yield MISSING_SERVER_INFO.finding("The answer to initialize has no serverInfo.", hint=hint)
        return
    members = info if isinstance(info, dict) else {}
    wrong = [name for name in ("name", "version") if not isinstance(members.get(name), str)]
    if wrong:
        yield INVALID_SERVER_INFO.finding(
            f"serverInfo in the answer to initialize has no string for {' and '.join(wrong)}.",
            hint=hint,
            evidence={"serverInfo": cut_value(info)},
        )


def _instructions(reply: Reply) -> Iterator[Finding]:
    text = reply.fields.get("instructions", "")
    if not isinstance(text, str):
        yield INVALID_RESULT.finding(
            f"instructions in the answer to initialize are {json_type(text)}, not a string.",
            kind="instructions",
            hint="Leave instructions out where there are none.",
            evidence={"instructions": cut_value(text)},
        )


BLOCK = Block(_DECLARED, judge, early=True)
