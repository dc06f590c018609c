"""Write the index of a fresh capture, in the columns that the corpus has."""

import json
import shlex
from collections.abc import Iterable
from pathlib import Path

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.sanitise import visible
from scripts.fieldwork.sdk import describe_sdk
from scripts.fieldwork.sweep import CaptureResult

COLUMNS = (
    "name",
    "registry",
    "package",
    "version",
    "language/SDK",
    "tools",
    "readOnlyHint_tools",
    "tools_json_bytes",
    "startup_ms",
    "non_json_stdout_lines",
    "notes",
    "launch",
    "env",
)


def index_text(results: Iterable[CaptureResult], servers: Path) -> str:
    """Write header and rows; `servers` is the folder that holds the installed ones."""
    lines = (
        "\t".join(visible(cell) for cell in _row(result, servers / result.entry.name)) for result in results
    )
    return "\n".join(("\t".join(COLUMNS), *lines, ""))


def _row(result: CaptureResult, installed: Path) -> tuple[str, ...]:
    entry, captured = result.entry, result.captured
    head = (entry.name, entry.registry.value, entry.package)
    tail = (entry.launch or shlex.join(entry.command_line), ",".join(entry.variables))
    if captured.document is None:
        note = entry.left_out or f"FAILED: {captured.problem}"
        return (*head, entry.version, *("" for _ in range(6)), note, *tail)
    source = captured.document["source"]
    version = source.get("version") if isinstance(source, dict) else None
    return (
        *head,
        str(version),
        describe_sdk(entry, installed),
        str(len(captured.tools)),
        str(sum(_read_only(tool) for tool in captured.tools)),
        str(_size(captured.tools)),
        str(captured.startup_ms),
        str(captured.stray_lines),
        _notes(result),
        *tail,
    )


def _notes(result: CaptureResult) -> str:
    constraints = result.entry.constraints
    return "; ".join(
        part
        for part in (
            f"captured with {', '.join(constraints)}" if constraints else "",
            "STDOUT POLLUTION" if result.captured.stray_lines else "",
            result.captured.problem,
        )
        if part
    )


def _read_only(tool: Json) -> bool:
    annotations = tool.get("annotations") if isinstance(tool, dict) else None
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


def _size(tools: list[Json]) -> int:
    text = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))
