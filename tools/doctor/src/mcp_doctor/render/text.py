"""The report as text: what will break an agent first, then what all tools show."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Report
from mcp_check_core.report.text import Line, plain, render_text, verdict_lines

SHOWN = 10
_CLEAN = "No known agent-breaking issues: looked for null defaults, writes to stdout, removed SDK names."


def render(report: Report, width: int, color: bool) -> str:
    """Show a report in at most `width` columns."""
    return render_text(
        report, width=width, color=color, head=[*verdict_lines(report, width), *_breakages(report)]
    )


def _breakages(report: Report) -> list[Line]:
    found = report.details.get("breakages")
    listed = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    if not listed:
        return [plain(_CLEAN, hang=2)] if report.details.get("tools") and report.ok else []
    count = len(listed)
    lines = [plain(f"{count} issue{'s' * (count != 1)} that will break an agent:")]
    lines += [plain(_entry(one), indent=2, hang=2) for one in listed[:SHOWN]]
    if count > SHOWN:
        lines.append(plain(f"and {count - SHOWN} more", indent=2))
    return lines


def _entry(one: dict[str, Json]) -> str:
    return f"{one.get('file')}:{one.get('line')}  {one.get('message')}"
