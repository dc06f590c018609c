"""Keeps the lockfile: says what a change weighs, and writes a new one where that is wanted and allowed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.judges.change_kinds import Band
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.report.redact import Redactor
from mcp_check_core.wire.client_side import CLIENT_CAPABILITIES
from mcp_lint.engine.gather import Gathered
from mcp_lint.lock.document import Launch, Lock, LockError, Spoken, to_bytes
from mcp_lint.lock.making import make_lock
from mcp_lint.lock.store import create, replace
from mcp_lint.options import Scale
from mcp_lint.registry import LOCK


class Mode(StrEnum):
    """What is done with the lockfile."""

    CHECK = "check"
    CREATE = "create"
    REFRESH = "refresh"


@dataclass(slots=True)
class LockKeeper:
    """The lockfile of one run. `refusal` says, once kept, why nothing could be written."""

    path: Path
    mode: Mode
    scale: Scale
    redactor: Redactor
    accept: bool = False
    former: Lock | None = None
    written: bool = False
    refusal: str | None = None

    def keep(self, gathered: Gathered, launch: Launch, findings: Sequence[Finding]) -> None:
        """Write the lock of what is listed now, unless this run only checks or an error was not accepted."""
        if self.mode is Mode.CHECK or (errors(findings) and not self.accept):
            return
        spoken = Spoken(gathered.era, gathered.definitions.protocol, CLIENT_CAPABILITIES)
        try:
            lock = make_lock(gathered.definitions, spoken, launch, self.redactor, self.former)
            data = to_bytes(lock)
            self._write(data)
        except (LockError, CommandError) as problem:
            self.refusal = str(problem)

    def _write(self, data: bytes) -> None:
        if self.former is None:
            create(self.path, data)
        elif to_bytes(self.former) != data:
            replace(self.path, data)
        else:
            return
        self.written = True

    def details(self, findings: Sequence[Finding], *, compared: bool) -> dict[str, Json]:
        """Tell what was done, and count the changes by both scales."""
        changes = [finding for finding in findings if finding.rule_id == LOCK.id]
        by_severity = Counter(finding.severity.value for finding in changes)
        by_band = Counter(band_of(finding).value for finding in changes)
        return {
            "path": self.path.name if self.path.is_absolute() else str(self.path),
            "mode": self.mode.value,
            "written": self.written,
            "compared": compared,
            "scale": self.scale.value,
            "severities": {severity.value: by_severity[severity.value] for severity in Severity},
            "bands": {band.value: by_band[band.value] for band in Band},
        }


def errors(findings: Sequence[Finding]) -> int:
    """Count the changes at error level."""
    return sum(one.rule_id == LOCK.id and one.severity is Severity.ERROR for one in findings)


def band_of(finding: Finding) -> Band:
    """Give the band of a change."""
    return Band(str(finding.evidence["band"]))
