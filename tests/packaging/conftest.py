"""Builds every distribution once: a source archive, and the wheel from that archive."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.layout import ALL, ROOT


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the archives and wheels of all distributions."""
    folder = tmp_path_factory.mktemp("dist")
    for distribution in ALL:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
        result = subprocess.run(
            [*command, str(ROOT / distribution.folder)],
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
    return folder


@pytest.fixture(scope="session")
def wheels(dist: Path) -> dict[str, Path]:
    """Return the wheel of each distribution, by the distribution's name."""
    return {path.name.partition("-")[0].replace("_", "-"): path for path in dist.glob("*.whl")}
