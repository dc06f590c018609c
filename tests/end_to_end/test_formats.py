"""Each command writes each format of one run, and all count the same; SARIF keeps to its schema."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mcp_check_core.judges.schema import Judgement, SchemaValidator, compile_schema
from tests.end_to_end.running import run, zoo

COMMANDS = ("mcp-trust-check", "mcp-fuzz", "mcp-stdio-guard")
FORMS = ("text", "json", "sarif", "junit", "markdown", "github", "html", "agent", "badge")
LEVELS = {"error": "error", "warning": "warning", "note": "info", "notice": "info"}


@pytest.fixture(scope="module")
def schema(data: Path) -> SchemaValidator:
    return compile_schema(json.loads((data / "sarif-schema-2.1.0.json").read_text("utf-8")))


def written(program: str, server: str, folder: Path) -> dict[str, str]:
    """Run a command once and give each form of its report."""
    outputs = [word for form in FORMS for word in ("--output", f"{form}={folder / form}")]
    ran = run(program, *outputs, "--fail-on", "never", "--", *zoo(server))
    assert (ran.code, ran.stderr, ran.left) == (0, "", ())
    texts = {form: (folder / form).read_text("utf-8") for form in FORMS}
    assert ran.text == texts["text"]
    return texts


def sarif_counts(document: dict[str, Any]) -> Counter[str]:
    (log,) = document["runs"]
    return Counter(LEVELS[one["level"]] for one in log["results"] if not one.get("suppressions"))


@pytest.mark.parametrize("server", ["demo/planted.py", "demo/fixed.py", "exit_before_initialize.py"])
@pytest.mark.parametrize("program", COMMANDS)
def test_counts_agree(program: str, server: str, tmp_path: Path, schema: SchemaValidator) -> None:
    texts = written(program, server, tmp_path)
    document = json.loads(texts["json"])
    wanted = Counter(finding["severity"] for finding in document["findings"])

    sarif = json.loads(texts["sarif"])
    assert schema.judge(sarif) is Judgement.VALID, schema.explain(sarif, 5)
    assert sarif_counts(sarif) == wanted
    described = [rule for rule in sarif["runs"][0]["tool"]["driver"]["rules"] if "help" in rule]
    assert len(described) == len(sarif["runs"][0]["tool"]["driver"]["rules"]) > 0
    assert all("## What it flags" in rule["help"]["text"] for rule in described)
    junit = ET.fromstring(texts["junit"])
    assert Counter(one.attrib["type"] for one in junit.iter("failure")) == wanted
    levels = Counter(re.findall(r"^::(error|warning|notice) ", texts["github"], re.MULTILINE))
    assert Counter({LEVELS[level]: count for level, count in levels.items()}) == wanted
    assert texts["html"].count('<details class="finding"') == wanted.total()
    ranked = re.findall(r"^\d+\. (error|warning|info)", texts["agent"], re.MULTILINE)
    assert Counter(ranked) == wanted
    told = re.findall(r"(\d+) (error|warning|info)s?\b", json.loads(texts["badge"])["message"])
    assert Counter({severity: int(count) for count, severity in told}) == wanted
    for finding in document["findings"]:
        assert finding["ruleId"] in texts["text"]
        assert finding["ruleId"] in texts["markdown"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("program", COMMANDS)
def test_stdout_takes_each_form(program: str, form: str) -> None:
    ran = run(program, "--format", form, "--fail-on", "never", "--", *zoo("demo/planted.py"))
    begins = {
        "json": "{",
        "sarif": '{\n  "$schema"',
        "junit": "<?xml",
        "markdown": "### ",
        "html": "<!doctype html>",
        "badge": '{\n  "schemaVersion": 1,\n  "label"',
    }
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.text.startswith(begins.get(form, ("FAIL", "BLOCK")))


@pytest.mark.parametrize("program", COMMANDS)
def test_the_verdict_is_in_every_form(program: str, tmp_path: Path) -> None:
    texts = written(program, "demo/planted.py", tmp_path)
    verdict = "BLOCK" if program == "mcp-trust-check" else "FAIL"
    for form in ("text", "sarif", "junit", "markdown", "github", "html", "agent"):
        assert verdict in texts[form], form
