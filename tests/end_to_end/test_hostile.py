"""Servers that mean harm: bounded time and memory, said in the report, inert, nothing left running."""

import re
import tomllib
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.end_to_end.running import SERVERS, run, zoo

HOSTILE: list[dict[str, Any]] = tomllib.loads(
    (SERVERS / "hostile" / "hostile.toml").read_text(encoding="utf-8")
)["server"]
CANARY = "canary-4f1d0c6be29a7d53"
MIB = 1024 * 1024
PEAK = 500 * MIB
"""Resident memory of our processes together: two tools, their sentinels and the orchestrator."""
SECONDS = 100.0
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
TOOLS = ("guard", "fuzz")


def found_rules(document: dict[str, Any]) -> set[str]:
    """Give the rules that found something, with and without the tool they are about."""
    rules = set()
    for finding in document["findings"]:
        rules |= {finding["ruleId"], f"{finding['ruleId']}@{finding.get('location', {}).get('tool')}"}
    return rules


@pytest.mark.timeout(150)
@pytest.mark.parametrize("server", [pytest.param(row, id=Path(row["file"]).stem) for row in HOSTILE])
def test_hostile(server: dict[str, Any], tmp_path: Path) -> None:
    ran = run(
        "mcp-trust-check",
        "--reports-dir",
        str(tmp_path),
        "--output",
        f"json={tmp_path / 'merged.json'}",
        "--output",
        f"markdown={tmp_path / 'merged.md'}",
        "--env",
        f"CANARY_SECRET={CANARY}",
        *server["options"],
        "--",
        *zoo(f"hostile/{server['file']}"),
        CANARY,
        limit=SECONDS,
    )
    assert ran.left == ()
    assert ran.peak < PEAK, f"{ran.peak / MIB:.0f} MiB"
    assert ran.code == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    merged = orjson.loads((tmp_path / "merged.json").read_bytes())
    documents = {tool: orjson.loads((tmp_path / f"{tool}.json").read_bytes()) for tool in TOOLS}
    for tool in TOOLS:
        assert set(server[tool]) <= found_rules(documents[tool]), tool
    assert merged["decision"] in ("BLOCK", "FIX-FIRST", "SHIP")
    outputs = [ran.stdout, ran.stderr.encode(), *(path.read_bytes() for path in sorted(tmp_path.iterdir()))]
    for output in outputs:
        assert CANARY.encode() not in output
        assert len(output) < 2 * MIB
    for output in (ran.stdout, (tmp_path / "merged.md").read_bytes()):
        assert CONTROLS.search(output) is None
        output.decode("utf-8")
