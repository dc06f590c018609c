"""Lines on stdout that no client can take for a message, for want of framing or of JSON.

Many lines with one fault in one part of a run are one finding with their count.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mcp_check_core.model.defects import STDOUT_NOISE
from mcp_check_core.model.finding import Severity
from mcp_check_core.wire.faults import FaultCode
from mcp_check_core.wire.transcript import Frame, Phase
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
from mcp_stdio_guard.rules.stray import Stray, grouped

_TRANSPORT = "MCP specification, transports: stdio"

NON_JSON = declare(
    "stdout-non-json",
    "A line on stdout is not JSON",
    Severity.ERROR,
    IssueClass.STDIO_TRANSPORT,
    CheckName.STDOUT,
    kinds=("byte-order-mark", "not-a-number"),
    defect=STDOUT_NOISE,
    references=(_TRANSPORT,),
)
EMPTY_LINE = declare(
    "stdout-empty-line",
    "An empty line on stdout",
    Severity.ERROR,
    IssueClass.STDIO_TRANSPORT,
    CheckName.STDOUT,
    defect=STDOUT_NOISE,
    references=(_TRANSPORT,),
)
CONTENT_LENGTH = declare(
    "stdout-content-length-framing",
    "Messages are framed by Content-Length headers",
    Severity.ERROR,
    IssueClass.STDIO_TRANSPORT,
    CheckName.STDOUT,
    references=(_TRANSPORT,),
)
INVALID_UTF8 = declare(
    "stdout-invalid-utf8",
    "A message on stdout is not valid UTF-8",
    Severity.ERROR,
    IssueClass.STDIO_TRANSPORT,
    CheckName.STDOUT,
    kinds=("lone-surrogate",),
    references=(_TRANSPORT,),
)
LINE_TOO_LARGE = declare(
    "stdout-line-too-large",
    "A line on stdout is over the limit",
    Severity.ERROR,
    IssueClass.STDIO_TRANSPORT,
    CheckName.STDOUT,
)
OUTPUT_LIMIT = declare(
    "stdout-output-limit-exceeded",
    "The server wrote more to stdout than the limit",
    Severity.ERROR,
    IssueClass.STDIO_TRANSPORT,
    CheckName.STDOUT,
)
WITHOUT_NEWLINE = declare(
    "stdout-without-newline",
    "The last message on stdout has no newline",
    Severity.ERROR,
    IssueClass.STDIO_TRANSPORT,
    CheckName.STDOUT,
    references=(_TRANSPORT,),
)
_DECLARED = (
    NON_JSON,
    EMPTY_LINE,
    CONTENT_LENGTH,
    INVALID_UTF8,
    LINE_TOO_LARGE,
    OUTPUT_LIMIT,
    WITHOUT_NEWLINE,
)
_TO_STDERR = "Write logs, banners and print() output to stderr; stdout is for protocol messages alone."

_NOISE = Stray(NON_JSON, "is no JSON", "are no JSON", _TO_STDERR)
_NOISE_HELD = replace(
    _NOISE,
    hint=f"{_TO_STDERR} Python may have held it back until its end: unbuffered (-u, PYTHONUNBUFFERED=1) it "
    "comes as soon as it is printed.",
)
_STRAYS = {
    FaultCode.CONTENT_LENGTH: Stray(
        CONTENT_LENGTH,
        "is a Content-Length header",
        "are Content-Length headers",
        "Write each message as one line of JSON that ends with a newline, without any header.",
    ),
    FaultCode.EMPTY_LINE: Stray(
        EMPTY_LINE,
        "is empty",
        "are empty",
        "Write one newline after each message and nothing else.",
    ),
    FaultCode.TOO_LARGE: Stray(
        LINE_TOO_LARGE,
        "is over the limit of a line",
        "are over the limit of a line",
        "Split large lists into pages and large results into parts, or raise --max-stdout-line-bytes.",
    ),
    FaultCode.NOT_JSON: _NOISE,
    FaultCode.BYTE_ORDER_MARK: Stray(
        NON_JSON,
        "begins with a byte order mark, which is no JSON",
        "begin with a byte order mark, which is no JSON",
        "Write stdout as UTF-8 without a byte order mark.",
        kind="byte-order-mark",
    ),
    FaultCode.NOT_A_NUMBER: Stray(
        NON_JSON,
        "holds NaN or Infinity, which JSON does not have",
        "hold NaN or Infinity, which JSON does not have",
        "Write null or a string in place of NaN and Infinity.",
        kind="not-a-number",
    ),
    FaultCode.INVALID_UTF8: Stray(
        INVALID_UTF8,
        "is not valid UTF-8",
        "are not valid UTF-8",
        "Set the encoding of stdout to UTF-8, whatever the locale.",
    ),
    FaultCode.LONE_SURROGATE: Stray(
        INVALID_UTF8,
        "holds half of a surrogate pair, which UTF-8 cannot hold",
        "hold half of a surrogate pair, which UTF-8 cannot hold",
        "Cut texts between characters, not within one.",
        kind="lone-surrogate",
        severity=Severity.WARNING,
    ),
    FaultCode.NO_NEWLINE: Stray(
        WITHOUT_NEWLINE,
        "ends without a newline",
        "end without a newline",
        "End each message with a newline and flush.",
    ),
}
_FIRST_OF = (
    FaultCode.CONTENT_LENGTH,
    FaultCode.EMPTY_LINE,
    FaultCode.TOO_LARGE,
    FaultCode.NOT_JSON,
)
"""Faults that explain the others of their line."""


@dataclass(slots=True)
class _Framing:
    """Whether headers were seen: the empty line behind a header, and a body without an end, belong to it."""

    header: int | None = None

    def explains(self, frame: Frame, fault: FaultCode) -> bool:
        if fault is FaultCode.EMPTY_LINE:
            return self.header == frame.number - 1
        return fault is FaultCode.NO_NEWLINE and self.header is not None


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge each received line; what we cut short ourselves is not the server's fault."""
    if not run.process.started:
        yield from not_applicable(_DECLARED, NO_PROCESS)
        return
    yield from grouped(_strays(run))
    if run.wire.over_limit:
        yield OUTPUT_LIMIT.finding(
            f"The server wrote more than {run.wire.stdout_limit} bytes to stdout; the rest was not read.",
            hint="Write less, or raise --max-stdout-bytes where so much is meant.",
            evidence={"limitBytes": run.wire.stdout_limit, "lines": run.wire.received},
        )


def _strays(run: RunFacts) -> Iterator[tuple[Stray, Frame]]:
    framing = _Framing()
    last = run.wire.received
    for frame in run.wire.frames:
        cut = run.wire.cut and frame.number == last
        for fault in _faults(frame, cut=cut, limit=run.wire.line_limit):
            if fault is FaultCode.CONTENT_LENGTH:
                framing.header = frame.number
            if not framing.explains(frame, fault):
                held = fault is FaultCode.NOT_JSON and run.plain_python and frame.phase is Phase.SHUTDOWN
                yield _NOISE_HELD if held else _STRAYS[fault], frame


def _faults(frame: Frame, *, cut: bool, limit: int) -> list[FaultCode]:
    codes = [fault.code for fault in frame.faults if fault.code in _STRAYS]
    if first := next((code for code in _FIRST_OF if code in codes), None):
        codes = [first]
    if cut:
        return [FaultCode.TOO_LARGE] if frame.size > limit else []
    return codes


BLOCK = Block(_DECLARED, judge, early=True)
