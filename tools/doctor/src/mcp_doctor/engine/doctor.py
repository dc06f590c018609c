"""The check as a whole: read, judge, report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio.to_thread

from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Coverage, ErrorKind, LimitHit, Outcome, Report, RunError, Skipped
from mcp_check_core.report.collector import Collector
from mcp_doctor.contract import details as members
from mcp_doctor.contract.quality import WEIGHTS, Tally, quality
from mcp_doctor.discover.exclusions import Exclusion
from mcp_doctor.discover.limits import ReadLimits
from mcp_doctor.discover.read import Reader, StoppedError
from mcp_doctor.discover.tree import Tree, find_files
from mcp_doctor.engine.comments import Comments
from mcp_doctor.facts.requirement import Declared
from mcp_doctor.facts.source import LanguageFacts, ServerSource
from mcp_doctor.manifests.npm_requirements import npm_requirements
from mcp_doctor.manifests.python_requirements import python_requirements
from mcp_doctor.registry import DECLARED
from mcp_doctor.rules.judgement import Abstention, DoctorRule, Found, Judged

Adapter = Callable[[Reader], LanguageFacts | None]


@dataclass(slots=True)
class Doctor:
    """Checks one source tree. `report` may be called at any moment."""

    root: Path
    chosen: Sequence[Path]
    limits: ReadLimits
    collector: Collector
    comments: Comments
    adapters: Sequence[Adapter]
    source: ServerSource = field(default_factory=ServerSource)
    reader: Reader | None = None
    _tallies: list[Tally] = field(default_factory=list)

    async def run(self) -> None:
        """Find and read the files, then judge."""
        with self.collector.phase("discover"):
            tree = await anyio.to_thread.run_sync(
                find_files, self.root, self.limits, self.chosen, abandon_on_cancel=True
            )
        self.reader = Reader(tree)
        self.comments.reader = self.reader
        with self.collector.phase("read"):
            await self._read(self.reader)
        self._note_limits(tree)
        with self.collector.phase("judge"):
            for declared in DECLARED:
                self._judge(declared)

    def report(self, interrupted: str | None) -> Report:
        """Make the report of what is known by now."""
        tools, unresolved = self.source.tools, self.source.unresolved
        score = quality(self._tallies, len(tools), len(unresolved))
        findings = self.collector.findings
        skipped = tuple(Skipped(f"{one.place.file}:{one.place.line}", one.reason) for one in unresolved)
        found = members.breakages(findings)
        return self.collector.finish(
            score=score,
            coverage=Coverage(
                len(tools) + len(unresolved), len(tools), skipped, {"unresolved": len(unresolved)}
            ),
            details={
                "breakages": found,
                "breakageCount": len(found),
                "quality": members.score_member(score if interrupted is None else None),
                "security": None,
                "tools": members.tools_member(self.source),
                "unresolved": members.unresolved_member(unresolved),
                "transports": [*sorted(one.value for one in self.source.transports)],
                "files": self._files(),
                "notes": [*self.comments.problems()],
            },
            interrupted=interrupted,
        )

    async def _read(self, reader: Reader) -> None:
        """Read language by language, away from the loop, so that a signal or time limit is heard."""
        found: list[LanguageFacts] = []
        try:
            for adapter in self.adapters:
                facts = await anyio.to_thread.run_sync(adapter, reader, abandon_on_cancel=True)
                found += [facts] if facts is not None else []
                self.source = ServerSource(tuple(found), self._declared())
        except StoppedError:
            return
        finally:
            reader.stop()

    def _declared(self) -> tuple[Declared, ...]:
        return (*python_requirements(self.root), *npm_requirements(self.root))

    def _note_limits(self, tree: Tree) -> None:
        for one in tree.excluded:
            if one.reason is Exclusion.TOO_LARGE:
                self.collector.limit(LimitHit("file bytes", self.limits.file_bytes, one.path))
        if tree.cut_short:
            self.collector.limit(LimitHit("files or bytes in all", self.limits.files, "the source tree"))
            message = (
                "the tree is larger than --max-files or --max-total-bytes; raise them, or name a folder in it"
            )
            self.collector.error(RunError(ErrorKind.LIMIT, message))

    def _judge(self, declared: DoctorRule) -> None:
        rule = declared.rule
        failed: dict[str, Severity] = {}
        units: frozenset[str] = frozenset()
        for judgement in declared.judge(self.source):
            match judgement:
                case Found(finding, failing):
                    if self.collector.found(finding):
                        _worsen(failed, failing, finding)
                case Judged(looked_at, of):
                    units = frozenset(looked_at)
                    self.collector.answered(rule.id, judged=len(units), of=of)
                case Abstention(Outcome.ERROR, reason):
                    self.collector.could_not_tell(rule.id, reason)
                case Abstention(_, reason):
                    self.collector.not_applicable(rule.id, reason)
        if declared.scored and units:
            self._tallies.append(Tally(rule.severity, units, failed))

    def _files(self) -> dict[str, Json]:
        if self.reader is None:
            return members.files_member(0, (), ())
        excluded = sorted([*self.reader.tree.excluded, *self.reader.unread], key=lambda one: one.path)
        return members.files_member(
            len(self.reader.tree.files) - len(self.reader.unread), self.reader.broken, excluded
        )


def _worsen(failed: dict[str, Severity], units: Sequence[str], finding: Finding) -> None:
    for unit in units:
        known = failed.get(unit)
        if known is None or WEIGHTS[known] < WEIGHTS[finding.severity]:
            failed[unit] = finding.severity
