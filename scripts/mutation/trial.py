"""Run tests on a copy of a package in which one module is changed; the checkout itself is never touched."""

import compileall
import contextlib
import os
import py_compile
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?)(?:::| |$)", re.MULTILINE)
_UNUSED = ("no:cacheprovider", "no:xdist", "no:hypothesispytest")
_QUIET = ("-x", "-q", "--no-header", "--tb=no", *(word for plugin in _UNUSED for word in ("-p", plugin)))
OUT_OF_TIME = "time"
"""Stands in a verdict for the file, where the tests were ended."""
_TESTS_FAILED, _NOT_COLLECTED, _NONE_CHOSEN = 1, 2, 5


class TrialError(RuntimeError):
    """The tests could not be run, which says nothing of the mutant."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Tests to run: their files from the root, the choice of `-k` if any, the most seconds they may take."""

    files: tuple[str, ...]
    chosen: str = ""
    limit_s: float = 600.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What tests said: the file in which one failed, OUT_OF_TIME, or nothing."""

    killed_by: str | None


class Overlay:
    """A copy of a package that stands before the real one on the module path of the tests."""

    def __init__(self, root: Path, package: Path, folder: Path) -> None:
        self._root, self._package, self.folder = root, package, folder
        shutil.copytree(root / package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        checked = py_compile.PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(folder, quiet=2, invalidation_mode=checked)

    def put(self, file: Path, text: str) -> None:
        """Write a module of the package, named from the root, into the copy."""
        (self.folder / self._package.name / file.relative_to(self._package)).write_text(text, "utf-8")

    def judge(self, stage: Stage) -> Verdict:
        """Run a stage. Raises TrialError where nothing was tested."""
        chosen = ("-k", stage.chosen) if stage.chosen else ()
        command = [sys.executable, "-m", "pytest", *_QUIET, *chosen, *stage.files]
        code, output = _run(command, self._root, self._environment(), stage.limit_s)
        if code is None:
            return Verdict(OUT_OF_TIME)
        if code in (_TESTS_FAILED, _NOT_COLLECTED):
            failed = _FAILED.search(output)
            return Verdict(failed[1] if failed else stage.files[0])
        if code not in (0, _NONE_CHOSEN):
            raise TrialError(f"pytest ended with exit code {code}:\n{output[-2000:]}")
        return Verdict(None)

    def check(self) -> None:
        """Make sure that the copy is what the tests import. Raises TrialError."""
        name = self._package.name
        command = [sys.executable, "-c", f"import {name}; print({name}.__file__)"]
        code, output = _run(command, self._root, self._environment(), 60.0)
        if code != 0 or not output.strip().startswith(str(self.folder)):
            raise TrialError(f"the tests would import {name} from elsewhere: {output.strip()}")

    def _environment(self) -> dict[str, str]:
        before = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([str(self.folder), *([before] if before else [])])
        return {**os.environ, "PYTHONPATH": path}


def _run(
    command: Sequence[str], folder: Path, environment: dict[str, str], limit_s: float
) -> tuple[int | None, str]:
    """Run a command; gives exit code and output, or no code where its time ran out and it was ended."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            _end(process)
            return None, ""
        except BaseException:
            _end(process)
            raise
        return process.returncode, output


def _end(process: "subprocess.Popen[str]") -> None:
    """End a process and what it started."""
    with contextlib.suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
