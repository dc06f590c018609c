"""A word for the command lines of each test's processes, none of which may outlive the test."""

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tools.core.tests.process.programs import running, wait_for


@pytest.fixture
def token() -> Iterator[str]:
    """Return a word for a command line; a process that carries it after the test fails the test, and ends."""
    word = f"token-{secrets.token_hex(8)}"
    yield word
    try:
        wait_for(lambda: not running(word), 3.0)
    finally:
        for pid in running(word):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
