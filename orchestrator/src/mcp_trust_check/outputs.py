"""The forms of the merged document, and where they go."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.options import Format, OutputOptions
from mcp_check_core.cli.outputs import (
    PLAIN_WIDTH,
    OutputPlan,
    check_writable,
    plan_outputs,
    write_outputs,
    write_whole,
)
from mcp_check_core.cli.rendering import Rendering, render
from mcp_check_core.report.json_format import dump_document
from mcp_trust_check.options import ReportOptions
from mcp_trust_check.render.markdown import render_markdown
from mcp_trust_check.render.report import merged_head, merged_report
from mcp_trust_check.render.text import render_text
from mcp_trust_check.rules import whole_book


def plan_reports(options: ReportOptions) -> OutputPlan:
    """Check where the reports go, and make the folder for those of the tools. Raises CommandError."""
    plan = plan_outputs(
        OutputOptions(
            format=options.format, json=options.json, json_out=options.json_out, output=options.output
        )
    )
    if options.reports_dir is not None:
        _make_folder(options.reports_dir)
    return plan


def rendered(
    document: Mapping[str, Any], form: Format, *, width: int = PLAIN_WIDTH, color: bool = False
) -> bytes:
    """Write the document in one form; what all commands share is made from a report of what was merged."""
    match form:
        case Format.JSON:
            return dump_document(document)
        case Format.MARKDOWN:
            return render_markdown(document).encode("utf-8", "backslashreplace")
        case Format.TEXT:
            text = render_text(document, width=width, color=color)
            return text.encode("utf-8", "backslashreplace")
    using = Rendering(book=whole_book(), head=merged_head(document), exit_code=document["gate"]["exitCode"])
    return render(merged_report(document), form, using, width=width, color=color)


def emit(
    document: Mapping[str, Any], printed: Mapping[str, bytes], plan: OutputPlan, reports_dir: Path | None
) -> None:
    """Write the report to all its outputs, and what each tool printed to its file. Raises CommandError."""
    if reports_dir is not None:
        for short, data in printed.items():
            write_whole(reports_dir / f"{short}.json", data)

    def show(form: Format, width: int, color: bool) -> bytes:
        return rendered(document, form, width=width, color=color)

    write_outputs(plan, show)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except FileExistsError:
        raise CommandError(f"--reports-dir: {str(folder)!r} is a file") from None
    except OSError as problem:
        raise CommandError(
            f"--reports-dir: cannot make {str(folder)!r}: {problem.strerror or problem}"
        ) from None
    check_writable(folder / "report.json")
