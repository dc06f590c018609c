from collections.abc import Mapping, Sequence
from types import MappingProxyType

from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Coverage, Report, Score, ServerIdentity, Skipped, Target, TargetKind
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.collector import Collector
from mcp_check_core.report.journal import Journal
from mcp_check_core.report.redact import Redactor

CRASH = Rule("fuzz/crash", "The server dies", Severity.ERROR, Category.RELIABILITY, defect="server-death")
HANG = Rule("fuzz/hang", "A call is never answered", Severity.ERROR, Category.RELIABILITY)
STYLE = Rule("fuzz/style", "A thing of taste", Severity.INFO, Category.DOCUMENTATION, kinds=("short", "long"))
RULES = (CRASH, HANG, STYLE)

TARGET = Target(
    TargetKind.STDIO,
    command=("python", "server.py"),
    environment=("API_TOKEN",),
    server=ServerIdentity("weather", "1.0", "2025-11-25"),
)
COVERAGE = Coverage(2, 1, (Skipped("write_file", "it is not read-only"),), {"calls": 12})
SCORE = Score(83.3, "10 of 12 calls were answered.")


def collector(
    rules: Sequence[Rule] = RULES, *, journal: Journal | None = None, redactor: Redactor | None = None
) -> Collector:
    return Collector(
        tool="mcp-fuzz", version="2.0.0", rules=rules, target=TARGET, journal=journal, redactor=redactor
    )


def finished(
    run: Collector,
    *,
    coverage: Coverage = COVERAGE,
    details: Mapping[str, Json] = MappingProxyType({"seed": 0}),
    extra: Mapping[str, Json] | None = None,
    target: Target | None = None,
    interrupted: str | None = None,
) -> Report:
    return run.finish(
        score=SCORE, coverage=coverage, details=details, extra=extra, target=target, interrupted=interrupted
    )


def report_with(*findings: Finding) -> Report:
    run = collector()
    for finding in findings:
        run.found(finding)
    for rule in RULES:
        run.answered(rule.id)
    return finished(run)


def hostile_report(text: str) -> Report:
    """A report in which everything that a stranger can say is `text`."""
    run = collector()
    run.found(
        CRASH.finding(
            text or "-",
            location=Location(tool=text, parameter=text, pointer="/" + text, file=text, line=1),
            hint=text,
            evidence={text: text, "nested": [{text: text}]},
            reproduce={"params": text},
            kind=text,
            key=text,
        )
    )
    run.could_not_tell(HANG.id, text or "-")
    run.not_applicable(STYLE.id, text or "-")
    target = Target(TargetKind.STDIO, command=("python", text), server=ServerIdentity(text, text, text))
    coverage = Coverage(1, 0, (Skipped(text, text or "-"),))
    return finished(run, target=target, coverage=coverage, details={text: text})
