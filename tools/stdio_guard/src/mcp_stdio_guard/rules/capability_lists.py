"""Every advertised capability answers its list methods, with all their pages."""

from collections.abc import Iterator

from mcp_check_core.judges.environment import judge_environment
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.reply import ReplyKind
from mcp_stdio_guard.facts.run import TEMPLATES_LIST, TOOLS_LIST, ListFacts, ListOutcome, RunFacts
from mcp_stdio_guard.rules.declare import (
    NO_SESSION,
    Block,
    CheckName,
    Declared,
    IssueClass,
    Judgement,
    could_not_tell,
    declare,
    not_applicable,
)
from mcp_stdio_guard.rules.quoting import answer_evidence, seconds

_PAGES = "MCP specification, utilities: pagination"


def _declare(code: str, title: str, kinds: tuple[str, ...] = (), *references: str) -> Declared:
    return declare(
        code,
        title,
        Severity.ERROR,
        IssueClass.MCP_PROTOCOL,
        CheckName.CAPABILITIES,
        kinds=kinds,
        references=("MCP specification, lifecycle: capability negotiation", *references),
    )


ERROR = _declare("capability-list-error", "An advertised list is answered with an error", ("error", "shape"))
MISSING = _declare("capability-list-missing-response", "The server goes away instead of answering a list")
TIMEOUT = _declare("capability-list-timeout", "An advertised list is not answered in time")
UNSUPPORTED = _declare("capability-list-unsupported", "An advertised list has no method")
ENDLESS = _declare(
    "capability-list-endless",
    "The pages of a list repeat or never end",
    ("repeated-cursor", "page-limit", "item-limit"),
    _PAGES,
    "DeusData/codebase-memory-mcp issue 1247",
)
_DECLARED = (ERROR, MISSING, TIMEOUT, UNSUPPORTED, ENDLESS)
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
_SDK_1_UNKNOWN = "Invalid request parameters"
"""What Python SDKs before 2 say, with code -32602, to a method that they do not know."""


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge each list that was asked for."""
    if not run.initialized:
        yield from not_applicable(_DECLARED, NO_SESSION)
    elif not run.lists_asked:
        yield from not_applicable(_DECLARED, "this profile asks for no lists")
    elif not run.lists:
        yield from not_applicable(_DECLARED, "the server advertises no tools, resources or prompts")
    for listing in run.lists:
        if (wanting := _environment(listing)) is not None:
            yield from could_not_tell((ERROR,), wanting)
        elif listing.reply.answered or not run.stopped_by_us:
            yield from _judge_list(run, listing)


def _judge_list(run: RunFacts, listing: ListFacts) -> Iterator[Finding]:
    method, reply = listing.method, listing.reply
    evidence: dict[str, Json] = {"method": method, **answer_evidence(reply)}
    page = f"page {listing.pages + 1} of {method}" if listing.pages else method
    if listing.outcome is ListOutcome.NO_RESULT:
        match reply.kind:
            case ReplyKind.ERROR:
                yield _error(listing, page, evidence)
            case ReplyKind.TIMEOUT:
                yield TIMEOUT.finding(
                    f"The server did not answer {page} within {seconds(run.request_s)}.",
                    key=method,
                    hint="Answer lists without waiting for a backend, or give more time by --timeout.",
                    evidence=evidence,
                )
            case ReplyKind.CLOSED | ReplyKind.UNSENT:
                yield MISSING.finding(
                    f"The server closed its output or ended instead of answering {page}.",
                    key=method,
                    hint="Keep running and answer each request, with an error if need be.",
                    evidence=evidence,
                )
    elif listing.outcome is ListOutcome.BAD_SHAPE and method != TOOLS_LIST:
        yield ERROR.finding(
            f"The answer to {page} is no list: {listing.problem}.",
            key=method,
            kind="shape",
            hint="Answer with an array of the listed things, and nextCursor only as a string.",
            evidence=evidence,
        )
    elif not listing.complete and listing.outcome is not ListOutcome.BAD_SHAPE:
        yield _endless(listing, evidence)


def _environment(listing: ListFacts) -> str | None:
    """Say what a list that is answered with an error is for want of; None where it is the server's own fault.

    A backend that cannot be reached says nothing of the server, and no list could be looked at either.
    """
    error = listing.reply.error if listing.reply.kind is ReplyKind.ERROR else None
    if error is None or error.code == METHOD_NOT_FOUND:
        return None
    if (sign := judge_environment(error.message)) is None:
        return None
    return f"{listing.method} failed for want of {sign.kind.wanted}: {sign.excerpt}"


def _error(listing: ListFacts, page: str, evidence: dict[str, Json]) -> Finding:
    error = listing.reply.error
    code, message = (error.code, error.message) if error is not None else (0, "")
    unknown = code == METHOD_NOT_FOUND or (code == INVALID_PARAMS and message == _SDK_1_UNKNOWN)
    if unknown and not listing.pages:
        optional = listing.method == TEMPLATES_LIST
        return UNSUPPORTED.finding(
            f"The server advertises {listing.method.split('/')[0]}, but does not know {listing.method}.",
            key=listing.method,
            severity=Severity.INFO if optional else None,
            hint="Answer with an empty list if there is nothing, or do not advertise the capability.",
            evidence=evidence,
        )
    return ERROR.finding(
        f"The server answered {page} with error {code}: {cut_text(message, 120)}",
        key=listing.method,
        kind="error",
        hint="Answer with a list, an empty one if there is nothing to list.",
        evidence=evidence,
    )


def _endless(listing: ListFacts, evidence: dict[str, Json]) -> Finding:
    method, pages = listing.method, listing.pages
    words = {
        ListOutcome.REPEATED_CURSOR: f"Page {pages} of {method} has a cursor that was used before.",
        ListOutcome.PAGE_LIMIT: f"{method} had not ended after {pages} pages.",
        ListOutcome.ITEM_LIMIT: f"{method} had not ended after {len(listing.items)} items.",
    }
    many = listing.outcome is ListOutcome.ITEM_LIMIT
    evidence = {"method": listing.method, "pages": listing.pages, "items": len(listing.items)}
    return ENDLESS.finding(
        words[listing.outcome],
        key=listing.method,
        kind=listing.outcome.value,
        severity=Severity.WARNING if many else None,
        hint="Leave nextCursor out on the last page, and let each cursor lead on.",
        evidence=evidence,
    )


BLOCK = Block(_DECLARED, judge)
