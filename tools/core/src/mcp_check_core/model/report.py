"""The finished report of one tool, before any format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.grade import grade
from mcp_check_core.model.json_value import Json


class Outcome(StrEnum):
    """What became of a rule. Only `pass` and `fail` are answers; the others carry a reason."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    NOT_APPLICABLE = "not_applicable"
    NOT_RUN = "not_run"
    ERROR = "error"


class Status(StrEnum):
    """What became of a run. `incomplete`: it could not check all that it meant to."""

    PASS = "pass"  # noqa: S105 - a status, not a password
    WARNING = "warning"
    FAIL = "fail"
    INCOMPLETE = "incomplete"


class TargetKind(StrEnum):
    """What was checked."""

    SOURCE = "source"
    STDIO = "stdio"
    HTTP = "http"
    FILE = "file"


class ErrorKind(StrEnum):
    """Why a run is incomplete. A server that does not start is a finding, not one of these."""

    AUTH_REQUIRED = "auth_required"
    UNREACHABLE = "unreachable"
    MISSING_CREDENTIAL = "missing_credential"
    LIMIT = "limit"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The answer of one rule. `judged` of `of` tools were looked at, for a rule that judges tools."""

    rule: str
    outcome: Outcome
    reason: str | None = None
    findings: int = 0
    judged: int | None = None
    of: int | None = None


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """What the server called itself, and the protocol version that was agreed on."""

    name: str | None = None
    version: str | None = None
    protocol: str | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """What was checked, redacted. `cwd` is relative; `environment` holds names, never values."""

    kind: TargetKind
    command: tuple[str, ...] | None = None
    command_sha256: str | None = None
    url: str | None = None
    cwd: str | None = None
    environment: tuple[str, ...] = ()
    server: ServerIdentity | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A score from 0 to 100 with one decimal, and one sentence on what was counted out of what."""

    value: float
    basis: str

    @property
    def grade(self) -> str:
        """The letter of the shared scale."""
        return grade(self.value)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A tool of the server that was not checked, and why."""

    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the server was checked. `counts` holds what is particular to one of our tools."""

    tools_total: int = 0
    tools_checked: int = 0
    skipped: tuple[Skipped, ...] = ()
    counts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LimitHit:
    """A bound that was reached: its name, its value, and where."""

    limit: str
    value: Json
    where: str


@dataclass(frozen=True, slots=True)
class RunError:
    """Why a run is incomplete, in one sentence that says what to do."""

    kind: ErrorKind
    message: str


@dataclass(frozen=True, slots=True)
class Timings:
    """When the run started (UTC) and how long it and its phases took, in milliseconds."""

    started_at: datetime
    duration_ms: float
    phases: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that is held back, and why."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one tool has to say about one target.

    `details` is particular to the tool; `extra` are further members at the top of its document.
    """

    tool: str
    tool_version: str
    core_version: str
    target: Target
    rules: tuple[RuleResult, ...]
    findings: tuple[Finding, ...]
    timings: Timings
    schema_version: int = 1
    score: Score | None = None
    coverage: Coverage = field(default_factory=Coverage)
    suppressed: tuple[Suppressed, ...] = ()
    limits_hit: tuple[LimitHit, ...] = ()
    errors: tuple[RunError, ...] = ()
    details: Mapping[str, Json] = field(default_factory=dict)
    extra: Mapping[str, Json] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        """Incomplete beats fail beats warning beats pass."""
        if self.errors or any(rule.outcome in _UNANSWERED for rule in self.rules):
            return Status.INCOMPLETE
        worst = {finding.severity for finding in self.findings}
        if Severity.ERROR in worst:
            return Status.FAIL
        return Status.WARNING if Severity.WARNING in worst else Status.PASS

    @property
    def ok(self) -> bool:
        """No finding of error severity, and the run was complete."""
        return self.status in (Status.PASS, Status.WARNING)


_UNANSWERED = frozenset({Outcome.NOT_RUN, Outcome.ERROR})
