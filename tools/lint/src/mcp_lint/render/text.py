"""The text form: what to mend, the worst first, each fault told once with all its places."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Report, Status
from mcp_check_core.model.rule import Rule
from mcp_check_core.report import wording
from mcp_check_core.report.sanitise import terminal
from mcp_check_core.report.text import Line, plain, render_lines, summary_lines
from mcp_lint.render.groups import EACH_SHOWN, Group, group, places

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_STDERR_LINES = 3
_VERDICTS = {
    Status.PASS: "bold green",
    Status.WARNING: "bold yellow",
    Status.FAIL: "bold red",
    Status.INCOMPLETE: "bold magenta",
}


def text_renderer(rules: Sequence[Rule], least: Severity) -> Callable[[Report, int, bool], str]:
    """Make the renderer that shows findings of `least` severity and worse one by one."""
    titles = {rule.id: rule.title for rule in rules}

    def render(report: Report, width: int, color: bool) -> str:
        shown = [finding for finding in report.findings if finding.severity.rank <= least.rank]
        lines = [*_head(report)]
        for one in group(shown):
            lines += [Line((("", ""),)), *_group(one, titles)]
        lines += _tail(report, least)
        return render_lines(lines, width=width, color=color)

    return render


def _head(report: Report) -> list[Line]:
    word = wording.verdict(report)
    opening = Line(
        ((word, _VERDICTS[report.status]), (f"  {wording.program(report)}  ·  {_target(report)}", "")), hang=2
    )
    if isinstance(lock := report.details.get("lock"), dict):
        return [opening, *_lock_lines(report, lock)]
    tokens = report.details.get("tokens")
    size = [plain(f"Definitions: about {tokens:,} tokens")] if isinstance(tokens, int) and tokens else []
    return [opening, *summary_lines(report), *size]


def _lock_lines(report: Report, lock: dict[str, Json]) -> list[Line]:
    """Say what became of the lockfile; score and coverage are no matter of it."""
    errors = [plain(f"{error.kind.value}: {error.message}", hang=2) for error in report.errors]
    server, held = wording.server_text(report.target), wording.held_back_text(report)
    texts = [f"Server: {server}" if server else "", _lock_text(lock), held]
    return [*errors, *(plain(text, hang=2) for text in texts if text)]


def _target(report: Report) -> str:
    """Name what was checked without its command: the saved file, or the hash of the command."""
    file, digest = report.details.get("file"), report.target.command_sha256
    if isinstance(file, str):
        return terminal(file)
    return f"a command with SHA-256 {digest[:12]}…" if digest else terminal(report.target.url or "a server")


def _lock_text(lock: dict[str, Json]) -> str:
    path, answered = lock.get("path"), lock.get("compared")
    counts = lock.get("bands" if lock.get("scale") == "bands" else "severities")
    told = counts if isinstance(counts, dict) else {}
    changes = ", ".join(f"{count} {name}" for name, count in told.items() if count)
    if not answered and not lock.get("written"):
        return f"Lockfile {path}: not compared"
    if lock.get("mode") == "check":
        return f"Lockfile {path}: {f'changes: {changes}' if changes else 'unchanged since review'}"
    if lock.get("written"):
        return f"Lockfile {path}: written{f' over these changes: {changes}' if changes else ''}"
    return f"Lockfile {path}: {f'not written; changes: {changes}' if changes else 'up to date'}"


def _group(one: Group, titles: Mapping[str, str]) -> list[Line]:
    count = len(one.findings)
    head = f" {terminal(one.label)}" + (f"  ×{count}" if count > 1 else "")
    lines = [Line(((f"[{one.severity.value}]", _STYLES[one.severity]), (head, "bold")), hang=2)]
    if one.each:
        for finding in one.findings[:EACH_SHOWN]:
            lines += _single(finding)
        if count > EACH_SHOWN:
            lines.append(plain(f"… and {count - EACH_SHOWN} more in the JSON report", indent=2))
    else:
        messages = {finding.message for finding in one.findings}
        said = one.findings[0].message if len(messages) == 1 else f"{titles[one.rule]}."
        lines += [plain(said, indent=2), plain(places(one.findings), indent=2, hang=2)]
    reach = one.findings[0].evidence.get("reach")
    hints = list(dict.fromkeys(finding.hint for finding in one.findings if finding.hint))
    lines += [plain(str(reach), indent=2, hang=2)] if reach else []
    lines += [plain(f"fix: {hints[0]}", indent=2, hang=2)] if hints else []
    return lines


def _single(finding: Finding) -> list[Line]:
    where = wording.place(finding.location)
    said = f"{where}: {finding.message}" if where else finding.message
    lines = [plain(cut_text(said, wording.MESSAGE_BOUND), indent=2, hang=2)]
    text, stderr = finding.evidence.get("text"), finding.evidence.get("stderr")
    if isinstance(text, str):
        lines.append(plain(f"“{cut_text(text, wording.EVIDENCE_BOUND)}”", indent=4, hang=2))
    if isinstance(stderr, str):
        last = stderr.strip().splitlines()[-_STDERR_LINES:]
        lines += [plain(cut_text(line, wording.EVIDENCE_BOUND), indent=4, hang=2) for line in last]
    return lines


def _tail(report: Report, least: Severity) -> list[Line]:
    milder = [one for one in report.findings if one.severity.rank > least.rank]
    lines: list[Line] = []
    if milder:
        counts = Counter(f"{one.rule_id.removeprefix('lint/')} {one.kind or ''}".strip() for one in milder)
        told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        lines += [
            Line((("", ""),)),
            plain(f"Milder, not shown: {told}. --min-severity info shows them.", hang=2),
        ]
    unanswered = [wording.reason_text(one) for one in wording.unanswered(report)]
    limits = [wording.limit_text(hit) for hit in report.limits_hit]
    notes = [str(note) for note in _array(report.details.get("notes"))]
    for title, texts in (
        ("Not answered, or not in full", unanswered),
        ("Limits reached", limits),
        ("Notes", notes),
    ):
        if texts:
            lines += [
                Line((("", ""),)),
                Line(((title, "bold"),)),
                *(plain(text, indent=2, hang=2) for text in texts),
            ]
    if report.findings:
        slug = report.findings[0].rule_id
        lines += [Line((("", ""),)), plain(f"Why, and when it is wrong: mcp-lint explain {slug}")]
    return lines


def _array(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
