"""Run the command in this process, on servers and files that the tests write."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_check_core.model.json_value import Json
from mcp_lint.cli import main

Capture = pytest.CaptureFixture[bytes]
_SERVER = Path(__file__).parent / "serve.py"


def written(path: Path, value: Json) -> Path:
    """Write a value as JSON; lone surrogates and the like stay escaped."""
    path.write_text(json.dumps(value), "utf-8")
    return path


def server(folder: Path, *tools: Json, name: str = "served.json", **over: Json) -> list[str]:
    """Give the command of a server that lists these tools."""
    path = written(folder / name, {"tools": list(tools), **over})
    return [sys.executable, "-S", "-E", str(_SERVER), str(path)]


def ran(capture: Capture, *words: str) -> tuple[int, str, str]:
    """Run the command; give exit code, stdout and stderr."""
    code = main(list(words))
    out = capture.readouterr()
    return code, out.out.decode(), out.err.decode()


def flat(text: str) -> str:
    """Join the lines of a text that was wrapped."""
    return " ".join(text.split())


def ran_json(capture: Capture, *words: str) -> tuple[int, dict[str, Any]]:
    """Run a command with --json, and give exit code and document."""
    code, out, _ = ran(capture, words[0], "--json", *words[1:])
    document: dict[str, Any] = json.loads(out)
    return code, document
