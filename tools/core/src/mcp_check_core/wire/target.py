"""What a runtime tool connects to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcp_check_core.wire.versions import AUTO


@dataclass(frozen=True, slots=True)
class StdioTarget:
    """A server that we start: its command, folder and whole environment.

    `passed` names the variables that the user added; values of those never leave the process. `launch_id`
    begins the environment marker of every start: made once for a run and hidden in all output, so that what
    a server echoes of its environment is the same in every run. None: each start has a marker of its own.
    `protocol` is the version to speak, or `AUTO`.
    """

    argv: tuple[str, ...]
    cwd: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    passed: tuple[str, ...] = ()
    launch_id: str | None = None
    protocol: str = AUTO


@dataclass(frozen=True, slots=True)
class HttpTarget:
    """A server behind a URL, spoken to over Streamable HTTP.

    `headers` go with every request, within the origin of `url` alone; their values never leave the process
    in any other way. `missing` names headers whose value is not at hand: nothing is sent then. `protocol` is
    the version to speak, or `AUTO`.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    protocol: str = AUTO
