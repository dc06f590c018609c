"""How findings quote what a server wrote."""

from typing import TYPE_CHECKING

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.reply import Reply
from mcp_check_core.wire.transcript import Frame, Phase

if TYPE_CHECKING:
    from mcp_check_core.process.launch import Exit

QUOTE = 80
"""Characters of a line in a message."""
EXCERPT = 300
"""Characters of a line in evidence."""

WHEN = {
    Phase.STARTUP: "before initialize was answered",
    Phase.POST_INITIALIZE: "after initialize was answered",
    Phase.OPERATION: "after initialize was answered",
    Phase.ADVERSARIAL: "during the adversarial probes",
    Phase.SHUTDOWN: "at shutdown",
}


def quote(text: str) -> str:
    """Put a bounded text in quotation marks."""
    return f"“{cut_text(text.strip(), QUOTE)}”"


def shown(frame: Frame) -> dict[str, Json]:
    """Describe one line for evidence: its number, phase, the request in flight, its text, what is wrong."""
    line: dict[str, Json] = {"line": frame.number, "phase": frame.phase.value}
    if frame.during is not None:
        line["during"] = cut_text(frame.during, QUOTE)
    line["text"] = cut_text(frame.excerpt, EXCERPT)
    if details := [fault.detail for fault in frame.faults if fault.detail]:
        line["detail"] = cut_text("; ".join(details), EXCERPT)
    return line


def answer_evidence(reply: Reply) -> dict[str, Json]:
    """Describe an answer for evidence."""
    evidence: dict[str, Json] = {}
    if reply.error is not None:
        evidence["error"] = {"code": reply.error.code, "message": cut_text(reply.error.message, EXCERPT)}
    elif reply.excerpt:
        evidence["answer"] = cut_text(reply.excerpt, EXCERPT)
    return evidence


def seconds(value: float) -> str:
    """Write a limit in seconds: `5 s`, `0.5 s`."""
    return f"{value:g} s"


def exit_words(gone: "Exit") -> str:
    """Say how a process ended: `exit code 1`, `signal 9`, or that it could not be seen."""
    if gone.signal is not None:
        return f"signal {gone.signal}"
    return "an end that could not be seen" if gone.code is None else f"exit code {gone.code}"


def exit_facts(gone: "Exit") -> dict[str, Json]:
    """Give the facts of an exit for evidence: `exitCode` or `signal`."""
    if gone.signal is not None:
        return {"signal": gone.signal}
    return {} if gone.code is None else {"exitCode": gone.code}
