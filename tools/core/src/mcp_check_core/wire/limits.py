"""Bounds that hold for every connection, whatever the server sends."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class WireLimits:
    """Times in seconds, sizes in bytes. Each default is stated in the README and has an option.

    `grace_s` is how long an answer may still come once a line was seen that looks like a broken answer.
    Over HTTP a body is held to `line_bytes`, all bodies to `stdout_bytes`, one stream to `events`.
    """

    startup_s: float = 30.0
    request_s: float = 15.0
    probe_s: float = 10.0
    grace_s: float = 1.0
    line_bytes: int = 16 * MIB
    stdout_bytes: int = 64 * MIB
    stdout_lines: int = 1_000_000
    stderr_bytes: int = MIB
    json_depth: int = 512
    items: int = 10_000
    pages: int = 100
    kept_frames: int = 2_000
    event_bytes: int = MIB
    events: int = 10_000
    redirects: int = 3
