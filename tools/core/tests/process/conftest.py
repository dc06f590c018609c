"""A word for the command lines of each test's processes, none of which may outlive the test."""

import secrets
from collections.abc import Iterator

import pytest

from tools.core.tests.process.programs import running, wait_for


@pytest.fixture
def token() -> Iterator[str]:
    """Return a word for a command line; after the test no process that carries it may be left."""
    word = f"token-{secrets.token_hex(8)}"
    yield word
    wait_for(lambda: not running(word), 3.0)
