import tracemalloc
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.wire.lines import HEAD_BYTES, Line, LineSplitter


def split(chunks: list[bytes], limit: int = 1_000) -> list[Line]:
    splitter = LineSplitter(limit)
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    rest = splitter.rest()
    return lines if rest is None else [*lines, rest]


def chunked(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({cut % (len(data) + 1) for cut in cuts} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(places)]


@given(
    st.lists(st.sampled_from([b"\n", b"a", b"\r", b"\xff", b"{}"])).map(b"".join), st.lists(st.integers(0))
)
def test_lines_do_not_depend_on_the_chunks(data: bytes, cuts: list[int]) -> None:
    lines = split(chunked(data, cuts))
    expected = data.split(b"\n")
    unfinished = expected.pop()
    assert [line.data for line in lines if line.ended] == expected
    assert [line.data for line in lines if not line.ended] == ([unfinished] if unfinished else [])
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert all(line.size == len(line.data) and not line.oversize for line in lines)


@given(st.binary(max_size=40), st.integers(1, 20), st.lists(st.integers(0)))
def test_a_line_over_the_limit_says_its_size(body: bytes, limit: int, cuts: list[int]) -> None:
    line = body.replace(b"\n", b".")
    (read,) = split(chunked(line + b"\n", cuts), limit)
    assert (read.size, read.oversize, read.data) == (len(line), len(line) > limit, line[:limit])


def test_of_a_long_line_the_head_is_kept_and_the_next_line_is_whole() -> None:
    limit = 4 * HEAD_BYTES
    long, after = split([b"x" * (limit + 1) + b"\nafter\n"], limit)
    assert (len(long.data), long.size, long.oversize) == (HEAD_BYTES, limit + 1, True)
    assert (after.number, after.data, after.oversize) == (2, b"after", False)


def test_a_line_of_50_mb_takes_no_more_memory_than_the_limit() -> None:
    limit, chunk = 1024 * 1024, b"x" * (64 * 1024)
    splitter = LineSplitter(limit)
    tracemalloc.start()
    try:
        for _ in range(50 * 16):
            assert list(splitter.feed(chunk)) == []
        (line,) = splitter.feed(b"\n")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (line.size, line.oversize, len(line.data)) == (50 * 1024 * 1024, True, HEAD_BYTES)
    assert peak < 3 * limit
