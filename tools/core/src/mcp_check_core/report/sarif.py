"""The report as SARIF 2.1.0, for code scanning.

GitHub shows no result without a file, so that a finding which has none points at `artifact`: the line that
the caller names (of the configuration that starts the server, say), else the script in the server's command,
else a name that stands for the server.
"""

import hashlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import PurePosixPath
from urllib.parse import quote

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Location
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.model.report import Outcome, Report, RuleResult, Status, Target
from mcp_check_core.report import wording
from mcp_check_core.report.document import in_order, utc_text
from mcp_check_core.report.head import Head, head_of
from mcp_check_core.report.places import repository_path
from mcp_check_core.report.rule_book import RuleBook
from mcp_check_core.report.sanitise import sarif_text, visible
from mcp_check_core.report.sarif_rules import LEVELS, Taxonomies, rule_descriptor

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "mcpTrustCheck/v1"
"""Name of our fingerprint among a result's partial fingerprints."""
NO_FILE = "mcp-server"
"""What a finding points at where nothing tells of a file."""
_SOURCES = frozenset({".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".jar", ".rb", ".php", ".sh"})


def sarif_document(
    report: Report,
    book: RuleBook | None = None,
    *,
    head: Head | None = None,
    exit_code: int | None = None,
    artifact: Location | None = None,
) -> dict[str, Json]:
    """Turn a report into a SARIF log of one run; write it with `dump_document`.

    A program that merges reports gives a `Report` of what it merged, the book of all its rules and its own
    `head`, whose verdict becomes a property of the run. The file of `artifact` is relative to the repository.
    """
    run = _Run(report, book or RuleBook(), artifact)
    shown = head or head_of(report)
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run.document(shown, exit_code)]}


class _Run:
    """One run while it is written: rules and taxonomies are referred to by their index."""

    def __init__(self, report: Report, book: RuleBook, artifact: Location | None) -> None:
        self._report = report
        self._book = book
        found = (*report.findings, *(held.finding for held in report.suppressed))
        ids = dict.fromkeys([*(r.rule for r in report.rules), *sorted({f.rule_id for f in found})])
        self._index = {rule_id: index for index, rule_id in enumerate(ids)}
        self._taxonomies = Taxonomies(book.rules[rule_id] for rule_id in ids if rule_id in book.rules)
        self._artifact = artifact or Location(file=_script(report.target) or NO_FILE)

    def document(self, head: Head, exit_code: int | None) -> dict[str, Json]:
        taxonomies = self._taxonomies.components()
        properties: dict[str, Json] = {
            "verdict": visible(head.verdict),
            "status": self._report.status.value,
            "score": None if self._report.score is None else round(self._report.score.value, 1),
            "toolsTotal": self._report.coverage.tools_total,
            "toolsChecked": self._report.coverage.tools_checked,
        }
        return {
            "tool": {"driver": self._driver()},
            **({"taxonomies": taxonomies} if taxonomies else {}),
            "automationDetails": {"id": automation_id(self._report)},
            "invocations": [self._invocation(exit_code)],
            "results": list(self._results()),
            "columnKind": "unicodeCodePoints",
            "properties": properties,
        }

    def _driver(self) -> dict[str, Json]:
        rules: list[Json] = [
            rule_descriptor(rule_id, self._book, self._taxonomies) for rule_id in self._index
        ]
        supported = self._taxonomies.supported()
        return {
            "name": self._report.tool,
            "version": self._report.tool_version,
            "semanticVersion": self._report.tool_version,
            "rules": rules,
            **({"supportedTaxonomies": supported} if supported else {}),
        }

    def _results(self) -> Iterator[Json]:
        # Beside results that say they are suppressed, the others have to say that they are not.
        free: dict[str, Json] = {"suppressions": []} if self._report.suppressed else {}
        for finding in in_order(self._report.findings):
            yield {**self._result(finding), **free}
        for held in sorted(self._report.suppressed, key=lambda held: held.finding.sort_key()):
            yield {
                **self._result(held.finding),
                "suppressions": [
                    {
                        "kind": "external",
                        "status": "accepted",
                        "justification": sarif_text(cut_text(held.reason, wording.MESSAGE_BOUND)),
                    }
                ],
            }

    def _result(self, finding: Finding) -> dict[str, Json]:
        rule = self._book.rules.get(finding.rule_id)
        taxa = self._taxonomies.references(rule) if rule else []
        # GitHub makes this one itself where there is a file, and warns where ours is another.
        github = {} if finding.location.file else {"primaryLocationLineHash": finding.fingerprint}
        return {
            "ruleId": finding.rule_id,
            "ruleIndex": self._index[finding.rule_id],
            "level": LEVELS[finding.severity],
            "message": {"text": _message(finding)},
            "locations": [self._location(finding.location)],
            "partialFingerprints": {FINGERPRINT: finding.fingerprint, **github},
            **({"taxa": taxa} if taxa else {}),
            "properties": _properties(finding),
        }

    def _location(self, location: Location) -> dict[str, Json]:
        if location.file:
            shown, path = location, repository_path(self._report.target, location.file)
        else:
            shown, path = self._artifact, self._artifact.file or NO_FILE
        artifact: dict[str, Json] = {"uri": _uri(path), "uriBaseId": "%SRCROOT%"}
        logical = list(_logical(location))
        return {
            "physicalLocation": {"artifactLocation": artifact, "region": _region(shown)},
            **({"logicalLocations": logical} if logical else {}),
        }

    def _invocation(self, exit_code: int | None) -> dict[str, Json]:
        timings = self._report.timings
        ended = timings.started_at + timedelta(milliseconds=timings.duration_ms)
        return {
            "executionSuccessful": self._report.status is not Status.INCOMPLETE,
            **({} if exit_code is None else {"exitCode": exit_code}),
            "startTimeUtc": utc_text(timings.started_at),
            "endTimeUtc": utc_text(ended),
            "toolExecutionNotifications": list(self._notifications()),
        }

    def _notifications(self) -> Iterator[Json]:
        for error in self._report.errors:
            yield _notification("error", error.kind.value, error.message)
        for result in self._report.rules:
            if result.outcome is not Outcome.PASS and result.reason:
                yield {**_unanswered(result), "associatedRule": self._rule_reference(result.rule)}
        for hit in self._report.limits_hit:
            yield _notification("warning", "limit-reached", wording.limit_text(hit))
        for skipped in self._report.coverage.skipped:
            yield _notification("note", "tool-not-checked", f"{skipped.tool}: {skipped.reason}")

    def _rule_reference(self, rule: str) -> dict[str, Json]:
        return {"id": rule, "index": self._index[rule]}


def automation_id(report: Report) -> str:
    """Name the category of a run: the same for one tool and target, another for each other; ends in `/`."""
    target = report.target
    identity: list[Json] = [target.kind.value, target.command_sha256, target.url, target.cwd]
    if target.command_sha256 is None:
        identity.append(list(target.command or ()))
    digest = hashlib.sha256(canonical_json(identity)).hexdigest()[:12]
    return f"{report.tool}/{target.kind.value}/{digest}/"


def _message(finding: Finding) -> str:
    text = sarif_text(cut_text(finding.message, wording.MESSAGE_BOUND))
    hint = sarif_text(cut_text(finding.hint or "", wording.MESSAGE_BOUND))
    return f"{text} {hint}".strip() or sarif_text(finding.rule_id)


def _properties(finding: Finding) -> dict[str, Json]:
    members: dict[str, Json] = {
        "category": finding.category.value,
        "certainty": finding.certainty.value,
        "kind": finding.kind and visible(finding.kind),
        "defect": finding.defect,
        "pointer": finding.location.pointer and visible(cut_text(finding.location.pointer)),
        "reproduce": visible(wording.reproduce_text(finding)) or None,
        "evidence": dict(_evidence(finding)) or None,
    }
    return {name: value for name, value in members.items() if value is not None}


def _evidence(finding: Finding) -> Iterator[tuple[str, Json]]:
    for name, value in wording.evidence_items(finding):
        yield visible(name), visible(value)


def _logical(location: Location) -> Iterator[Json]:
    if location.tool is None:
        return
    name = visible(cut_text(location.tool, 200)) or "-"
    if location.parameter is None:
        yield {"name": name, "fullyQualifiedName": f"tools/{name}", "kind": "function"}
        return
    parameter = visible(cut_text(location.parameter, 200)) or "-"
    full = f"tools/{name}/{parameter}"
    yield {"name": parameter, "fullyQualifiedName": full, "kind": "parameter"}


def _region(location: Location) -> dict[str, Json]:
    """Write a region; numbers that SARIF refuses are left out."""
    start = max(location.line or 1, 1)
    region: dict[str, Json] = {"startLine": start}
    if location.column and location.column > 0:
        region["startColumn"] = location.column
    if location.end_line and location.end_line >= start:
        region["endLine"] = location.end_line
        if location.end_column and (
            location.end_line > start or location.end_column >= (location.column or 1)
        ):
            region["endColumn"] = location.end_column
    return region


def _unanswered(result: RuleResult) -> dict[str, Json]:
    level = "note" if result.outcome is Outcome.NOT_APPLICABLE else "warning"
    return _notification(level, result.outcome.value.replace("_", "-"), result.reason or "")


def _notification(level: str, name: str, text: str) -> dict[str, Json]:
    message = sarif_text(cut_text(text, wording.MESSAGE_BOUND)) or name
    return {"level": level, "descriptor": {"id": name}, "message": {"text": message}}


def _uri(path: str) -> str:
    """Write a path as a URI that stays below its base, whatever the path says."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    return "/".join(quote(part, safe="", errors="backslashreplace") for part in parts) or NO_FILE


def _script(target: Target) -> str | None:
    """Find the relative path of a script among the words of a command."""
    for word in target.command or ():
        path = PurePosixPath(word)
        if path.suffix in _SOURCES and not path.is_absolute() and not word.startswith("-"):
            return word if target.cwd in (None, ".", "") else f"{target.cwd}/{word}"
    return None
