"""The composite Action: how it is written, and its steps run with bash as a runner would run them."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.packaging.layout import ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
INSTALL, CHECK = (next(step for step in STEPS if step.get("id") == name) for name in ("install", "check"))
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")

# Stands in for the installed package: keeps the words that it was given, and writes the reports.
STAND_IN = """
import json, pathlib, sys

words = sys.argv[1:]
folder = pathlib.Path(words[words.index("--json-out") + 1]).parent
(folder / "words.json").write_text(json.dumps(words))
if "--silent" not in words:
    report = {
        "decision": "BLOCK\\nconfidence=HIGH", "confidence": {"level": "LOW"}, "combined": None,
        "blockerCount": 2, "fixCount": 0, "coveragePercent": 62.5, "needsHumanReview": True,
    }
    (folder / "report.json").write_text(json.dumps(report))
    (folder / "report.md").write_text("# BLOCK\\n")
sys.exit(1)
"""


class Runner:
    """A folder laid out as a runner's: a workspace, a temporary folder, files for outputs and summary."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder = folder
        self.workspace = folder / "workspace"
        self.reports = folder / "temp" / "mcp-trust-check" / "reports"
        self.workspace.mkdir()
        (folder / "temp").mkdir()
        self.python = python

    def run(self, step: dict[str, Any], **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step's script with bash, its expressions resolved from these inputs."""
        values = {
            "steps.install.outputs.python": str(self.python),
            "steps.install.outputs.home": str(self.reports.parent),
            "steps.python.outputs.python-path || 'python3'": sys.executable,
            **{f"inputs.{name}": str(item["default"]) for name, item in ACTION["inputs"].items()},
            **{f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()},
        }
        variables = {
            name: EXPRESSION.sub(lambda found: values[found.group(1)], text)
            for name, text in step["env"].items()
        }
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            **variables,
        }
        bash = shutil.which("bash") or pytest.skip("needs bash")
        return subprocess.run(
            [bash, "--noprofile", "--norc", "-c", step["run"]],
            cwd=self.workspace,
            env=environment,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )

    def outputs(self) -> dict[str, str]:
        """Return what the steps wrote to GITHUB_OUTPUT."""
        lines = (self.folder / "output").read_text(encoding="utf-8").splitlines()
        return {name: value for name, _, value in (line.partition("=") for line in lines)}

    def words(self) -> list[str]:
        """Return the words that the stand-in was called with, after the report files."""
        words: list[str] = json.loads((self.reports / "words.json").read_text(encoding="utf-8"))
        return words[8:]


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment that has the stand-in for mcp_trust_check alone."""
    folder = tmp_path_factory.mktemp("stand-in")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "mcp_trust_check.py").write_text(STAND_IN, encoding="utf-8")
    return folder / "bin" / "python"


@pytest.fixture
def runner(tmp_path: Path, stand_in: Path) -> Runner:
    return Runner(tmp_path, stand_in)


def test_no_expression_is_part_of_a_script() -> None:
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) == 2
    assert [text for text in scripts if "${{" in text] == []
    assert {step["shell"] for step in STEPS if "run" in step} == {"bash"}


def test_other_actions_are_pinned_by_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert len(used) == 2
    assert [name for name in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name)] == []


def test_every_input_is_used_and_every_output_is_made() -> None:
    text = json.dumps(STEPS)
    assert [name for name in ACTION["inputs"] if f"inputs.{name} " not in text] == []
    script = (ROOT / "scripts" / "run_action.py").read_text(encoding="utf-8")
    values = [item["value"] for item in ACTION["outputs"].values()]
    named = re.findall(r"steps\.check\.outputs\.([\w-]+)", " ".join(values))
    assert [name for name in named if f'"{name}"' not in script] == []
    assert len(named) == len(values) - 1


def test_inputs_become_words(runner: Runner) -> None:
    result = runner.run(
        CHECK,
        run="node './my server.js' --flag",
        path="src",
        fail_on="fix",
        fail_under="80",
        env="A=1\nB='two words'",
        args="--seed 7",
    )
    assert result.returncode == 1, result.stderr
    assert runner.words() == [
        *("--path", "src", "--fail-on", "fix", "--fail-under", "80", "--env", "A=1", "--env", "B=two words"),
        *("--seed", "7", "--", "node", "./my server.js", "--flag"),
    ]


def test_without_inputs_only_the_default_gate_is_passed(runner: Runner) -> None:
    runner.run(CHECK)
    assert runner.words() == ["--fail-on", "never"]


@pytest.mark.parametrize("name", ["run", "path", "url", "env", "fail_on", "args"])
def test_no_input_reaches_a_shell(name: str, runner: Runner) -> None:
    hostile = """$(touch pwned) `touch pwned`; touch pwned & "' touch pwned'" ${{ github.token }}"""
    result = runner.run(CHECK, **{name: hostile})
    assert result.returncode == 1, result.stderr
    assert list(runner.workspace.iterdir()) == []
    assert any("pwned" in word for word in runner.words())


def test_the_checked_repository_shadows_no_module(runner: Runner) -> None:
    for module in ("json", "shlex", "subprocess", "mcp_trust_check"):
        (runner.workspace / f"{module}.py").write_text("raise SystemExit(99)\n", encoding="utf-8")
    assert runner.run(CHECK).returncode == 1


def test_outputs_are_one_line_each_and_absent_values_empty(runner: Runner) -> None:
    runner.run(CHECK)
    assert runner.outputs() == {
        "decision": "BLOCK confidence=HIGH",
        "confidence": "LOW",
        "combined-score": "",
        "combined-grade": "",
        "blocker-count": "2",
        "fix-count": "0",
        "coverage-percent": "62.5",
        "needs-human-review": "true",
    }
    assert (runner.folder / "summary").read_text(encoding="utf-8") == "# BLOCK\n\n"


def test_a_report_of_an_earlier_run_is_not_published(runner: Runner) -> None:
    runner.run(CHECK)
    (runner.folder / "output").unlink()
    runner.run(CHECK, args="--silent")
    assert not (runner.folder / "output").exists()
    assert (
        (runner.folder / "summary").read_text(encoding="utf-8").endswith("the log of this step says why.\n")
    )


def test_an_open_quote_is_one_clear_line(runner: Runner) -> None:
    result = runner.run(CHECK, run="node 'server.js")
    assert result.returncode == 2
    assert (
        result.stderr == "mcp-trust-check action: an input cannot be split into words: No closing quotation\n"
    )


@pytest.mark.timeout(600)
def test_the_steps_check_the_demo_server(tmp_path: Path, stand_in: Path) -> None:
    runner = Runner(tmp_path, stand_in)
    installed = runner.run(INSTALL)
    if installed.returncode and "No matching distribution found" in installed.stderr:
        pytest.skip("needs the package index")
    assert installed.returncode == 0, installed.stderr
    runner.python = Path(runner.outputs()["python"])
    server = ROOT / "tests" / "servers" / "demo" / "planted.py"
    checked = runner.run(CHECK, run=f"'{sys.executable}' '{server}'", fail_on="block")
    assert checked.returncode == 1, checked.stderr
    assert runner.outputs()["decision"] == "BLOCK"
    assert "BLOCK" in (tmp_path / "summary").read_text(encoding="utf-8")
    assert json.loads((runner.reports / "report.json").read_text(encoding="utf-8"))["decision"] == "BLOCK"
    assert list(runner.workspace.iterdir()) == []
