import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.wire.event_stream import HEAD_BYTES, Event, EventSplitter


def split(data: bytes, *, size: int = 0, limit: int = 1_000) -> list[Event]:
    splitter = EventSplitter(limit)
    step = size or max(1, len(data))
    return [one for at in range(0, len(data), step) for one in splitter.feed(data[at : at + step])]


@pytest.mark.parametrize(
    ("data", "events"),
    [
        (b"data: a\n\n", [(b"a", "message")]),
        (b"data:a\r\n\r\ndata:  b\r\r", [(b"a", "message"), (b" b", "message")]),
        (b"\xef\xbb\xbfdata: a\n\n", [(b"a", "message")]),
        (b"data: a\ndata: b\ndata\n\n", [(b"a\nb\n", "message")]),
        (b"event: endpoint\ndata: /x\n\ndata: y\n\n", [(b"/x", "endpoint"), (b"y", "message")]),
        (b": keep-alive\n\n:\n\nevent: x\n\n", []),
        (b"id: 1\ndata:\n\n", [(b"", "message")]),
        (b"data: unfinished", []),
        (b"data: unfinished\n", []),
        (b"unknown: x\nretry: soon\ndata: a\n\n", [(b"a", "message")]),
    ],
)
@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_events_are_cut_wherever_the_chunks_end(
    data: bytes, events: list[tuple[bytes, str]], size: int
) -> None:
    assert [(one.data, one.name) for one in split(data, size=size)] == events


@given(
    st.lists(st.sampled_from([b"data: a", b"data", b"id: 7", b"event: e", b": c", b""]), max_size=20),
    st.lists(st.sampled_from([b"\n", b"\r\n"]), min_size=20, max_size=20),
    st.integers(1, 9),
)
def test_how_a_stream_is_chunked_changes_nothing(lines: list[bytes], ends: list[bytes], size: int) -> None:
    data = b"".join(line + end for line, end in zip(lines, ends, strict=False))
    assert split(data, size=size) == split(data)


def test_the_last_id_and_the_time_to_wait_are_known() -> None:
    splitter = EventSplitter(100)
    assert list(splitter.feed(b"id: 5\nretry: 250\ndata:\n\nid: a\0b\nretry: 99999999999\n\n"))
    assert (splitter.last_id, splitter.retry_ms) == ("5", 250)
    assert not list(splitter.feed(b"retry: 9999999\n\n"))
    assert splitter.retry_ms == 10_000


def test_an_event_over_the_limit_is_its_head_and_its_size() -> None:
    (one, other) = split(b"data: " + b"x" * 500_000 + b"\n\ndata: y\n\n", size=10_000, limit=100_000)
    assert (one.oversize, one.size, len(one.data)) == (True, 500_000, HEAD_BYTES)
    assert (other.data, other.oversize) == (b"y", False)


def test_an_event_of_many_lines_is_held_to_the_limit_as_well() -> None:
    (one,) = split(b"data: 12345678\n" * 10_000 + b"\n", size=777, limit=100)
    assert (one.oversize, one.size) == (True, 10_000 * 9 - 1)
    assert len(one.data) < 200


def test_a_line_without_an_end_is_read_in_linear_time_and_bounded_memory() -> None:
    splitter = EventSplitter(1_000)
    started = time.process_time()
    for _ in range(3_000):
        assert not list(splitter.feed(b"x" * 20_000))
    assert len(splitter._line) <= 2_000
    assert time.process_time() - started < 5
