"""Source trees for tests: written, read, judged."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp_check_core.model.report import Report
from mcp_check_core.report.document import to_document
from mcp_check_core.report.json_format import dump_document
from mcp_doctor.discover.limits import ReadLimits
from mcp_doctor.engine.build import build
from mcp_doctor.facts.source import ServerSource
from mcp_doctor.facts.tool_decl import ToolDecl

Files = Mapping[str, str | bytes]


def write(folder: Path, files: Files) -> Path:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def check(folder: Path, limits: ReadLimits | None = None) -> tuple[ServerSource, Report]:
    """Check a folder and give the facts and the report."""
    doctor = build([folder], limits or ReadLimits())
    asyncio.run(doctor.run())
    return doctor.source, doctor.report(None)


def check_files(folder: Path, files: Files) -> tuple[ServerSource, Report]:
    """Write files and check them."""
    return check(write(folder, files))


def tools(folder: Path, files: Files) -> dict[str, ToolDecl]:
    """Write files and give the tools that are found, by name."""
    source, _ = check_files(folder, files)
    return {tool.name: tool for tool in source.tools}


def slugs(report: Report) -> set[str]:
    """Give the slugs of the rules that found something."""
    return {finding.rule_id.partition("/")[2] for finding in report.findings}


def document(report: Report) -> dict[str, Any]:
    """Give the document of a report, as a reader of the JSON gets it."""
    made: dict[str, Any] = json.loads(dump_document(to_document(report)))
    return made
