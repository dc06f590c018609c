"""What the server in a sandbox sees: which folder of the machine, or of the throw-away ones, is where."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mcp_check_core.process.carrier import LaunchSpec
from mcp_check_core.process.exposure import exposed, program_chain
from mcp_check_core.process.working_copy import WorkingCopy

if sys.platform != "win32":
    from mcp_check_core.process.throw_away import ThrowAway

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

TEMP, RUNTIME = Path("/tmp"), Path("/run")  # noqa: S108 - as the server sees them
PACKAGES = RUNTIME / "packages"
_LAST_RESORT_HOME = Path("/sandbox-home")
_OWN = ("/proc", "/dev", "/tmp", "/run")  # noqa: S108 - not shown as they are
_OURSELVES = Path(__file__).resolve().parents[2]

_KERNEL_KNOBS = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr")
"""What of /proc lets the machine's root change the machine: root of a sandbox is that user, if we are."""

MountKind = Literal["bind", "ro-bind", "symlink", "dev", "proc"]


@dataclass(frozen=True)
class Mount:
    """`source` seen at `target`; for a symlink, `source` is its text, for `dev` and `proc` empty."""

    kind: MountKind
    source: str
    target: str


def home_inside(spec: LaunchSpec) -> Path:
    """Return where the server's own home is: where the real one is, so that paths read the same."""
    named = spec.env.get("HOME", "")
    real = Path(os.path.realpath(named)) if named.startswith("/") else Path("/")
    if not real.is_dir() or real == Path("/") or any(real.is_relative_to(own) for own in ("/proc", "/dev")):
        return _LAST_RESORT_HOME
    return real


def unsuited(cwd: Path, home: Path) -> str | None:
    """Return why `cwd` cannot have a copy in its place, or None where it can."""
    for place, name in [(home, "home"), (TEMP, "temporary folder"), (RUNTIME, "system's /run")]:
        if place.is_relative_to(cwd):
            return f"the working folder {str(cwd)!r} holds the {name}; choose a smaller one with --cwd"
    if any(cwd.is_relative_to(own) for own in ("/proc", "/dev", "/sys")):
        return f"the working folder {str(cwd)!r} belongs to the kernel"
    return None


def layout(spec: LaunchSpec, cwd: Path, copy: WorkingCopy, away: ThrowAway) -> tuple[Mount, ...]:
    """Return the mounts in order: the system read-only, our own folders over it, what leads the server on."""
    home = home_inside(spec)
    words = [*spec.argv, *spec.env.values(), str(cwd), *program_chain(spec.argv, spec.env, cwd)]
    words += [sys.executable, sys.prefix, sys.base_prefix, str(_OURSELVES)]
    mounts = [*_system(), *_kernel()]
    if any(away.packages.iterdir()):
        (away.runtime / PACKAGES.name).mkdir()
    owned = {
        TEMP: Mount("bind", str(away.temp), str(TEMP)),
        RUNTIME: Mount("ro-bind", str(away.runtime), str(RUNTIME)),
        home: Mount("bind", str(away.home), str(home)),
    }
    for hidden in sorted(owned, key=lambda path: len(path.parts)):  # an outer one never covers an inner one
        _place(hidden, away, home)
        mounts.append(owned[hidden])
        for path in exposed(words, hidden):
            if path != away.base:
                _place(path, away, home)
                mounts.append(Mount("ro-bind", str(path), str(path)))
    if (away.runtime / PACKAGES.name).exists():
        mounts.append(Mount("ro-bind", str(away.packages), str(PACKAGES)))
    _place(cwd, away, home)
    mounts.append(Mount("bind", str(copy.folder), str(cwd)))
    kept = [str(cwd / path) for path in copy.read_only]
    return (*mounts, *(Mount("ro-bind", path, path) for path in kept))


def seen_inside(word: str, away: ThrowAway) -> str:
    """Return a path of what was fetched into `away.packages` as the server sees it."""
    return word.replace(str(away.packages), str(PACKAGES))


def _system() -> Iterator[Mount]:
    """Yield the top of the machine's file system, but for what the sandbox has of its own."""
    with os.scandir("/") as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.path in _OWN:
                continue
            if entry.is_symlink():
                yield Mount("symlink", str(Path(entry.path).readlink()), entry.path)
            elif entry.is_dir():
                yield Mount("ro-bind", entry.path, entry.path)


def _kernel() -> Iterator[Mount]:
    yield Mount("dev", "", "/dev")
    yield Mount("proc", "", "/proc")
    for name in _KERNEL_KNOBS:
        if (path := Path("/proc", name)).exists():
            yield Mount("ro-bind", str(path), str(path))


def _place(path: Path, away: ThrowAway, home: Path) -> None:
    """Make the place to mount `path` at, where that falls into a folder of the sandbox's own."""
    owners = [(home, away.home), (TEMP, away.temp), (RUNTIME, away.runtime)]
    inside = [(top, own) for top, own in owners if path != top and path.is_relative_to(top)]
    for top, own in sorted(inside, key=lambda pair: -len(pair[0].parts))[:1]:
        target = own / path.relative_to(top)
        folder = target if path.is_dir() else target.parent
        folder.mkdir(parents=True, exist_ok=True)
        if not path.is_dir():
            target.touch()
