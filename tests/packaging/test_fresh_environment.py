"""Each wheel works in an environment of its own, with core's wheel and what the metadata declares."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packaging.layout import ALL, CORE, ORCHESTRATOR, ROOT, TOOLS, Distribution, by_name

pytestmark = pytest.mark.timeout(300)

UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def run(command: Sequence[str | Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, env=CLEAN, capture_output=True, text=True, timeout=240, check=False
    )


@dataclass(frozen=True)
class Environment:
    """A virtual environment and the folder from which its commands are run."""

    folder: Path

    def run(self, command: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run one of the environment's commands."""
        return run([self.folder / "bin" / command, *words], cwd=self.folder)

    def install(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Install into the environment."""
        python = self.folder / "bin" / "python"
        command: list[str | Path] = [UV, "--system-certs", "pip", "install", "--quiet", "--python", python]
        return run([*command, *arguments], cwd=self.folder)


def environment(folder: Path) -> Environment:
    result = run([UV, "venv", "--quiet", "--python", sys.executable, folder], cwd=folder.parent)
    assert result.returncode == 0, result.stderr
    return Environment(folder)


@pytest.fixture(scope="module")
def pins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a constraints file with the pinned versions; skip where the package index cannot be reached."""
    folder = tmp_path_factory.mktemp("pins")
    path = folder / "constraints.txt"
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    path.write_text("\n".join(re.findall(r"^[a-z0-9][^\\\n]*", text, re.MULTILINE)), encoding="utf-8")
    reached = environment(folder / "index").install("--constraint", path, "orjson")
    if reached.returncode:
        pytest.skip(f"needs the package index: {' '.join(reached.stderr.split())[:300]}")
    return path


@pytest.fixture(scope="module", params=[*TOOLS, ORCHESTRATOR], ids=by_name)
def installed(
    request: pytest.FixtureRequest,
    pins: Path,
    wheels: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Distribution, Environment]:
    """Return each distribution with a command, installed with core (and its tools, for the orchestrator)."""
    distribution: Distribution = request.param
    fresh = environment(tmp_path_factory.mktemp(distribution.name) / "env")
    parts = ALL if distribution is ORCHESTRATOR else (distribution, CORE)
    result = fresh.install("--constraint", pins, *(wheels[part.name] for part in parts))
    assert result.returncode == 0, result.stderr
    return distribution, fresh


def test_the_command_answers_help_and_version(installed: tuple[Distribution, Environment]) -> None:
    distribution, fresh = installed
    helped, version = fresh.run(distribution.command, "--help"), fresh.run(distribution.command, "--version")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert distribution.command in helped.stdout
    assert (version.returncode, version.stderr) == (0, "")
    assert distribution.version in version.stdout


def test_the_package_runs_as_a_module(installed: tuple[Distribution, Environment]) -> None:
    distribution, fresh = installed
    command = fresh.run(distribution.command, "--version")
    module = fresh.run("python", "-P", "-m", distribution.package, "--version")
    assert (module.returncode, module.stdout) == (0, command.stdout)


def test_the_schema_is_in_the_wheel(installed: tuple[Distribution, Environment]) -> None:
    distribution, fresh = installed
    result = fresh.run(distribution.command, "schema")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_no_other_distribution_of_ours_is_needed(installed: tuple[Distribution, Environment]) -> None:
    distribution, fresh = installed
    listed = "import importlib.metadata as m; print(*sorted({d.name for d in m.distributions()}))"
    found = set(fresh.run("python", "-c", listed).stdout.split()) & {item.name for item in ALL}
    expected = {item.name for item in ALL} if distribution is ORCHESTRATOR else {distribution.name, CORE.name}
    assert found == expected


def test_without_the_siblings_the_install_fails_and_names_them(
    pins: Path, wheels: dict[str, Path], tmp_path: Path
) -> None:
    result = environment(tmp_path / "env").install("--constraint", pins, wheels["mcp-fuzz"])
    assert result.returncode != 0
    assert "mcp-check-core" in result.stderr
