"""No process of a test in this folder may outlive it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.core.tests.process.programs import running, wait_for
from tools.core.tests.wire.servers import SCRIPT


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Iterator[None]:
    """After the test no process may run of the test's own server."""
    yield
    wait_for(lambda: not running(str(tmp_path / SCRIPT)), 3.0)
