"""Starts 100 sleepers: each second one in a session of its own, each fifth with our pipes open."""

import os

import frame

SLEEPERS = 100


def sleep(number: int) -> None:
    """Be one sleeper; ends within a minute by itself."""
    if number % 2 == 0:
        os.setsid()
    if number % 5 != 0:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
    os.execvp("sleep", ["sleep", str(frame.LIFE_S - 10)])


class ForkingServer(frame.Server):
    def started(self) -> None:
        for number in range(SLEEPERS):
            if os.fork() == 0:
                sleep(number)


ForkingServer().run()
