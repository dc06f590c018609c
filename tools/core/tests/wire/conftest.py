"""No process of a test in this folder may outlive it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.core.tests.process.programs import running, wait_for
from tools.core.tests.wire.servers import SCRIPT


@pytest.fixture(autouse=True)
def nothing_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test that wrote a server no process may run whose command line names it."""
    if "tmp_path" not in request.fixturenames:
        yield
        return
    folder = request.getfixturevalue("tmp_path")
    assert isinstance(folder, Path)
    yield
    if (folder / SCRIPT).exists():
        wait_for(lambda: not running(str(folder / SCRIPT)), 3.0)
