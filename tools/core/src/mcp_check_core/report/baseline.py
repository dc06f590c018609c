"""Baselines: fingerprints of findings that are accepted, with rule and tool for whoever reads the file.

A file may hold entries of several of our tools; each run looks at those of the rules that it announced.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.report.document import is_fingerprint
from mcp_check_core.report.json_format import DocumentError, load_document

SCHEMA_VERSION = 1
IN_BASELINE = "in the baseline"
"""The reason of a finding that a baseline holds back."""
MAX_BASELINE_BYTES = 16 * 2**20
_MAX_DEPTH = 8
_NAME = 200


class BaselineError(Exception):
    """A baseline cannot be used; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True, order=True)
class BaselineEntry:
    """One accepted finding. `rule` and `tool` are there for readers; the fingerprint decides."""

    rule: str
    tool: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of a baseline by fingerprint."""

    entries: Mapping[str, BaselineEntry]

    def holds(self, finding: Finding) -> bool:
        """Tell whether a finding is accepted."""
        return finding.fingerprint in self.entries


def baseline_document(findings: Iterable[Finding]) -> dict[str, Json]:
    """Write a baseline, sorted by rule, tool and fingerprint: the same findings make the same text."""
    entries = sorted({_entry(finding) for finding in findings})
    written: list[Json] = [
        {"fingerprint": entry.fingerprint, "rule": entry.rule, **({"tool": entry.tool} if entry.tool else {})}
        for entry in entries
    ]
    return {"schemaVersion": SCHEMA_VERSION, "accepted": written}


def read_baseline(data: bytes) -> Baseline:
    """Read a baseline. Raises BaselineError for what is none, is cut, or is of a later version."""
    try:
        document = load_document(data, max_bytes=MAX_BASELINE_BYTES, max_depth=_MAX_DEPTH)
    except DocumentError as error:
        raise BaselineError(str(error)) from error
    version = document.get("schemaVersion")
    if isinstance(version, int) and not isinstance(version, bool) and version > SCHEMA_VERSION:
        raise BaselineError(f"It is of version {version}; this program reads version {SCHEMA_VERSION}.")
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise BaselineError("It is no baseline: schemaVersion is not 1.")
    accepted = document.get("accepted")
    if not isinstance(accepted, list):
        raise BaselineError("It is no baseline: accepted is not an array.")
    entries = [_read_entry(item, number) for number, item in enumerate(accepted)]
    return Baseline({entry.fingerprint: entry for entry in entries})


def _entry(finding: Finding) -> BaselineEntry:
    tool = cut_text(finding.location.tool or "", _NAME)
    return BaselineEntry(finding.rule_id, tool, finding.fingerprint)


def _read_entry(item: Json, number: int) -> BaselineEntry:
    match item:
        case {"fingerprint": str(fingerprint), "rule": str(rule), **more} if is_fingerprint(fingerprint):
            tool = more.get("tool", "")
            if isinstance(tool, str):
                return BaselineEntry(rule, tool, fingerprint)
    raise BaselineError(f"Entry {number} of accepted has no rule and fingerprint of 16 hex digits.")
