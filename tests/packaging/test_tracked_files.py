"""No tracked file names the machine that it was made on, or a host to install from."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.layout import ROOT

PEOPLE = r"/(?:home|Users)/(?!user\b|me\b|runner\b|alice\b|bob\b|you\b|victim\b)[a-z][\w.-]*/"
BUILD_ROOTS = r"(?<![\w.:/-])/(?:work|workspace|builds)/\w"
MACHINE = re.compile("|".join([PEOPLE, BUILD_ROOTS, re.escape(str(ROOT)), re.escape(sys.prefix)]))
SETTINGS = (
    "pyproject.toml",
    "requirements.in",
    "requirements.txt",
    "Makefile",
    ".npmrc",
    "run",
    "action.yml",
)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Return the text of each tracked file by its path; a file that is not UTF-8 is read as Latin-1."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs git and a checkout")
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    names = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode().split("\0")
    present = [name for name in names if name and (ROOT / name).is_file()]
    return {name: read(ROOT / name) for name in present}


def read(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def test_no_path_of_a_machine(texts: dict[str, str]) -> None:
    assert len(texts) > 50
    hits = {name: found.group() for name, text in texts.items() if (found := MACHINE.search(text))}
    assert hits == {}


def test_no_host_in_a_file_that_installs(texts: dict[str, str]) -> None:
    settings = {name: text for name, text in texts.items() if name.rpartition("/")[2] in SETTINGS}
    assert ".ci/run" in settings
    hits = {
        name
        for name, text in settings.items()
        if re.search(r"https?://|--(extra-)?index-url|find-links", text)
    }
    assert hits <= {"Makefile"}, hits
    assert "://" not in settings["Makefile"]
