"""Our ends of the pipes to a launched process, read and written without a hidden buffer.

What was received is what had arrived: the only store is the kernel's pipe, so a server that floods is
held back, and closing an end really closes it, whoever else holds the other one.
"""

import os
import sys
from dataclasses import dataclass, field

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read


@dataclass(eq=False)
class PipeReader(ByteReceiveStream):
    """The reading end of a pipe; takes over `descriptor` and closes it."""

    descriptor: int
    _closed: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        """Make reads return at once."""
        os.set_blocking(self.descriptor, False)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        """Return what has arrived, at least one byte; raises `anyio.EndOfStream` at the end."""
        await anyio.lowlevel.checkpoint()
        while True:
            if self._closed:
                raise anyio.ClosedResourceError
            try:
                data = os.read(self.descriptor, max_bytes)
            except BlockingIOError:
                await anyio.wait_readable(self.descriptor)
                continue
            if not data:
                raise anyio.EndOfStream
            return data

    async def aclose(self) -> None:
        """Close the end; a task that waits in `receive` gets `anyio.ClosedResourceError`."""
        if not self._closed:
            self._closed = True
            anyio.notify_closing(self.descriptor)
            os.close(self.descriptor)
        await anyio.lowlevel.checkpoint()


@dataclass(eq=False)
class PipeWriter(ByteSendStream):
    """The writing end of a pipe; takes over `descriptor` and closes it."""

    descriptor: int
    _closed: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        """Make writes return at once."""
        os.set_blocking(self.descriptor, False)

    async def send(self, item: bytes) -> None:
        """Write all of `item`; raises `anyio.BrokenResourceError` where nobody reads any more."""
        await anyio.lowlevel.checkpoint()
        rest = memoryview(item)
        while rest:
            if self._closed:
                raise anyio.ClosedResourceError
            try:
                rest = rest[os.write(self.descriptor, rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self.descriptor)
            except BrokenPipeError as error:
                raise anyio.BrokenResourceError from error

    async def aclose(self) -> None:
        """Close the end; a task that waits in `send` gets `anyio.ClosedResourceError`."""
        if not self._closed:
            self._closed = True
            anyio.notify_closing(self.descriptor)
            os.close(self.descriptor)
        await anyio.lowlevel.checkpoint()
