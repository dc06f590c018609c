"""A minimal client for measuring: it starts a server, shakes hands, sends requests, and closes in order."""

import json
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

Message = dict[str, Any]
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
_PATIENCE_S = 30


class BareClient:
    """Speaks to a running server over its pipes, one request at a time."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        """Take the server's pipes."""
        self._stdin, self._stdout = stdin, stdout
        self._number = 0

    def send(self, message: Message) -> None:
        """Write one message."""
        self._stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._stdin.flush()

    def request(self, method: str, params: Any = None) -> None:  # noqa: ANN401 - whatever a tool sends
        """Send a request and wait for its answer, whatever that is."""
        self._number += 1
        self.send({"id": self._number, "method": method, **({} if params is None else {"params": params})})
        while line := self._stdout.readline():
            if json.loads(line).get("id") == self._number:
                return
        raise RuntimeError(f"the server ended instead of answering {method}")


@contextmanager
def session(command: Sequence[str], env: Mapping[str, str]) -> Iterator[BareClient]:
    """Start a server and shake hands; on leaving close its stdin and wait for its end."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(env)
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the pipes of the server are missing")
        client = BareClient(process.stdin, process.stdout)
        client.request("initialize", _HELLO)
        client.send({"method": "notifications/initialized"})
        yield client
        process.stdin.close()
        process.wait(_PATIENCE_S)


def start_seconds(command: Sequence[str], env: Mapping[str, str]) -> float:
    """Measure launch, handshake and orderly end."""
    began = time.monotonic()
    with session(command, env):
        pass
    return time.monotonic() - began


def call_seconds(command: Sequence[str], env: Mapping[str, str], requests: Sequence[Message]) -> float:
    """Measure the requests alone, one after the other in one session."""
    with session(command, env) as client:
        began = time.monotonic()
        for message in requests:
            client.request(message["method"], message.get("params"))
        return time.monotonic() - began


def requests_of(trace: Path) -> list[Message]:
    """Read from a trace of frames which requests were sent, those of the handshake left out."""
    frames = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    sent = [json.loads(frame["text"]) for frame in frames if frame["direction"] == "sent"]
    return [
        message for message in sent if "id" in message and message.get("method") not in ("initialize", None)
    ]
