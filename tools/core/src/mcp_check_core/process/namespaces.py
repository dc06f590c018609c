"""Makes a sandbox out of user namespaces, where bubblewrap is not there to do it (Linux 5.12 and newer).

Run by the sentinel as a program, without site-packages. It stays outside the new pid namespace and ends with
the first process inside, which holds the server (`enclosure.py`).
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

if sys.platform == "linux":
    from mcp_check_core.process import _libc
    from mcp_check_core.process.birth import GATE, REPORT, STREAMS, die_with_parent, tell
    from mcp_check_core.process.enclosure import OUTSIDE, hold

assert sys.platform == "linux"  # noqa: S101 - the form that type checkers read

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "ptmx": "pts/ptmx",
}


def main(arguments: Sequence[str]) -> int:
    """Run as `ROOT COUNT (KIND SOURCE TARGET)... CWD COMMAND...`; ROOT is an empty folder to build in."""
    root, count, *rest = arguments
    mounts, (cwd, *command) = rest[: int(count) * 3], rest[int(count) * 3 :]
    try:
        _libc.unshare_everything()
        _libc.loopback_up()
        inner = os.fork()
        if inner == 0:
            _go_inside(root, mounts)
            os._exit(hold(command, cwd))
    except OSError as error:
        tell(REPORT, f"failed sandbox {error.errno}")
        os._exit(1)
    for descriptor in (REPORT, GATE, *STREAMS):
        os.close(descriptor)
    return os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1])


def _go_inside(root: str, mounts: Sequence[str]) -> None:
    """Build the file system that the server sees, move into it, and drop what that took."""
    die_with_parent(OUTSIDE)
    _libc.detach_mounts()
    _libc.mount("tmpfs", root, "tmpfs", _libc.MS_NOSUID | _libc.MS_NODEV, "mode=755,size=4m")
    for kind, source, target in _triples(mounts):
        _place(kind, source, root + target)
    _libc.change_root(root)
    _libc.read_only("/", recursive=False)
    _libc.give_up_privileges()


def _triples(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for at in range(0, len(words), 3):
        yield words[at], words[at + 1], words[at + 2]


def _place(kind: str, source: str, target: str) -> None:
    if kind == "symlink":
        os.symlink(source, target)  # noqa: PTH211 - as below: pathlib would double the start-up
        return
    if kind == "dev":
        _make_devices(target)
        return
    if kind == "proc":
        _mount_proc(target)
        return
    _point(source, target)
    _libc.bind(source, target)
    if kind == "ro-bind":
        _libc.read_only(target, recursive=True)


def _point(source: str, target: str) -> None:
    """Make a folder or file to mount on, where there is none."""
    if os.path.isdir(source):  # noqa: PTH112 - pathlib would double the start-up
        os.makedirs(target, exist_ok=True)  # noqa: PTH103
    elif not os.path.exists(target):  # noqa: PTH110
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))


def _make_devices(folder: str) -> None:
    os.mkdir(folder)  # noqa: PTH102
    _libc.mount("tmpfs", folder, "tmpfs", _libc.MS_NOSUID, "mode=755,size=64m")
    for name in _DEVICES:
        _place("bind", f"/dev/{name}", f"{folder}/{name}")
    for name, target in _DEVICE_LINKS.items():
        os.symlink(target, f"{folder}/{name}")  # noqa: PTH211
    os.mkdir(f"{folder}/shm", 0o1777)  # noqa: PTH102
    os.mkdir(f"{folder}/pts")  # noqa: PTH102
    flags = _libc.MS_NOSUID | _libc.MS_NOEXEC
    _libc.mount("devpts", f"{folder}/pts", "devpts", flags, "newinstance,ptmxmode=0666,mode=620")


def _mount_proc(folder: str) -> None:
    """Mount the new namespace's /proc; the folder stays empty where a container that we are in forbids it."""
    os.mkdir(folder)  # noqa: PTH102
    with suppress(PermissionError):
        _libc.mount("proc", folder, "proc", _libc.MS_NOSUID | _libc.MS_NODEV | _libc.MS_NOEXEC)
