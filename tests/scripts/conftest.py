"""A made-up corpus for the tests of the scripts."""

import sys
from pathlib import Path

import pytest

from tests.scripts.stubs import Stubs

PROGRAMS = {
    "planted": "demo/planted.py",
    "mended": "demo/fixed.py",
    "dead": "exit_before_initialize.py",
    "absent": "",
}


@pytest.fixture
def stubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stubs:
    """Return a corpus of a broken server, a good one, one that dies, and one that no registry has."""
    if sys.platform == "win32":
        pytest.skip("the made-up npm is a script with a first line that names its interpreter")
    made = Stubs(tmp_path, PROGRAMS)
    monkeypatch.setenv("PATH", made.environment["PATH"])
    return made
