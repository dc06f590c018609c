import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
_PLATFORMS = {"linux": "linux", "darwin": "darwin", "win32": "win32"}


@pytest.fixture(scope="session")
def sarif_multitool() -> Path:
    """Return the validator of the SARIF SDK, which npm unpacks without the right to run it."""
    package = f"sarif-multitool-{_PLATFORMS.get(sys.platform, sys.platform)}"
    folder = ROOT / "tests" / "node" / "node_modules" / "@microsoft" / package
    program = folder / ("Sarif.Multitool.exe" if sys.platform == "win32" else "Sarif.Multitool")
    if not program.is_file():
        pytest.skip("needs the SARIF validator of tests/node (`make test` installs it)")
    program.chmod(0o755)
    return program
