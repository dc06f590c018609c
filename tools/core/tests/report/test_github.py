from dataclasses import replace

import pytest

from mcp_check_core.model.finding import Location, Severity
from mcp_check_core.model.report import ErrorKind, RunError, Target, TargetKind
from mcp_check_core.report.github import render_github
from mcp_check_core.report.head import Head, Tone
from tools.core.tests.report.builders import CRASH, HANG, STYLE, collector, finished, report_with


def commands(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("::")]


def test_a_finding_is_an_annotation_at_its_place() -> None:
    report = report_with(
        CRASH.finding("It died,\n100 % of the time.", hint="Catch it.", location=Location(tool="add")),
        HANG.finding(
            "m", severity=Severity.WARNING, location=Location(None, None, None, "a,b.py", 3, 2, 4, 7)
        ),
        STYLE.finding("m", kind="short"),
    )
    assert commands(render_github(report)) == [
        "::error title=fuzz/crash add::It died,%0A100 %25 of the time.%0ACatch it.",
        "::warning file=a%2Cb.py,line=3,endLine=4,col=2,endColumn=7,title=fuzz/hang a%2Cb.py%3A3%3A2::m",
        "::notice title=fuzz/style (short)::m",
    ]


@pytest.mark.parametrize(
    ("folder", "path"), [("servers/a", "servers/a/b.py"), (".", "b.py"), ("../a", "b.py"), (None, "b.py")]
)
def test_a_file_has_its_path_in_the_repository(folder: str | None, path: str) -> None:
    report = report_with(CRASH.finding("m", location=Location(file="b.py")))
    checked = replace(report, target=Target(TargetKind.SOURCE, cwd=folder))
    assert commands(render_github(checked))[0].startswith(f"::error file={path},title=")
    started = replace(report, target=Target(TargetKind.STDIO, command=("x",), cwd=folder))
    assert commands(render_github(started))[0].startswith("::error file=b.py,title=")


def test_the_first_lines_are_plain() -> None:
    lines = render_github(report_with()).splitlines()
    assert lines[0] == "PASS  mcp-fuzz 2.0.0  python server.py"
    assert lines[-1] == "No findings. Looked for: fuzz/crash, fuzz/hang, fuzz/style."
    assert commands("\n".join(lines)) == []


def test_ten_of_a_level_are_shown_and_eleven_rolled_up() -> None:
    made = [CRASH.finding("m", key=f"{number:02}") for number in range(10)]
    assert len(commands(render_github(report_with(*made)))) == 10
    more = [*made, CRASH.finding("m", key="10"), HANG.finding("m")]
    shown = commands(render_github(report_with(*more, STYLE.finding("m"))))
    assert len(shown) == 11
    assert shown[9] == (
        "::error title=3 more of level error::"
        "3 more, which the full report has: fuzz/crash (2), fuzz/hang (1)"
    )
    assert shown[10] == "::notice title=fuzz/style::m"


def test_why_a_run_is_incomplete_comes_first_and_counts_among_the_ten() -> None:
    run = collector()
    for number in range(10):
        run.found(CRASH.finding("m", key=str(number)))
    run.error(RunError(ErrorKind.AUTH_REQUIRED, "A login is needed."))
    shown = commands(render_github(finished(run)))
    assert shown[0] == "::error title=incomplete%3A auth_required::A login is needed."
    assert len(shown) == 10
    assert shown[-1].startswith("::error title=2 more of level error::")


def test_a_caller_may_give_the_first_lines() -> None:
    text = render_github(report_with(), head=Head("BLOCK", Tone.BAD, ("because",)))
    assert text == "BLOCK  mcp-fuzz 2.0.0  python server.py\nbecause\n"
