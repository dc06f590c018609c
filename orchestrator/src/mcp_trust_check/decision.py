"""The decision: explicit rules over findings and tools.

The worst rule that fires wins; all that fire are listed. Nothing else decides. A warning about
quality fires no rule, a suppressed finding fires none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.defects import LEFT_BEHIND
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_trust_check.tool_state import State, ToolState


class Decision(StrEnum):
    """What to do with the server."""

    BLOCK = "BLOCK"
    FIX_FIRST = "FIX-FIRST"
    SHIP = "SHIP"

    @property
    def rank(self) -> int:
        """Order of badness, 0 for the worst."""
        return list(Decision).index(self)


@dataclass(frozen=True, slots=True)
class Match:
    """What a finding must be; a member that is not set asks for nothing.

    `rules` are whole ids, or beginnings that end in `*`. A finding without a kind is taken
    to be of it.
    """

    tool: str | None = None
    rules: tuple[str, ...] = ()
    severity: Severity | None = None
    categories: tuple[Category, ...] = ()
    kind: str | None = None
    defect: str | None = None
    but: tuple[str, ...] = ()

    def fits(self, short: str, finding: Finding) -> bool:
        """Tell whether a finding that the tool `short` made is one."""
        return (
            self.tool in (None, short)
            and (not self.rules or _named(finding.rule_id, self.rules))
            and self.severity in (None, finding.severity)
            and (not self.categories or finding.category in self.categories)
            and (self.kind is None or finding.kind in (None, self.kind))
            and self.defect in (None, finding.defect)
            and finding.rule_id not in self.but
        )


@dataclass(frozen=True, slots=True)
class FindingRule:
    """Fires on each finding that one of `matches` fits. `rest`: only on those that fired no rule above it."""

    id: str
    decision: Decision
    means: str
    matches: tuple[Match, ...]
    rest: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule that fired for one tool, with the findings that it fired on, and what it means."""

    rule: str
    decision: Decision
    tool: str
    means: str
    findings: tuple[Finding, ...] = ()


_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
_BLOCK, _FIX = Decision.BLOCK, Decision.FIX_FIRST

REPOSITORY_DOCUMENTS = (
    "doctor/readme-missing",
    "doctor/readme-tool-missing",
    "doctor/license-missing",
    "doctor/tests-missing",
)
"""Doctor's findings about the repository as a whole, which never decide."""

DEATHS = (
    "fuzz/crash",
    "reality/call-crashed",
    "guard/server-crashed",
    "guard/operation-missing-response",
    "guard/capability-list-missing-response",
    "guard/adversarial-probe-crash",
)
NO_CONNECTION = (
    "core/no-connection",
    "guard/spawn-failed",
    "guard/server-exited",
    "guard/initialize-timeout",
)
NOT_PROTOCOL = (
    "guard/stdout-non-json",
    "guard/stdout-invalid-json-rpc",
    "guard/stdout-batch",
    "guard/stdout-content-length-framing",
    "guard/stdout-empty-line",
    "guard/stdout-without-newline",
    "guard/stdout-invalid-utf8",
)
HANDSHAKE = (
    "guard/initialize-*",
    "guard/discover-invalid-result",
    "guard/version-reject",
    "guard/era-mismatch",
)

FINDING_RULES = (
    # BLOCK
    FindingRule(
        "unsafe-source",
        _BLOCK,
        "the source is unsafe",
        (Match(tool="doctor", severity=_ERROR, categories=(Category.SECURITY,)),),
    ),
    FindingRule("server-died", _BLOCK, "the server died on a request", (Match(rules=DEATHS),)),
    FindingRule(
        "never-connected", _BLOCK, "there was no session with the server", (Match(rules=NO_CONNECTION),)
    ),
    FindingRule(
        "stdout-not-protocol",
        _BLOCK,
        "standard output carries what is not protocol",
        (Match(rules=NOT_PROTOCOL, severity=_ERROR),),
    ),
    FindingRule(
        "handshake-failed",
        _BLOCK,
        "the handshake is wrong",
        (Match(rules=HANDSHAKE, severity=_ERROR, but=NO_CONNECTION),),
    ),
    FindingRule(
        "disguised-refusal",
        _BLOCK,
        "a refusal is given out as a success",
        (Match(rules=("reality/disguised-refusal",), severity=_ERROR),),
    ),
    FindingRule(
        "hidden-text",
        _BLOCK,
        "a definition hides text or steers the model",
        (Match(rules=("lint/S8",), severity=_ERROR),),
    ),
    FindingRule(
        "known-bad-release",
        _BLOCK,
        "the release is known to be malicious",
        (Match(rules=("lint/I1",), kind="known_bad", severity=_ERROR),),
    ),
    FindingRule(
        "changed-since-review",
        _BLOCK,
        "a definition changed since it was reviewed",
        (Match(rules=("lint/lock", "lint/lock-*"), severity=_ERROR),),
    ),
    FindingRule(
        "proven-attack",
        _BLOCK,
        "an attack went through",
        (Match(rules=("fuzz/injection-proof", "fuzz/secret-in-output")),),
    ),
    # FIX-FIRST
    FindingRule(
        "source-security-warning",
        _FIX,
        "the source has a weakness",
        (Match(tool="doctor", severity=_WARNING, categories=(Category.SECURITY,)),),
    ),
    FindingRule(
        "source-fault",
        _FIX,
        "the source breaks the protocol or leaves an agent without a description",
        (
            Match(
                tool="doctor",
                severity=_ERROR,
                categories=(Category.CONFORMANCE, Category.DOCUMENTATION),
                but=REPOSITORY_DOCUMENTS,
            ),
        ),
    ),
    FindingRule(
        "orphaned-child",
        _FIX,
        "deleting a parent leaves its children",
        (Match(rules=("fuzz/orphaned-child",)),),
    ),
    FindingRule(
        "left-behind",
        _FIX,
        "processes are left behind",
        (Match(defect=LEFT_BEHIND), Match(rules=("guard/process-left-behind", "fuzz/process-left-behind"))),
    ),
    FindingRule(
        "unreal-answer",
        _FIX,
        "a success is empty, an error, or not what its schema says",
        (
            Match(rules=("reality/empty-success",)),
            Match(rules=("reality/error-as-success", "reality/schema-violation"), severity=_ERROR),
        ),
    ),
    FindingRule(
        "calls-fail",
        _FIX,
        "calls do not end as they should",
        (Match(tool="fuzz", severity=_ERROR),),
        rest=True,
    ),
    FindingRule(
        "other-error",
        _FIX,
        "there are errors of another kind",
        (Match(severity=_ERROR, but=REPOSITORY_DOCUMENTS),),
        rest=True,
    ),
)

STATE_RULES = {
    "ended-early": (_BLOCK, "the run ended early because the server went away"),
    "tool-incomplete": (_FIX, "a tool that was meant to answer did not"),
}


def reasons(states: Sequence[ToolState]) -> tuple[Reason, ...]:
    """List every rule that fires, for each tool apart, the worst first."""
    fired = [reason for state in states for reason in (*_from_findings(state), *_from_state(state))]
    return tuple(sorted(fired, key=lambda reason: reason.decision.rank))


def decide(fired: Sequence[Reason]) -> Decision:
    """Take the worst of what fired; SHIP where nothing did."""
    return min(
        (reason.decision for reason in fired), key=lambda decision: decision.rank, default=Decision.SHIP
    )


def _from_findings(state: ToolState) -> Iterator[Reason]:
    claimed: set[str] = set()
    for rule in FINDING_RULES:
        findings = tuple(
            finding
            for finding in state.findings
            if not (rule.rest and finding.fingerprint in claimed)
            and any(match.fits(state.short, finding) for match in rule.matches)
        )
        if findings:
            claimed.update(finding.fingerprint for finding in findings)
            yield Reason(rule.id, rule.decision, state.short, rule.means, findings)


def _from_state(state: ToolState) -> Iterator[Reason]:
    holds = {"ended-early": state.ended_early is not None, "tool-incomplete": state.state is State.INCOMPLETE}
    for rule, (decision, means) in STATE_RULES.items():
        if holds[rule]:
            yield Reason(rule, decision, state.short, means)


def _named(rule: str, names: tuple[str, ...]) -> bool:
    return any(rule.startswith(name[:-1]) if name.endswith("*") else rule == name for name in names)
