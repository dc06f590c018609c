"""One real server from each registry: installed, captured, and checked by a tool."""

import json
from pathlib import Path

import pytest

from scripts.fieldwork.cli import main

INDEX = """name\tregistry\tpackage\tversion\tnotes\tlaunch\tenv
mcp-server-time\tpypi\tmcp-server-time\t2026.10.19\t\t\t
server-memory\tnpm\t@modelcontextprotocol/server-memory\t2026.8.31\t\t\t
"""
OUT_OF_REACH = ("retrying", "connection", "enotfound", "eai_again", "etimedout", "network", "npm is not on")


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("name", "tools"),
    [("mcp-server-time", {"get_current_time", "convert_time"}), ("server-memory", {"read_graph"})],
)
def test_a_real_server(
    name: str, tools: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "INDEX.tsv").write_text(INDEX)
    common = ["--corpus", str(tmp_path), "--cache", str(tmp_path / "cache")]
    if main([*common, "install", name]) != 0:
        reason = capsys.readouterr().err.strip()
        if any(sign in reason.lower() for sign in OUT_OF_REACH):
            pytest.skip(f"needs the package registries: {reason}")
        pytest.fail(reason)
    out = tmp_path / "out"
    assert main([*common, "capture", name, "--out", str(out)]) == 0
    captured = {tool["name"] for tool in json.loads((out / f"{name}.json").read_text())["tools"]}
    assert tools <= captured
    assert main([*common, "run", "guard", name]) == 0
    assert "counted as run: 1; not counted: none" in capsys.readouterr().out
