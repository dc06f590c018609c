from mcp_check_core.wire.faults import Fault, FaultCode
from mcp_check_core.wire.message import Message, MessageKind
from mcp_check_core.wire.stderr import StderrTail
from mcp_check_core.wire.transcript import Direction, Frame, Phase, Transcript

SENT, RECEIVED = Direction.SENT, Direction.RECEIVED
BAD = (Fault(FaultCode.NOT_JSON, "x"),)


def note(name: str) -> Message:
    return Message(MessageKind.NOTIFICATION, method=name)


def test_frames_are_numbered_by_direction_and_kept_in_order() -> None:
    transcript = Transcript(10)
    transcript.record(SENT, b"a", 1, Phase.STARTUP)
    transcript.record(RECEIVED, b"b", 1, Phase.STARTUP, faults=BAD)
    transcript.record(RECEIVED, b"c", 1, Phase.OPERATION, during="tools/call add", late=True)
    transcript.record(SENT, b"d", 1, Phase.OPERATION)
    assert [(frame.direction, frame.number, frame.excerpt) for frame in transcript.frames] == [
        (SENT, 1, "a"),
        (RECEIVED, 1, "b"),
        (RECEIVED, 2, "c"),
        (SENT, 2, "d"),
    ]
    assert (transcript.sent, transcript.received, transcript.invalid) == (2, 2, 1)
    assert [frame.number for frame in transcript.faulty] == [1]
    assert (transcript.frames[2].during, transcript.frames[2].late) == ("tools/call add", True)


def test_a_flood_pushes_no_faulty_frame_out_and_everything_is_counted() -> None:
    transcript = Transcript(3)
    for _ in range(100):
        transcript.record(RECEIVED, b"{}", 2, Phase.OPERATION, note("m"))
    transcript.record(RECEIVED, b"noise", 5, Phase.OPERATION, faults=BAD)
    assert [frame.excerpt for frame in transcript.frames] == ["{}", "{}", "{}", "noise"]
    assert (transcript.received, transcript.invalid, transcript.methods) == (101, 1, {"m": 100})


def test_known_methods_are_counted_on_when_no_new_ones_are() -> None:
    transcript = Transcript(2)
    for name in ("a", "b", "c", "a"):
        transcript.record(RECEIVED, b"{}", 2, Phase.OPERATION, note(name))
    transcript.record(SENT, b"{}", 2, Phase.OPERATION, note("a"))
    assert transcript.methods == {"a": 2, "b": 1}


def test_what_is_kept_of_a_frame_is_bounded() -> None:
    transcript = Transcript(2)
    message = Message(MessageKind.REQUEST, ["x" * 10**6] * 100, "m" * 10**6)
    transcript.record(RECEIVED, b"y" * 10**6, 10**6, Phase.OPERATION, message)
    (frame,) = transcript.frames
    assert frame.size == 10**6
    assert len(repr(frame)) < 20_000


def test_a_listener_gets_every_frame_with_all_its_bytes() -> None:
    heard: list[tuple[Frame, bytes]] = []
    transcript = Transcript(1, lambda frame, data: heard.append((frame, data)))
    for number in range(5):
        transcript.record(RECEIVED, b"z" * 5_000, 5_000, Phase.OPERATION, note(f"m{number}"))
    assert [frame.method for frame, _ in heard] == ["m0", "m1", "m2", "m3", "m4"]
    assert all(len(data) == 5_000 for _, data in heard)


def test_a_frame_is_a_message_however_faulty() -> None:
    transcript = Transcript(5)
    transcript.record(RECEIVED, b"", 0, Phase.OPERATION, note("m"), (Fault(FaultCode.VERSION),))
    transcript.record(RECEIVED, b"", 0, Phase.OPERATION, None, (Fault(FaultCode.EMPTY_LINE),))
    assert [frame.is_message for frame in transcript.frames] == [True, False]


def test_of_stderr_the_end_is_kept_and_all_is_counted() -> None:
    tail = StderrTail(10)
    for number in range(50):
        tail._take(f"line {number:02}\n".encode())
    assert (tail.total, tail.lines, tail.truncated) == (400, 50, True)
    assert tail.tail(8) == "[last 8 of 400 bytes] …line 49\n"
    assert tail.tail(1_000) == "[last 10 of 400 bytes] …8\nline 49\n"
    assert len(tail._end) <= 20


def test_a_short_stderr_is_whole_and_bears_no_mark() -> None:
    tail = StderrTail(100)
    tail._take("é last words".encode())
    assert tail.tail(100) == "é last words"
    assert not tail.truncated
    assert tail.tail(12) == "[last 12 of 13 bytes] … last words"
