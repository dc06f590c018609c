"""The examples of the rules, on pages and as cases: each server that they show is checked."""

import json
from pathlib import Path

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import PageBlock
from mcp_reality_check.cli import main
from tests.rules.block_commands import server_command
from tests.rules.examples import examples_test

LIMITS = ("--startup-timeout", "10s")
SHORT = ("--timeout", "300ms")
"""For the server that does not answer; the others may take their time."""
WRITES = ("--include-destructive",)
"""For the servers that write."""


def fired(rule: Rule, block: PageBlock, folder: Path) -> set[str]:
    """Give the ids of the rules that find something."""
    report = folder / "report.json"
    silent = rule.slug == "call-timeout" and block.section == "Bad"
    more = (*(SHORT if silent else ()), *(WRITES if rule.slug == "unconfirmed-write" else ()))
    options = ("--json-out", str(report), *LIMITS, *more)
    code = main([*options, "--", *server_command(block, folder)])
    assert code == 0
    return {finding["ruleId"] for finding in json.loads(report.read_text("utf-8"))["findings"]}


test_example = examples_test("reality", fired)
