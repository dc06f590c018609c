"""A check that is stopped tells what it had seen, and leaves nothing running."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mcp_check_core.report.schema import validate
from mcp_stdio_guard.contract.document_schema import document_schema

SERVER = """
import os, pathlib, sys
print("a banner", flush=True)
sys.stdin.readline()
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_a_signal_gives_a_partial_report(number: signal.Signals, code: int, tmp_path: Path) -> None:
    pipe, server = tmp_path / "pid", tmp_path / "server.py"
    server.write_text(SERVER, "utf-8")
    os.mkfifo(pipe)
    argv = [sys.executable, "-m", "mcp_stdio_guard", "--json", "--", sys.executable, str(server), str(pipe)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        pid = int(pipe.read_text())
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (code, b"")
    document = json.loads(out)
    assert validate(document, document_schema()) == []
    assert (document["status"], document["score"]) == ("incomplete", None)
    assert [issue["code"] for issue in document["issues"]] == ["stdout-non-json"]
    assert not psutil.pid_exists(pid)
