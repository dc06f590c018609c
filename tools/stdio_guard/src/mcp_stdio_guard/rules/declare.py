"""How guard declares a rule: the shared declaration, its issue class, and the checks that it counts in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule

Facts = TypeVar("Facts")


class IssueClass(StrEnum):
    """The three places at which a server over stdio can fail."""

    INSTALL_RUNTIME = "installRuntime"
    STDIO_TRANSPORT = "stdioTransport"
    MCP_PROTOCOL = "mcpProtocol"


class CheckName(StrEnum):
    """The checks of the report, which the score counts."""

    INITIALIZE = "initialize"
    STDOUT = "stdout"
    JSON_RPC = "jsonRpc"
    OPERATION = "operation"
    CAPABILITIES = "capabilities"
    TOOL_SCHEMA = "toolSchema"
    ADVERSARIAL = "adversarial"
    PROCESS = "process"
    PYTHON_BUFFERING = "pythonBuffering"
    STATIC_SCAN = "staticScan"
    REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class Declared:
    """A rule of guard; its issue code is the rule's slug."""

    rule: Rule
    issue_class: IssueClass
    checks: tuple[CheckName, ...]

    def finding(
        self,
        message: str,
        *,
        key: str = "",
        kind: str | None = None,
        severity: Severity | None = None,
        hint: str | None = None,
        location: Location | None = None,
        evidence: Mapping[str, Json] | None = None,
        reproduce: Json = None,
    ) -> Finding:
        """Make a finding of this rule."""
        return self.rule.finding(
            message,
            key=key,
            kind=kind,
            severity=severity,
            hint=hint,
            location=location,
            evidence=evidence,
            reproduce=reproduce,
        )


@dataclass(frozen=True, slots=True)
class Abstention:
    """A rule that does not answer, and why. `unknown`: it was meant to and could not tell."""

    rule: str
    reason: str
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """How many tools a rule has judged, of how many."""

    rule: str
    judged: int
    of: int


Judgement: TypeAlias = Finding | Abstention | Count


@dataclass(frozen=True, slots=True)
class Block(Generic[Facts]):
    """Rules that are judged together.

    `judge` yields findings and abstentions; a rule that does not abstain has answered. `early`: it may be
    asked about a run that was cut short, for what is seen there stays true.
    """

    declared: tuple[Declared, ...]
    judge: Callable[[Facts], Iterator[Judgement]]
    early: bool = False


def declare(
    code: str,
    title: str,
    severity: Severity,
    issue_class: IssueClass,
    *checks: CheckName,
    kinds: tuple[str, ...] = (),
    defect: str | None = None,
    references: tuple[str, ...] = (),
) -> Declared:
    """Declare the rule `guard/<code>`: installRuntime is reliability, all else conformance."""
    reliability = issue_class is IssueClass.INSTALL_RUNTIME
    rule = Rule(
        id=f"guard/{code}",
        title=title,
        severity=severity,
        category=Category.RELIABILITY if reliability else Category.CONFORMANCE,
        kinds=kinds,
        defect=defect,
        references=references,
    )
    return Declared(rule, issue_class, checks)


def not_applicable(declared: Iterable[Declared], reason: str) -> Iterator[Abstention]:
    """Let rules abstain for there is nothing that they could judge."""
    for one in declared:
        yield Abstention(one.rule.id, reason)


def could_not_tell(declared: Iterable[Declared], reason: str) -> Iterator[Abstention]:
    """Let rules abstain that were meant to judge and could not."""
    for one in declared:
        yield Abstention(one.rule.id, reason, unknown=True)


NO_PROCESS = "the server's process did not start"
NO_SESSION = "there was no handshake, so there was nothing to ask for"
