"""Servers with one planted defect each, run for real: exactly their rules, and none for the twin."""

import tomllib
from typing import Any

import pytest

from mcp_check_core.model.finding import Severity
from mcp_stdio_guard.plan import Plan
from tools.stdio_guard.tests.harness import ZOO, guard, zoo

CHOSEN = (
    "banner_at_start",
    "library_noise",
    "noise_after_initialize",
    "noise_at_shutdown",
    "unfinished_last_line",
    "empty_line",
    "content_length_headers",
    "version_reject",
    "message_before_initialized",
    "exit_after_initialize",
    "unsolicited_response",
    "notification_answered",
    "repeating_cursor",
    "endless_cursor",
    "unresolved_ref",
    "eof_ignored",
    "daemon_left_behind",
    "description_missing",
)
PAIRS: list[dict[str, Any]] = [
    pair
    for pair in tomllib.loads((ZOO / "manifest.toml").read_text("utf-8"))["pair"]
    if pair["name"] in CHOSEN
]


@pytest.mark.anyio
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["name"])
@pytest.mark.parametrize("twin", ["planted", "fixed"])
async def test_server(pair: dict[str, Any], twin: str) -> None:
    check = guard(zoo(f"{pair['name']}.py", *(["--fixed"] if twin == "fixed" else [])), Plan())
    await check.run()
    found = {one.rule_id for one in check.report(None).findings if one.severity is not Severity.INFO}
    assert found == {rule.partition("@")[0] for rule in pair[twin]["guard"]}


def test_every_chosen_server_is_in_the_manifest() -> None:
    assert {pair["name"] for pair in PAIRS} == set(CHOSEN)
