import json
from pathlib import Path

import pytest

from mcp_check_core.report.redact import Redactor
from mcp_check_core.wire.message import Message, MessageKind
from mcp_check_core.wire.trace import TRACE_TEXT_BYTES, TraceWriter
from mcp_check_core.wire.transcript import Direction, Phase, Transcript

SECRET = "hunter2-hunter2"


def traced(path: Path) -> tuple[Transcript, TraceWriter]:
    writer = TraceWriter(path, Redactor({"TOKEN": SECRET}).text)
    return Transcript(1, writer), writer


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_each_frame_is_one_line_of_json_at_once(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    transcript, writer = traced(path)
    transcript.record(Direction.SENT, b'{"a": 1}', 8, Phase.STARTUP, Message(MessageKind.REQUEST, 1, "m"))
    assert len(records(path)) == 1
    transcript.record(Direction.RECEIVED, b"\xff\n\x1b", 3, Phase.OPERATION, during="tools/call a", late=True)
    writer.close()
    first, second = records(path)
    assert {**first, "atMs": 0} == {
        "direction": "sent",
        "line": 1,
        "phase": "startup",
        "atMs": 0,
        "bytes": 8,
        "during": None,
        "late": False,
        "faults": [],
        "text": '{"a": 1}',
    }
    assert (second["text"], second["during"], second["late"]) == ("\ufffd\n\x1b", "tools/call a", True)


def test_secrets_are_hidden_also_where_the_text_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    transcript, writer = traced(path)
    transcript.record(Direction.RECEIVED, SECRET.encode(), 15, Phase.STARTUP, during=f"tools/call {SECRET}")
    long = b"x" * (TRACE_TEXT_BYTES - 8) + SECRET.encode()
    transcript.record(Direction.RECEIVED, long, len(long), Phase.STARTUP)
    writer.close()
    text = path.read_text()
    assert "[redacted:TOKEN]" in text
    assert "hunter2" not in text
    assert records(path)[1]["bytes"] == len(long)


def test_half_a_surrogate_pair_in_a_name_is_written(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    transcript, writer = traced(path)
    transcript.record(Direction.RECEIVED, b"{}", 2, Phase.OPERATION, during="tools/call \ud800")
    writer.close()
    assert records(path)[0]["during"] == "tools/call \\ud800"


def test_a_full_disk_ends_the_trace_and_not_the_check() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    transcript, writer = traced(full)
    for _ in range(3):
        transcript.record(Direction.RECEIVED, b"{}", 2, Phase.OPERATION)
    writer.close()
    assert writer.failure == "the trace could not be written: No space left on device"
    assert transcript.received == 3


def test_a_file_that_cannot_be_opened_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        TraceWriter(tmp_path / "none" / "trace.jsonl", str)
