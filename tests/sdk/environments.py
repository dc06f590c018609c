"""Environments with one SDK each, made once."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PINS = Path(__file__).parent / "pins"
SERVER = Path(__file__).parent / "server.py"
_INSTALL_S = 240.0


def python_with(name: str, cache: Path) -> str:
    """Give the interpreter of an environment with the pinned SDK `name`, which is made where it is not there.

    Two runs at once both make one; the first to finish is kept. Skips where the packages cannot be fetched.
    """
    pins = PINS / f"{name}.txt"
    digest = hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()[:12]
    kept = cache / f"{name}-{digest}"
    interpreter = kept / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not interpreter.exists():
        mine = cache / f"{name}-{digest}.{os.getpid()}"
        try:
            _make(mine, pins)
            mine.rename(kept)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            pytest.skip(f"needs the package index, to install {name}")
        except OSError:
            assert interpreter.exists(), "another run has made this environment meanwhile"
        finally:
            shutil.rmtree(mine, ignore_errors=True)
    return str(interpreter)


def _make(folder: Path, pins: Path) -> None:
    uv = [sys.executable, "-m", "uv"]
    install = [*uv, "pip", "install", "--quiet", "--require-hashes", "--python", str(folder), "-r", str(pins)]
    for command in ([*uv, "venv", "--quiet", "--python", sys.executable, str(folder)], install):
        subprocess.run(command, check=True, timeout=_INSTALL_S, stdin=subprocess.DEVNULL, capture_output=True)
