"""A tool that does what its arguments say, in order, for tests of how tools are run."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType


def show(path: str) -> None:
    sys.stdout.write(Path(path).read_text(encoding="utf-8"))
    sys.stdout.flush()


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def copy(paths: str) -> None:
    source, target = paths.split(":")
    Path(target).write_bytes(Path(source).read_bytes())


def on_term(path: str) -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        show(path)
        os._exit(2)

    signal.signal(signal.SIGTERM, end)


def deaf(_value: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def flood(stream: str) -> None:
    while True:
        getattr(sys, stream).write("x" * 65536)


def eat(mebibytes: str) -> None:
    eaten = bytearray(int(mebibytes) * 2**20)
    eaten[::4096] = b"x" * len(eaten[::4096])
    time.sleep(60)


def start(count: str) -> None:
    for _ in range(int(count)):
        subprocess.Popen(["sleep", "60"], start_new_session=True)


def meet(fifo: str) -> None:
    Path(fifo).write_bytes(b"here")


ACTS: dict[str, Callable[[str], object]] = {
    "print": show,
    "say": say,
    "copy": copy,
    "on-term": on_term,
    "deaf": deaf,
    "flood": flood,
    "eat": eat,
    "start": start,
    "meet": meet,
    "die": lambda number: os.kill(os.getpid(), int(number)),
    "sleep": lambda seconds: time.sleep(float(seconds)),
    "exit": lambda code: sys.exit(int(code)),
}

if __name__ == "__main__":
    for word in sys.argv[1:]:
        name, _, argument = word.partition("=")
        ACTS[name](argument)
