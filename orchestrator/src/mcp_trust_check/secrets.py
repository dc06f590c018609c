"""Redaction at this level: what a tool's stderr or a half document says passes here before it is shown."""

from collections.abc import Mapping, Sequence

from mcp_check_core.model.finding import Category, Certainty, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import ErrorKind, Outcome, Status, TargetKind
from mcp_check_core.report.redact import Redactor, argv_secrets
from mcp_trust_check.confidence import Level
from mcp_trust_check.decision import FINDING_RULES, STATE_RULES, Decision
from mcp_trust_check.fail_on import FailOn
from mcp_trust_check.tool_state import State
from mcp_trust_check.toolset import TOOLS

_WORDS = (
    Category,
    Certainty,
    Severity,
    ErrorKind,
    Outcome,
    Status,
    TargetKind,
    Level,
    Decision,
    FailOn,
    State,
)


def contract_words() -> frozenset[str]:
    """Return the words that documents are made of; a variable with such a value hides nothing."""
    words = {word.value for kind in _WORDS for word in kind}
    words |= {rule.id for rule in FINDING_RULES} | set(STATE_RULES)
    return frozenset(words | {name for tool in TOOLS for name in (tool.short, tool.command, tool.module)})


def redactor_for(command: Sequence[str], variables: Mapping[str, str]) -> Redactor:
    """Make the redactor of a run: for the values of its variables, and for secrets in its command."""
    known = contract_words()
    secrets = {**argv_secrets(command), **variables}
    return Redactor({name: value for name, value in secrets.items() if value not in known})


def redacted(document: Mapping[str, Json], redactor: Redactor) -> dict[str, Json]:
    """Hide secrets in everything that a document says."""
    hidden = redactor.value(dict(document))
    if not isinstance(hidden, dict):
        raise TypeError("an object stays an object")
    return hidden
