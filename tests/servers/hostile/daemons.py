"""Starts three daemons by two forks, without environment, that ignore every polite signal."""

import os
import signal
import sys

import frame

DAEMONS = 3
CODE = "import signal, time; signal.alarm(50); time.sleep(50)"


def become_daemon() -> None:
    """Leave session, parent, pipes and environment behind; ignored signals stay ignored over exec."""
    os.setsid()
    if os.fork():
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    for polite in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(polite, signal.SIG_IGN)
    os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", CODE], {})


class DaemonServer(frame.Server):
    def started(self) -> None:
        for _ in range(DAEMONS):
            child = os.fork()
            if child == 0:
                become_daemon()
            os.waitpid(child, 0)


DaemonServer().run()
