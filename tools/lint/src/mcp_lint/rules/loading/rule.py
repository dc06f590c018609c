"""The declaration of S9, its kinds, and how far the damage of each reaches."""

from dataclasses import replace
from enum import StrEnum

from mcp_check_core.model.defects import NULL_DEFAULT, SCHEMA_INVALID
from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_lint.rules.declare import PROVEN, TOOLS_PAGE, declare


class LoadingFault(StrEnum):
    """Why a strict client cannot load a definition."""

    LIST = "list"
    ENTRY = "entry"
    TOO_DEEP = "too-deep"
    NAME_MISSING = "name-missing"
    NAME_DUPLICATE = "name-duplicate"
    NAME_CHARACTERS = "name-characters"
    NAME_LENGTH = "name-length"
    MEMBER_TYPE = "member-type"
    SCHEMA_MISSING = "schema-missing"
    SCHEMA_NOT_OBJECT = "schema-not-object"
    ROOT_TYPE = "root-type"
    SCHEMA_INVALID = "schema-invalid"
    UNRESOLVED_REF = "unresolved-ref"
    REMOTE_REF = "remote-ref"
    REQUIRED_UNDECLARED = "required-undeclared"
    DEFAULT_INVALID = "default-invalid"
    NULL_DEFAULT = "null-default"


RULE = declare(
    "S9",
    "A definition that strict clients cannot load",
    Severity.ERROR,
    Category.CONFORMANCE,
    kinds=tuple(fault.value for fault in LoadingFault),
    references=(
        TOOLS_PAGE,
        "JSON Schema 2020-12 and draft-07, meta-schemas",
        "kaeawc/auto-mobile issue 973",
        "modelcontextprotocol/typescript-sdk issue 1175",
        "langchain-ai/langsmith-mcp-server pull request 69",
        "tadata-org/fastapi_mcp issue 161",
        "Azure/data-api-builder issue 3049",
    ),
)
_ALL_LOST = "Clients on the TypeScript SDK validate the list as a whole: this one entry hides all tools."
_REFUSED = "Model APIs refuse each request that carries it, whatever tool is meant."
BLAST_RADIUS = {
    LoadingFault.LIST: "No client sees the tools that could not be listed.",
    LoadingFault.ENTRY: _ALL_LOST,
    LoadingFault.TOO_DEEP: "Clients that walk definitions by recursion fail on the whole list.",
    LoadingFault.NAME_MISSING: _ALL_LOST,
    LoadingFault.NAME_DUPLICATE: f"A client calls one of the two, none says which. {_REFUSED}",
    LoadingFault.NAME_CHARACTERS: _REFUSED,
    LoadingFault.NAME_LENGTH: _REFUSED,
    LoadingFault.MEMBER_TYPE: _ALL_LOST,
    LoadingFault.SCHEMA_MISSING: _ALL_LOST,
    LoadingFault.SCHEMA_NOT_OBJECT: _ALL_LOST,
    LoadingFault.ROOT_TYPE: _ALL_LOST,
    LoadingFault.SCHEMA_INVALID: _REFUSED,
    LoadingFault.UNRESOLVED_REF: "Clients that compile or inline schemas drop the tool, some all tools.",
    LoadingFault.REMOTE_REF: "A client may not fetch it, so that the schema says nothing at that place.",
    LoadingFault.REQUIRED_UNDECLARED: "Strict modes of model APIs and Gemini refuse the request for it.",
    LoadingFault.DEFAULT_INVALID: "A client that fills in defaults sends calls that the server must refuse.",
    LoadingFault.NULL_DEFAULT: "A client that fills in defaults sends null, which the schema itself forbids.",
}
"""What one such definition does to the others, by the public issues that the rule names."""
_DEFECTS = {
    LoadingFault.NULL_DEFAULT: NULL_DEFAULT,
    LoadingFault.SCHEMA_MISSING: SCHEMA_INVALID,
    LoadingFault.SCHEMA_NOT_OBJECT: SCHEMA_INVALID,
    LoadingFault.ROOT_TYPE: SCHEMA_INVALID,
    LoadingFault.SCHEMA_INVALID: SCHEMA_INVALID,
    LoadingFault.UNRESOLVED_REF: SCHEMA_INVALID,
}


def fault(
    kind: LoadingFault,
    message: str,
    hint: str,
    *,
    location: Location | None = None,
    key: str = "",
    severity: Severity = Severity.ERROR,
    evidence: dict[str, Json] | None = None,
) -> Finding:
    """Make a finding of one kind; its evidence says how far the damage reaches."""
    found = RULE.finding(
        message,
        kind=kind.value,
        severity=severity,
        location=location,
        key=key,
        hint=hint,
        evidence={**(evidence or {}), "reach": BLAST_RADIUS[kind]},
        certainty=PROVEN,
    )
    return replace(found, defect=_DEFECTS.get(kind))
