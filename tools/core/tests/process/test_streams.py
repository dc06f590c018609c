"""Our ends of a pipe keep every byte, wait without spinning and really close."""

import os

import anyio
import pytest

from mcp_check_core.process.streams import PipeReader, PipeWriter

pytestmark = pytest.mark.anyio


def pipe() -> tuple[PipeReader, PipeWriter]:
    """Return both ends of one pipe."""
    reader, writer = os.pipe()
    return PipeReader(reader), PipeWriter(writer)


async def test_more_than_a_pipe_holds_arrives_whole() -> None:
    reader, writer = pipe()
    data = os.urandom(3_000_000)
    received = bytearray()

    async def send() -> None:
        async with writer:
            await writer.send(data)

    async with reader, anyio.create_task_group() as tasks:
        tasks.start_soon(send)
        async for part in reader:
            assert len(part) <= 65536
            received += part
    assert received == data


async def test_reader_gone() -> None:
    reader, writer = pipe()
    await reader.aclose()
    with pytest.raises(anyio.BrokenResourceError):
        await writer.send(b"x")
    await writer.aclose()


async def test_reader_goes_while_we_wait() -> None:
    reader, writer = pipe()
    async with writer, anyio.create_task_group() as tasks:
        tasks.start_soon(reader.aclose)
        with pytest.raises(anyio.BrokenResourceError):
            await writer.send(b"x" * 1_000_000)


async def test_closing_wakes_who_waits() -> None:
    reader, writer = pipe()
    async with writer, anyio.create_task_group() as tasks:
        tasks.start_soon(reader.aclose)
        with pytest.raises(anyio.ClosedResourceError):
            await reader.receive()


async def test_closed_ends_refuse() -> None:
    reader, writer = pipe()
    for stream in (reader, writer, reader, writer):
        await stream.aclose()
    with pytest.raises(anyio.ClosedResourceError):
        await reader.receive()
    with pytest.raises(anyio.ClosedResourceError):
        await writer.send(b"x")


async def test_waiting_can_be_cancelled() -> None:
    reader, writer = pipe()
    async with reader, writer:
        with anyio.move_on_after(0.01) as scope:
            await reader.receive()
        assert scope.cancelled_caught
        await writer.send(b"later")
        assert await reader.receive() == b"later"
