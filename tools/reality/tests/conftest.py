"""Runs of the command on servers of the zoo and of the tests, and facts made by hand."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_check_core.report.schema import validate
from mcp_reality_check.cli import main
from mcp_reality_check.report_schema import report_schema

ZOO = Path(__file__).parents[3] / "tests" / "servers"
Document = dict[str, Any]
Reality = Callable[..., Document]

PRELUDE = f"""
import sys
sys.path.insert(0, {str(ZOO)!r})
import mini
"""


@pytest.fixture
def reality(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Reality:
    """Return a function that checks a server and gives the report, which keeps to the schema.

    The server is a file of the zoo (`"add.py"`), or the text of a program on `mini`.
    """

    def run(server: str, *options: str, server_options: tuple[str, ...] = (), code: int = 0) -> Document:
        path = ZOO / server if server.endswith(".py") else tmp_path / "server.py"
        if not server.endswith(".py"):
            path.write_text(PRELUDE + server, "utf-8")
        out = tmp_path / "report.json"
        command = [sys.executable, str(path), *server_options]
        assert main(["--json-out", str(out), *options, "--", *command]) == code, capfd.readouterr().err
        document: Document = json.loads(out.read_text("utf-8"))
        assert validate(document, report_schema()) == []
        return document

    return run


def found(document: Document, *, info: bool = False) -> set[str]:
    """Give the rules that found something, with the tool where there is one; of info too if asked."""
    return {
        finding["ruleId"] + (f"@{finding['location']['tool']}" if "tool" in finding["location"] else "")
        for finding in document["findings"]
        if info or finding["severity"] != "info"
    }


def outcome(document: Document, rule: str) -> str:
    """Give the outcome of a rule."""
    (result,) = [result for result in document["rules"] if result["rule"] == rule]
    return str(result["outcome"])
