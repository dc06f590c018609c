"""Each form of `--format` and `--output` is known, and what it needs is looked for before anything starts."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mcp_check_core.cli import rendering
from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.options import Format, OutputOptions
from mcp_check_core.cli.outputs import OutputPlan, emit, plan_outputs
from mcp_check_core.cli.rendering import Rendering, render
from mcp_check_core.model.finding import Location
from mcp_check_core.model.json_value import Json
from mcp_check_core.report.head import Head, Tone
from mcp_check_core.report.rule_book import RuleBook
from tools.core.tests.report.builders import CRASH, report_with

REPORT = report_with(CRASH.finding("It died."))
STARTS = {
    Format.TEXT: b"FAIL  mcp-fuzz",
    Format.JSON: b'{\n  "schemaVersion": 1',
    Format.SARIF: b'{\n  "$schema"',
    Format.JUNIT: b"<?xml version='1.0' encoding='UTF-8'?>\n<testsuites",
    Format.MARKDOWN: b"### FAIL",
    Format.GITHUB: b"FAIL  mcp-fuzz",
    Format.HTML: b"<!doctype html>",
    Format.AGENT: b'FAIL: mcp-fuzz 2.0.0 on "python server.py"',
    Format.BADGE: b'{\n  "schemaVersion": 1,\n  "label"',
}


@pytest.mark.parametrize("form", Format)
def test_every_form_is_written(form: Format) -> None:
    written = render(REPORT, form, Rendering(), width=80)
    assert written.startswith(STARTS[form])
    assert written.endswith(b"\n")


@pytest.mark.parametrize("form", Format)
def test_values_of_any_depth_and_size_are_written(form: Format) -> None:
    deep: Json = {"number": 10**400, "not": float("nan"), "half": "\ud800"}
    for _ in range(5_000):
        deep = {"a": [deep]}
    finding = CRASH.finding("It died.", evidence={"deep": deep}, reproduce=deep)
    assert len(render(report_with(finding), form, Rendering(), width=80)) < 200_000


def test_every_form_can_go_to_a_file(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    wanted = [f"{form}={tmp_path / form}" for form in Format]
    plan = plan_outputs(OutputOptions(format=Format.AGENT, output=wanted))
    emit(REPORT, plan)
    assert {path.name for path in tmp_path.iterdir()} == set(Format)
    assert capfdbinary.readouterr().out == (tmp_path / "agent").read_bytes()


def test_what_the_forms_are_told_reaches_them(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    using = Rendering(
        book=RuleBook({CRASH.id: CRASH}),
        head=Head("BLOCK", Tone.BAD),
        exit_code=1,
        artifact=Location(file="mcp.json"),
    )
    emit(REPORT, OutputPlan(Format.SARIF), using=using)
    run = json.loads(capfdbinary.readouterr().out)["runs"][0]
    assert run["tool"]["driver"]["rules"][0]["shortDescription"]["text"] == "The server dies."
    assert run["invocations"][0]["exitCode"] == 1
    assert run["properties"]["verdict"] == "BLOCK"
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "mcp.json"
    assert b"The server dies" in render(REPORT, Format.HTML, using, width=80)
    for form in (Format.JUNIT, Format.GITHUB, Format.AGENT, Format.BADGE):
        assert b"BLOCK" in render(REPORT, form, using, width=80)
    assert ET.fromstring(render(REPORT, Format.JUNIT, using, width=80)).tag == "testsuites"


def test_a_tool_may_have_a_text_of_its_own() -> None:
    using = Rendering(text=lambda report, width, color: f"{report.tool} {width} {color}")
    assert render(REPORT, Format.TEXT, using, width=80) == b"mcp-fuzz 80 False"


def test_html_without_jinja2_is_refused_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "find_spec", lambda name: None)
    for options in (
        OutputOptions(format=Format.HTML),
        OutputOptions(output=[f"html={tmp_path / 'report.html'}"]),
    ):
        with pytest.raises(CommandError, match=r"html form needs jinja2; install mcp-check-core\[report\]"):
            plan_outputs(options)
    assert plan_outputs(OutputOptions(format=Format.SARIF)).stdout is Format.SARIF
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_form_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(
        CommandError, match="one of text, json, sarif, junit, markdown, github, html, agent, badge"
    ):
        plan_outputs(OutputOptions(output=["pdf=x"]))


def test_forms_are_imported_when_they_are_asked_for() -> None:
    code = (
        "import sys, mcp_check_core.cli.outputs, mcp_check_core.cli.suppression\n"
        "print([name for name in sys.modules if name.startswith('mcp_check_core.report') or name in "
        "('jinja2', 'xml', 'tomllib', 'orjson')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    assert ran.stdout.strip() == b"[]"
