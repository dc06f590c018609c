"""One report in one form, as bytes; what a form needs is imported when it is asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.options import Format
from mcp_check_core.model.finding import Location
from mcp_check_core.model.report import Report

if TYPE_CHECKING:
    from mcp_check_core.report.head import Head
    from mcp_check_core.report.rule_book import RuleBook

TextRenderer = Callable[[Report, int, bool], str]


@dataclass(frozen=True, slots=True)
class Rendering:
    """What forms may show beyond the report; all of it is optional.

    `text` renders the text form in the place of the common one. `book` holds the rules that SARIF and HTML
    explain. `head` stands in the place of the common head, in the forms that are made for merged reports too
    (SARIF, JUnit, GitHub, HTML, agent, badge). `exit_code` and `artifact`, the
    place of a finding that has no file, are told to SARIF.
    """

    text: TextRenderer | None = None
    book: "RuleBook | None" = None
    head: "Head | None" = None
    exit_code: int | None = None
    artifact: Location | None = None


def check_available(form: Format) -> None:
    """Raise CommandError where a form needs what is not installed."""
    if form is Format.HTML and find_spec("jinja2") is None:
        raise CommandError("the html form needs jinja2; install mcp-check-core[report]")


def render(report: Report, form: Format, using: Rendering, *, width: int, color: bool = False) -> bytes:
    """Write a report in one form; `width` and `color` matter to text alone."""
    match form:
        case Format.JSON:
            return _json(report)
        case Format.SARIF:
            return _sarif(report, using)
        case Format.BADGE:
            return _badge(report, using)
        case Format.JUNIT:
            from mcp_check_core.report.junit import render_junit

            return render_junit(report, head=using.head)
    return _text(report, form, using, width, color).encode("utf-8", "backslashreplace")


def _text(report: Report, form: Format, using: Rendering, width: int, color: bool) -> str:
    match form:
        case Format.MARKDOWN:
            from mcp_check_core.report.markdown import render_markdown

            return render_markdown(report)
        case Format.GITHUB:
            from mcp_check_core.report.github import render_github

            return render_github(report, head=using.head)
        case Format.HTML:
            from mcp_check_core.report.html import render_html

            return render_html(report, using.book, head=using.head)
        case Format.AGENT:
            from mcp_check_core.report.agent import render_agent

            return render_agent(report, head=using.head)
    if using.text is not None:
        return using.text(report, width, color)
    from mcp_check_core.report.text import render_text

    return render_text(report, width=width, color=color)


def _json(report: Report) -> bytes:
    from mcp_check_core.report.document import to_document
    from mcp_check_core.report.json_format import dump_document

    return dump_document(to_document(report))


def _sarif(report: Report, using: Rendering) -> bytes:
    from mcp_check_core.report.json_format import dump_document
    from mcp_check_core.report.sarif import sarif_document

    document = sarif_document(
        report, using.book, head=using.head, exit_code=using.exit_code, artifact=using.artifact
    )
    return dump_document(document)


def _badge(report: Report, using: Rendering) -> bytes:
    from mcp_check_core.report.badge import badge_document
    from mcp_check_core.report.json_format import dump_document

    return dump_document(badge_document(report, head=using.head))
