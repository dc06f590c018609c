"""The examples of the rules: a list of tools, or for the lock what was pinned and what is listed now."""

import json
from pathlib import Path

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import PageBlock
from mcp_check_core.report.redact import Redactor
from mcp_lint.cli import main
from mcp_lint.facts.settings import Settings
from mcp_lint.lock.comparing import between, findings
from mcp_lint.lock.document import Launch, Spoken, from_bytes, to_bytes
from mcp_lint.lock.making import make_lock
from mcp_lint.registry import LOCK, LOCK_CLIENTS, LOCK_REPEAT, STATIC
from tests.rules.block_commands import server_command
from tests.rules.examples import examples_test
from tools.lint.tests.built import definitions

LISTED_AGAIN = (LOCK_CLIENTS, LOCK_REPEAT)
LAUNCH = Launch("stdio", "0" * 64)


def fired(rule: Rule, block: PageBlock, folder: Path) -> set[str]:
    """Give the ids of the rules that find something."""
    if block.kind == "server":
        return checked(server_command(block, folder), folder)
    shown = json.loads(block.text)
    judged = compared(shown, rule) if rule in (LOCK, *LISTED_AGAIN) else linted(shown)
    return {one.rule_id for one in judged}


def checked(command: list[str], folder: Path) -> set[str]:
    report = folder / "report.json"
    assert main(["run", "--fail-on", "never", "--json-out", str(report), "--", *command]) == 0
    return {finding["ruleId"] for finding in json.loads(report.read_text("utf-8"))["findings"]}


def linted(tools: list[Json]) -> list[Finding]:
    facts = definitions(*tools)
    found = [judgement for one in STATIC for judgement in one.judge(facts, Settings())]
    return [one for one in found if isinstance(one, Finding)]


def compared(shown: dict[str, list[Json]], rule: Rule) -> list[Finding]:
    if rule in LISTED_AGAIN:
        return list(between(definitions(*shown["locked"]), definitions(*shown["now"]), rule, "another"))
    locked = make_lock(definitions(*shown["locked"]), Spoken(), LAUNCH, Redactor({}))
    return list(findings(from_bytes(to_bytes(locked)), definitions(*shown["now"]), LAUNCH))


test_example = examples_test("lint", fired)
