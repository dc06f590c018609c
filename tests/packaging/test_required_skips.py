"""With MCP_CHECK_REQUIRE_ALL a test that was skipped for want of something has failed."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.packaging.layout import ROOT

SUITE = """
import pytest

def test_wanting() -> None:
    pytest.skip("needs a thing")

def test_other_platform() -> None:
    pytest.skip("POSIX has no job objects")

@pytest.fixture
def thing() -> None:
    pytest.skip("needs a thing for its fixture")

def test_wanting_in_fixture(thing: None) -> None:
    pass

@pytest.mark.skipif(True, reason="needs a thing by its mark")
def test_wanting_by_mark() -> None:
    pass
"""
MODULE = 'import pytest\n\npytest.skip("needs a thing for the module", allow_module_level=True)\n'


def outcomes(folder: Path, required: str) -> dict[str, int]:
    (folder / "conftest.py").write_text((ROOT / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "test_suite.py").write_text(SUITE, encoding="utf-8")
    (folder / "test_module.py").write_text(MODULE, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {**os.environ, "MCP_CHECK_REQUIRE_ALL": required}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--continue-on-collection-errors",
        ".",
    ]
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    counts = re.findall(r"(\d+) (failed|skipped|errors?)", result.stdout.splitlines()[-1])
    return {word.removesuffix("s"): int(number) for number, word in counts}


def test_skips_are_skips_by_default(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "") == {"skipped": 5}


def test_skips_for_want_of_something_fail_where_all_is_required(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "1") == {"failed": 1, "skipped": 1, "error": 3}
