"""What the server says to versions that nobody speaks: it must counter-offer one of its own."""

from collections.abc import Iterator, Sequence

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Severity
from mcp_check_core.wire.reply import ReplyKind
from mcp_stdio_guard.facts.versions import VersionOffer
from mcp_stdio_guard.rules.declare import Block, CheckName, IssueClass, Judgement, declare
from mcp_stdio_guard.rules.quoting import answer_evidence

_SPEC = ("MCP specification, lifecycle: version negotiation",)

ECHO = declare(
    "version-echo",
    "The server agrees to a protocol version that nobody speaks",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.INITIALIZE,
    references=(*_SPEC, "pgEdge/pgedge-postgres-mcp issue 212"),
)
REJECT = declare(
    "version-reject",
    "The server refuses an unknown protocol version instead of negotiating",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.INITIALIZE,
    kinds=("error", "silence", "exit"),
    references=(*_SPEC, "xpzouying/xiaohongshu-mcp issue 697"),
)
_DECLARED = (ECHO, REJECT)


def judge(offers: Sequence[VersionOffer]) -> Iterator[Judgement]:
    """Judge the answers: each echo counts, but only the first of a process may be called a refusal."""
    echoed = [offer.offered for offer in offers if offer.answered == offer.offered]
    if echoed:
        yield ECHO.finding(
            f"initialize with protocol version {' and '.join(echoed)} was agreed to; nobody speaks it.",
            hint="Compare the offer with the versions you implement and answer with your newest where it is "
            "not among them.",
            evidence={"offered": list(echoed)},
        )
    for offer in offers:
        if offer.number == 1 and (refusal := _refusal(offer)):
            kind, what = refusal
            yield REJECT.finding(
                f"initialize with the unknown protocol version {offer.offered} {what}.",
                kind=kind,
                hint="Answer with a result that names your newest version; the client decides what to do.",
                evidence={"offered": offer.offered, **answer_evidence(offer.reply)},
            )


def _refusal(offer: VersionOffer) -> tuple[str, str] | None:
    match offer.reply.kind:
        case ReplyKind.ERROR if offer.reply.error is not None:
            text = cut_text(offer.reply.error.message, 100)
            return "error", f"was refused with error {offer.reply.error.code} ({text})"
        case ReplyKind.TIMEOUT:
            return "silence", "was not answered"
        case ReplyKind.CLOSED | ReplyKind.UNSENT:
            return "exit", "ended the server"
    return None


BLOCK = Block(_DECLARED, judge)
