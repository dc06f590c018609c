"""The first process of a sandbox: starts the server, reports how it ends, and reaps what it leaves.

It is pid 1 of its own namespace, so that nothing inside can signal it and nothing outside can be signalled
from inside; when it is killed, the kernel kills all inside. It lives until the last process inside has ended:
what the server leaves running can thus still be seen. Run inside the sandbox, without site-packages.

Report, one line each: `held PID`, the server forked but not let go yet, its pid as seen inside; `started` or
`failed STAGE ERRNO`; then `exit CODE` or `signal NUMBER`.
"""

import os
import sys
from collections.abc import Sequence

if sys.platform == "linux":
    from mcp_check_core.process._libc import undumpable
    from mcp_check_core.process.birth import (
        GATE,
        REPORT,
        STREAMS,
        die_with_parent,
        let_go_of_streams,
        start,
        tell,
    )

assert sys.platform == "linux"  # noqa: S101 - the form that type checkers read

OUTSIDE = 0
"""What `getppid` says where the parent is outside the namespace."""


def main(arguments: Sequence[str]) -> int:
    """Run as `CWD COMMAND...`, with the descriptors that `birth` names."""
    cwd, *command = arguments
    die_with_parent(OUTSIDE)
    return hold(command, cwd)


def hold(command: Sequence[str], cwd: str) -> int:
    """Start the server once the sentinel lets it go, and stay until nothing inside is left."""
    undumpable()
    server, failure = start(
        command, cwd, forked=lambda pid: tell(REPORT, f"held {pid}"), gate=GATE, streams=STREAMS
    )
    let_go_of_streams()
    for descriptor in (GATE, *STREAMS):
        os.close(descriptor)
    if failure:
        os.waitpid(server, 0)
        tell(REPORT, f"failed {failure}")
        return 1
    tell(REPORT, "started")
    _reap(server)
    return 0


def _reap(server: int) -> None:
    """Wait for every process inside; the server's end is told while its number is still its own."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            return
        if ended is None:
            return
        if ended.si_pid == server:
            word = "exit" if ended.si_code == os.CLD_EXITED else "signal"
            tell(REPORT, f"{word} {ended.si_status}")
        os.waitpid(ended.si_pid, 0)
