"""Run guard's own parts in this process, against small servers."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from mcp_check_core.cli.server import describe
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Report
from mcp_check_core.process.environment import inherited_names, minimal_environment
from mcp_check_core.process.launch import TreeLimits
from mcp_check_core.report.document import to_document
from mcp_check_core.report.json_format import dump_document
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.target import StdioTarget
from mcp_stdio_guard.cli import main
from mcp_stdio_guard.contract.setting import Setting
from mcp_stdio_guard.engine.build import build
from mcp_stdio_guard.engine.gather import Gathering
from mcp_stdio_guard.engine.guard import Guard
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.plan import Plan
from tests.rules.block_commands import replay

HERE = Path(__file__).parent
ZOO = HERE.parents[2] / "tests" / "servers"
QUICK = WireLimits(
    startup_s=2.0, request_s=0.7, grace_s=0.3, line_bytes=262_144, stdout_bytes=1_048_576, kept_frames=10_000
)


def target(argv: Sequence[str]) -> StdioTarget:
    return StdioTarget(tuple(argv), None, minimal_environment(os.environ))


def connector(argv: Sequence[str], limits: WireLimits = QUICK) -> Connector:
    return Connector(target(argv), client_info("0"), limits=limits)


def guard(argv: Sequence[str], plan: Plan, limits: WireLimits = QUICK) -> Guard:
    server = describe(target(argv), {})
    setting = Setting(server, plan, round(1000 * limits.request_s), inherited_names())
    return build(setting, limits, TreeLimits())


async def gather(argv: Sequence[str], plan: Plan, limits: WireLimits = QUICK, number: int = 1) -> RunFacts:
    gathering = Gathering(connector(argv, limits), plan, number)
    await gathering.run()
    return gathering.facts()


def script(folder: Path, *entries: dict[str, Any]) -> list[str]:
    """Write a transcript and give the command that plays it."""
    path = folder / "script.jsonl"
    path.write_text("\n".join(json.dumps(entry) for entry in entries), "utf-8")
    return replay(path)


def zoo(name: str, *words: str) -> list[str]:
    return [sys.executable, "-E", str(ZOO / name), *words]


def codes(findings: Sequence[Finding]) -> set[str]:
    return {finding.rule_id.partition("/")[2] for finding in findings}


def document(report: Report) -> dict[str, Any]:
    parsed: dict[str, Any] = orjson.loads(dump_document(to_document(report)))
    return parsed


def run_json(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, dict[str, Any]]:
    """Run the command with --json and give its exit code and document."""
    code = main(["--json", *words])
    out = capfdbinary.readouterr()
    assert out.err == b""
    return code, orjson.loads(out.out)
