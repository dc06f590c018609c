"""A check that is stopped tells what it knows, and stops reading."""

import os
import signal
import sys
from pathlib import Path
from threading import Event

import pytest

from mcp_check_core.cli.execute import execute
from mcp_check_core.report.schema import validate
from mcp_doctor.contract.document_schema import document_schema
from mcp_doctor.discover.limits import ReadLimits
from mcp_doctor.discover.read import Reader
from mcp_doctor.engine.build import build
from mcp_doctor.facts.source import LanguageFacts
from tools.doctor.tests.sources import document, write


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_while_files_are_read(tmp_path: Path) -> None:
    ended = Event()

    def interrupting(reader: Reader) -> LanguageFacts | None:
        os.kill(os.getpid(), signal.SIGTERM)
        try:
            while True:
                reader.check()
        finally:
            ended.set()

    doctor = build([write(tmp_path, {"server.py": "x = 1\n"})], ReadLimits())
    doctor.adapters = (interrupting,)
    stopped = execute(doctor, 60)
    made = document(stopped.report)
    assert stopped.interrupted
    assert ended.wait(10)
    assert validate(made, document_schema()) == []
    assert (made["status"], made["score"]) == ("incomplete", None)
    assert {rule["outcome"] for rule in made["rules"]} == {"not_run"}
    assert made["errors"][0]["kind"] == "interrupted"


def test_a_time_limit(tmp_path: Path) -> None:
    def endless(reader: Reader) -> LanguageFacts | None:
        while True:
            reader.check()

    doctor = build([write(tmp_path, {"server.py": "x = 1\n"})], ReadLimits())
    doctor.adapters = (endless,)
    made = document(execute(doctor, 0.2).report)
    assert made["status"] == "incomplete"
    assert [one["kind"] for one in made["errors"]] == ["limit"]
