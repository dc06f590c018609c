"""Ignores the end of stdin, SIGTERM, SIGINT and SIGHUP."""

import signal
import threading

import frame


class DeafServer(frame.Server):
    def started(self) -> None:
        for polite in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(polite, signal.SIG_IGN)

    def ended(self) -> None:
        threading.Event().wait(frame.LIFE_S)


DeafServer().run()
