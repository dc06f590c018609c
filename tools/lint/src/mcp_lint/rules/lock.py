"""The rule of the lockfile: a definition changed since it was reviewed."""

from mcp_check_core.judges.change_kinds import Change, ChangeKind
from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.model.rule import Rule
from mcp_lint.facts.pointers import parts_of
from mcp_lint.rules.declare import PROVEN, declare

RULE = declare(
    "lock",
    "A definition changed since it was reviewed",
    Severity.ERROR,
    Category.SECURITY,
    kinds=tuple(kind.value for kind in ChangeKind),
    references=(
        "postmark-mcp 1.0.16, public write-ups",
        "gethelio/helio pull request 59",
        "OWASP/MCP-Taxonomy pull request 11",
    ),
    cwe=(494,),
    owasp_mcp=(3, 4),
)
_SAYS = {
    ChangeKind.DESCRIPTION: "Its description changed",
    ChangeKind.TITLE: "Its title changed",
    ChangeKind.SCHEMA_TEXT: "A text in its schema changed",
    ChangeKind.INSTRUCTIONS: "The server's instructions changed",
    ChangeKind.INSTRUCTIONS_REMOVED: "The server's instructions are gone",
    ChangeKind.INSTRUCTIONS_UNCHECKED: "The server's instructions could not be compared",
    ChangeKind.SCHEMA_WIDENED: "Its schema asks for more or allows more",
    ChangeKind.SCHEMA: "Its schema changed",
    ChangeKind.OUTPUT_SCHEMA: "Its output schema changed",
    ChangeKind.ANNOTATIONS: "Its annotations changed",
    ChangeKind.TOOL_ADDED: "The tool is new",
    ChangeKind.TOOL_REMOVED: "The tool is gone",
    ChangeKind.TOOL_RENAMED: "The tool has another name",
    ChangeKind.DUPLICATE_TOOL: "The name is listed more than once",
    ChangeKind.META: "Its _meta changed",
    ChangeKind.DEFINITION: "Another member of its definition changed",
    ChangeKind.SERVER: "What the server says of itself changed",
    ChangeKind.PACKAGE: "The package changed",
}
_TEXTS = {
    ChangeKind.DESCRIPTION: "Its description",
    ChangeKind.TITLE: "Its title",
    ChangeKind.SCHEMA_TEXT: "A text in its schema",
}
_VARIANTS = {
    "quiet": " by white space, letter case or words without weight",
    "safer": " and claim to be safer than before",
    "flipped": ": a hint was turned",
    "title": ": the title",
    "trigger": " and its words are worth a look",
}
_HINT = "Read the new text as an instruction to a model; if it is right, accept it: mcp-lint lock --accept."
_HINTS = {
    "lint/lock-clients": "List the same definitions to every client; a reviewer sees those of one alone.",
    "lint/lock-repeat": "List the same definitions at each start; a review holds for one of them alone.",
}


def finding_of(change: Change, digest: str, rule: Rule = RULE, seen_by: str | None = None) -> Finding:
    """Make the finding of a change; `digest` is that of the whole new definition.

    The digest is part of the finding's identity, so that a baseline which accepts one change of a place does
    not accept the next one. `seen_by` names the client or start that was shown the new definition.
    """
    parts = parts_of(change.pointer)
    inside = parts[:2] == ("inputSchema", "properties") and len(parts) > 2
    gone = change.kind in _TEXTS and change.after is None
    return rule.finding(
        f"{_TEXTS[change.kind]} is gone."
        if gone
        else f"{_SAYS[change.kind]}{_VARIANTS.get(change.variant or '', '')}{_said(change)}.",
        kind=change.kind.value,
        severity=change.severity,
        location=Location(
            tool=change.tool, parameter=parts[2] if inside else None, pointer=change.pointer or None
        ),
        key=f"{change.pointer} {digest}",
        hint=_HINTS.get(rule.id, _HINT) if change.severity is Severity.ERROR else None,
        evidence={**_evidence(change), **({"seenBy": seen_by} if seen_by else {})},
        certainty=PROVEN,
    )


def _said(change: Change) -> str:
    if change.kind is ChangeKind.TOOL_RENAMED:
        return f": from {change.before!r} to {change.after!r}"
    if change.excerpt:
        return f": now “{change.excerpt}”"
    scalars = all(json_type(each) not in ("object", "array") for each in (change.before, change.after))
    if scalars and change.pointer and change.excerpt is None:
        return f": from {_short(change.before)} to {_short(change.after)}"
    return ""


def _short(value: Json) -> str:
    return "nothing" if value is None else f"“{value}”" if isinstance(value, str) else str(value).lower()


def _evidence(change: Change) -> dict[str, Json]:
    evidence: dict[str, Json] = {"band": change.band.value, "before": change.before, "after": change.after}
    if change.variant:
        evidence["variant"] = change.variant
    return evidence
