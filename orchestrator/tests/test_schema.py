from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import pytest

from mcp_check_core.model.report import LimitHit
from mcp_check_core.report.schema import schema_difference, validate, without_volatile
from mcp_trust_check.package_files import read_schema
from mcp_trust_check.schema import merged_schema
from mcp_trust_check.secrets import contract_words, redacted, redactor_for
from mcp_trust_check.tool_state import State, ToolState
from mcp_trust_check.toolset import FUZZ, TOOLS
from orchestrator.tests.made import SCHEMAS, finding, left_out, merged, report, run, state, states

SCHEMA = merged_schema(SCHEMAS)
CRASH = finding("fuzz/crash", "add")
KNOWN = [
    states(),
    states(fuzz=state("fuzz", report("fuzz", [CRASH], suppressed=[finding("fuzz/internal-error")]))),
    states(guard=state("guard", b"text")),
    states(guard=state("guard", b""), fuzz=left_out(FUZZ, State.SKIPPED)),
    states(fuzz=state("fuzz", report("fuzz", score=None, checked=0, total=0))),
]


@pytest.mark.parametrize("known", KNOWN)
def test_every_document_fits_the_schema(known: Sequence[ToolState]) -> None:
    hit = LimitHit("memory", 100, "guard")
    runs = {"guard": run("guard", b"", stderr_tail="a word", limit=hit), "fuzz": run("fuzz", b"")}

    assert validate(merged(known, runs=runs, interrupted="stopped by SIGINT"), SCHEMA) == []
    assert validate(merged(known), SCHEMA) == []


def test_the_published_schema_is_the_one_that_is_made() -> None:
    installed = {tool.short: read_schema(tool.module) for tool in TOOLS if tool.in_this_version}
    committed = files("mcp_trust_check").joinpath("schema.json").read_text("utf-8")

    assert schema_difference(committed, merged_schema(installed)) == ""


@pytest.mark.parametrize("member", ["decision", "reasons", "tools", "findings", "combined", "interrupted"])
def test_the_schema_asks_for_every_member(member: str) -> None:
    document = merged(states())
    del document[member]

    assert validate(document, SCHEMA)


def test_a_member_that_is_not_published_is_refused() -> None:
    assert validate({**merged(states()), "verdict": "SHIP"}, SCHEMA)


def test_fuzz_promises_what_the_confidence_stands_on() -> None:
    details: Any = read_schema(FUZZ.module)["properties"]

    assert {"outcomes", "terminatedEarly"} <= set(details["details"]["required"])


def test_volatile_parts_are_those_of_the_tools_too() -> None:
    left = without_volatile(merged(states()), SCHEMA)
    tools: Any = left["tools"]

    assert "timings" not in left
    assert "timings" not in tools["guard"]["document"]
    assert "rules" in tools["guard"]["document"]


def test_secrets_are_hidden_in_all_that_is_said() -> None:
    secret = "correct-horse-battery"
    known = states(
        guard=state("guard", b"", stderr_tail=f"KeyError: {secret}", exit_code=1),
        fuzz=state("fuzz", report("fuzz", [finding("fuzz/crash", "add", message=f"died of {secret}")])),
    )
    runs = {"guard": run("guard", b"", stderr_tail=f"KeyError: {secret}")}
    document = redacted(merged(known, runs=runs), redactor_for(("server",), {"TOKEN": secret}))

    assert secret not in str(document)
    assert str(document).count("[redacted:TOKEN]") >= 3
    assert validate(document, SCHEMA) == []


@pytest.mark.parametrize("word", ["FIX-FIRST", "incomplete", "mcp-fuzz", "security", "server-died"])
def test_a_variable_that_holds_a_word_of_the_contract_hides_nothing(word: str) -> None:
    assert word in contract_words()
    known = states(guard=state("guard", b""), fuzz=state("fuzz", report("fuzz", [CRASH])))
    document = redacted(merged(known), redactor_for(("server",), {"MODE": word}))

    assert validate(document, SCHEMA) == []
