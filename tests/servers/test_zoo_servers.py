"""The zoo keeps its word: the manifest names each server, twins behave, planted servers start."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MANIFEST = tomllib.loads((HERE / "manifest.toml").read_text("utf-8"))
HOSTILE = tomllib.loads((HERE / "hostile" / "hostile.toml").read_text("utf-8"))
PAIRS: list[dict[str, Any]] = MANIFEST["pair"]
FRAMES = {"mini", "low_level", "test_zoo_servers"}
DECISIONS = {"BLOCK", "FIX-FIRST", "SHIP"}
CLEAN = {"guard": [], "fuzz": [], "reality": [], "decision": "SHIP"}
WRITING = {"write_lost"}
"""Servers with a tool that writes, which are checked with --include-destructive."""
DEADLINE_S = 20.0
GONE = object()


class Client:
    """A client of thirty lines: it sends a request and takes the next line for its answer."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.lines: queue.Queue[Any] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(GONE)

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, number: int, method: str, **params: Any) -> Any:
        self.send({"id": number, "method": method, "params": params})
        while True:
            message = json.loads(self.lines.get(timeout=DEADLINE_S))
            assert message["jsonrpc"] == "2.0"
            if "id" in message:
                assert message["id"] == number
                return message["result"]

    def close(self) -> tuple[list[dict[str, Any]], int]:
        """Close stdin; give the messages that still came, and the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        rest = list(iter(lambda: self.lines.get(timeout=DEADLINE_S), GONE))
        return [json.loads(line) for line in rest], self.process.wait(DEADLINE_S)


@contextmanager
def started(file: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, str(file), *options]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing) as process:
        try:
            yield process
        finally:
            process.kill()


def arguments_for(schema: dict[str, Any]) -> dict[str, Any]:
    values = {"string": "apple", "integer": 1}
    return {name: values[schema["properties"][name]["type"]] for name in schema.get("required", [])}


def check_clean(file: Path, *options: str) -> None:
    """Make the handshake, list the tools, call each, close: nothing but answers, and exit code 0."""
    with started(file, *options) as process:
        client = Client(process)
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        agreed = client.request(1, "initialize", **hello)
        assert agreed["protocolVersion"] == "2025-11-25"
        assert {"name", "version"} <= agreed["serverInfo"].keys()
        client.send({"method": "notifications/initialized"})
        tools = client.request(2, "tools/list")["tools"]
        assert tools
        assert len({tool["name"] for tool in tools}) == len(tools)
        for number, tool in enumerate(tools, start=3):
            assert tool["description"]
            assert tool["annotations"]["readOnlyHint"] in (True, file.stem not in WRITING)
            sent = arguments_for(tool["inputSchema"])
            result = client.request(number, "tools/call", name=tool["name"], arguments=sent)
            if tool["name"] != "convert":
                assert not result.get("isError"), result
        rest, code = client.close()
        assert all("id" not in message for message in rest)
        assert code == 0


def test_manifest_and_folder_agree() -> None:
    names = [pair["name"] for pair in PAIRS]
    assert len(names) == len(set(names))
    assert set(names) == {file.stem for file in HERE.glob("*.py")} - FRAMES


def test_hostile_list_and_folder_agree() -> None:
    files = [server["file"] for server in HOSTILE["server"]]
    assert sorted(files) == sorted(
        file.name for file in (HERE / "hostile").glob("*.py") if file.stem != "frame"
    )


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["name"])
def test_expectations_are_well_formed(pair: dict[str, Any]) -> None:
    planted, fixed = pair["planted"], pair["fixed"]
    assert planted["guard"] or planted["fuzz"] or planted.get("reality")
    assert all(rule.startswith(("reality/", "core/")) for rule in planted.get("reality", ()))
    assert ("reality" in planted) == ("reality" in fixed)
    assert all(rule.startswith("guard/") for rule in planted["guard"])
    assert all(rule.startswith(("fuzz/", "core/")) for rule in planted["fuzz"])
    assert planted["decision"] in DECISIONS
    assert {**fixed, "reality": fixed.get("reality", [])} == CLEAN
    assert pair["frame"] == ("sdk" if pair["name"].startswith("sdk_") else "stdlib")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["name"])
def test_fixed_twin_is_clean(pair: dict[str, Any]) -> None:
    if pair["frame"] == "sdk" and find_spec("mcp") is None:
        pytest.skip("needs the Python package mcp")
    check_clean(HERE / f"{pair['name']}.py", "--fixed")


def test_fixed_demo_is_clean() -> None:
    check_clean(HERE / "demo" / "fixed.py")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["name"])
def test_planted_server_imports(pair: dict[str, Any]) -> None:
    """A planted server shows its defect, not a typing error: stderr of a start and an end names no import."""
    if pair["frame"] == "sdk" and find_spec("mcp") is None:
        pytest.skip("needs the Python package mcp")
    command = [sys.executable, str(HERE / f"{pair['name']}.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.close()
        if pair["name"] == "eof_ignored":
            process.kill()
        problem = process.stderr.read().decode()
        code = process.wait(DEADLINE_S)
    if pair["name"] == "daemon_left_behind":
        os.kill(int(problem), signal.SIGKILL)
    broken = pair["name"] == "exit_before_initialize"
    assert ("KeyError: 'region'" in problem) == broken
    assert all(
        word not in problem for word in ("ImportError", "NameError", "SyntaxError", "ModuleNotFoundError")
    )
    assert code == {"exit_before_initialize": 1, "eof_ignored": -9}.get(pair["name"], 0)
