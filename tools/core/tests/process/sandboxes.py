"""Folders, programs and launches for the tests of sandboxes."""

import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.process.launch import LaunchSpec, launch
from mcp_check_core.process.sandbox import Sandboxed, SandboxKind, SandboxUnavailable, sandboxed
from tools.core.tests.process.programs import PRELUDE, rest

KINDS = [SandboxKind.BUBBLEWRAP, SandboxKind.NAMESPACES]


@dataclass(frozen=True)
class Machine:
    """What a user has: a home with a key in it, a project, and a file elsewhere."""

    home: Path
    work: Path
    canary: Path

    def spec(self, code: str, token: str, **extra: str) -> LaunchSpec:
        """Return the launch of `code`, with `PRELUDE` before it, in the project and with this home."""
        argv = (sys.executable, "-I", "-S", "-c", PRELUDE + code, token)
        return LaunchSpec(argv, minimal_environment(os.environ, {"HOME": str(self.home), **extra}), self.work)


def make_machine(folder: Path) -> Machine:
    """Make a machine's folders below `folder`."""
    machine = Machine(folder / "home", folder / "work", folder / "elsewhere" / "canary")
    for path, text in [
        (machine.home / ".ssh" / "id", "key"),
        (machine.work / "data.txt", "original"),
        (machine.work / "sub" / "deep.txt", "deep"),
        (machine.canary, "alive"),
    ]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return machine


def need(kind: SandboxKind) -> None:
    """Skip the test where the program for this kind of sandbox is not there."""
    if kind is SandboxKind.BUBBLEWRAP and shutil.which("bwrap") is None:
        pytest.skip("needs bubblewrap")


@asynccontextmanager
async def made(spec: LaunchSpec, kind: SandboxKind | None = None) -> AsyncIterator[Sandboxed]:
    """Make a sandbox, or skip the test where this system lets none be made."""
    try:
        async with sandboxed(spec, kind) as box:
            yield box
    except SandboxUnavailable as problem:
        pytest.skip(f"needs a system that lets sandboxes be made: {problem.message}")


async def said(box: Sandboxed) -> str:
    """Launch what is in the sandbox and return all that it says on standard output."""
    async with launch(box.spec) as process:
        return (await rest(process)).decode()
