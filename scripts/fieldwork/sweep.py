"""Go over many servers: install them, capture them, run a tool over them. One line a server as it goes."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio

from mcp_check_core.model.bounds import cut_text
from scripts.fieldwork.bounded import run_bounded
from scripts.fieldwork.capture import Captured, Difference, capture, compare, dump, names, read_document
from scripts.fieldwork.corpus import Entry
from scripts.fieldwork.extras import Extras
from scripts.fieldwork.install import Installed, Runner, install, kept, write_atomically
from scripts.fieldwork.rows import Row, make_row, read_report
from scripts.fieldwork.start import NoProgramError, prepare, throw_away
from scripts.fieldwork.toolrun import Note, find_command, forget, keep_note, kept_note, note_of, run_tool

SERVERS = "servers"
REPORTS = "reports"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Field:
    """Where things lie, and how progress is told.

    `installer` runs the registries' clients; `pythons` are the interpreters that servers are installed for;
    `work` is where the throw-away folders are made, None for the system's place for such.
    """

    corpus: Path
    cache: Path
    extras: Extras
    say: Say
    installer: Runner = run_bounded
    pythons: tuple[str, ...] = (sys.executable,)
    work: Path | None = None

    def folder(self, entry: Entry) -> Path:
        """Return the folder that a server is installed in."""
        return self.cache / SERVERS / entry.name


@dataclass(frozen=True, slots=True)
class ToolRun:
    """Which tool to run with which options, where its reports go, and for how long on each server.

    `resume`: where there is a report already, its server is not run again.
    """

    tool: str
    options: tuple[str, ...]
    out: Path
    seconds: float
    resume: bool = False


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """A server, what was captured of it, and how that differs from what was recorded."""

    entry: Entry
    captured: Captured
    difference: Difference | None = None


async def install_all(field: Field, entries: Sequence[Entry], *, jobs: int, retry: bool) -> list[Installed]:
    """Install servers, `jobs` at a time; the records come in the order of the entries."""
    records: dict[str, Installed] = {}
    turn = anyio.CapacityLimiter(jobs)

    async def one(entry: Entry) -> None:
        async with turn:
            extra = field.extras.of(entry.name)
            record = await install(
                entry,
                extra,
                field.folder(entry),
                retry=retry,
                run=field.installer,
                pythons=field.pythons,
            )
        records[entry.name] = record
        field.say(f"{entry.name}: {'installed' if record.ok else f'not installed: {record.reason}'}")

    async with anyio.create_task_group() as tasks:
        for entry in entries:
            tasks.start_soon(one, entry)
    return [records[entry.name] for entry in entries]


def missing(field: Field, entry: Entry) -> str:
    """Say why a server cannot be started from the cache; empty where it can."""
    if entry.left_out:
        return entry.left_out
    record = kept(entry, field.extras.of(entry.name), field.folder(entry))
    return "never installed" if record is None else record.reason


async def capture_all(field: Field, entries: Sequence[Entry], out: Path) -> list[CaptureResult]:
    """Capture servers one after the other, and write each document into `out` at once."""
    results: list[CaptureResult] = []
    for entry in entries:
        captured = await _capture_one(field, entry)
        difference = None
        if captured.document is not None:
            write_atomically(out / f"{entry.name}.json", dump(captured.document))
            recorded = read_document(field.corpus / f"{entry.name}.json")
            difference = None if recorded is None else compare(names(recorded), names(captured.document))
        results.append(CaptureResult(entry, captured, difference))
        field.say(f"{entry.name}: {_told(results[-1])}")
    return results


async def _capture_one(field: Field, entry: Entry) -> Captured:
    if reason := missing(field, entry):
        return Captured(problem=f"not installed: {reason}")
    folder = field.folder(entry)
    with throw_away(field.work) as work:
        try:
            start = prepare(entry, field.extras, folder, work)
        except NoProgramError as problem:
            return Captured(problem=str(problem))
        return await capture(entry, start, folder)


def _told(result: CaptureResult) -> str:
    if result.captured.document is None:
        return result.captured.problem
    parts = [f"{len(result.captured.tools)} tools", result.captured.problem]
    if result.difference is None:
        parts.append("not recorded before")
    else:
        parts += [f"gone: {', '.join(result.difference.gone)}"] if result.difference.gone else []
        parts += [f"new: {', '.join(result.difference.new)}"] if result.difference.new else []
    return cut_text("; ".join(part for part in parts if part), 300)


async def run_all(field: Field, entries: Sequence[Entry], plan: ToolRun) -> list[Row]:
    """Run a tool over servers, one after the other. Raises NoToolError."""
    command = find_command(plan.tool)
    plan.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for entry in entries:
        rows.append(await _run_one(field, entry, plan, command))
        field.say(f"{entry.name}: {rows[-1].outcome}")
    return rows


async def _run_one(field: Field, entry: Entry, plan: ToolRun, command: str) -> Row:
    report = plan.out / f"{entry.name}.json"
    if reason := missing(field, entry):
        return Row(entry.name, entry.version, "not installed", skips=(reason,))
    note = kept_note(report) if plan.resume else None
    if note is None:
        forget(report)
        note = await _fresh(field, entry, plan, command, report)
        keep_note(note, report)
    return make_row(note, read_report(report))


async def _fresh(field: Field, entry: Entry, plan: ToolRun, command: str, report: Path) -> Note:
    with throw_away(field.work) as work:
        try:
            start = prepare(entry, field.extras, field.folder(entry), work)
        except NoProgramError as problem:
            return Note(entry.name, entry.version, 0.0, str(problem))
        ran = await run_tool(plan.tool, command, start, report, plan.options, plan.seconds)
    return note_of(entry.name, entry.version, ran, report)
