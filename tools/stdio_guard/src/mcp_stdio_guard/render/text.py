"""The text form: guard's own lines on top, then the report as all tools show it."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Report
from mcp_check_core.report import wording
from mcp_check_core.report.text import Line, plain, render_text


def render(report: Report, width: int, color: bool) -> str:
    """Render a report for a person."""
    return render_text(report, width=width, color=color, head=head(report))


def head(report: Report) -> list[Line]:
    """Make the lines on top: the verdict, then one line for each part of the wire."""
    word = "PASS" if report.ok else "FAIL"
    style = "bold green" if report.ok else "bold red"
    runs = _objects(report.extra.get("runs"))
    frames = [_object(run.get("frames")) for run in runs]
    stdout, invalid = (sum(_count(one.get(name)) for one in frames) for name in ("stdout", "invalid"))
    stderr = sum(_count(run.get("stderrLines")) for run in runs)
    return [
        Line(((word, style), (" MCP stdio guard", ""))),
        plain(f"initialize: {_initialize(report)}", indent=2),
        plain(f"frames: {stdout} stdout / {invalid} invalid", indent=2),
        plain(f"stderr: {stderr} line{'' if stderr == 1 else 's'}", indent=2),
        plain(f"protocol: {report.extra.get('negotiatedProtocol') or 'none agreed on'}", indent=2),
        plain(f"request: {_request(report)}", indent=2),
        plain(f"tool schemas: {_tools(_object(report.extra.get('toolSchema')))}", indent=2),
        plain(f"command: {wording.target_text(report.target)}", indent=2, hang=2),
    ]


def _initialize(report: Report) -> str:
    runs = _objects(report.extra.get("runs"))
    able = sum(run.get("initialized") is True for run in runs)
    if not able:
        return "failed"
    return "ok" if len(runs) == 1 else f"ok in {able} of {len(runs)} runs"


def _request(report: Report) -> str:
    asked = _objects(report.extra.get("operations"))
    if not asked:
        return "none asked for"
    return ", ".join(f"{one.get('method')} {_answer(one)}" for one in asked)


def _answer(operation: dict[str, Json]) -> str:
    if operation.get("error") is None:
        return "ok"
    return "answered with an error" if operation.get("responded") else "not answered"


def _tools(schema: dict[str, Json]) -> str:
    if not schema.get("checked"):
        return "not listed"
    return f"{schema.get('validToolCount')}/{schema.get('toolCount')} valid"


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _objects(value: Json) -> list[dict[str, Json]]:
    return [_object(item) for item in value] if isinstance(value, list) else []


def _count(value: Json) -> int:
    return value if isinstance(value, int) else 0
