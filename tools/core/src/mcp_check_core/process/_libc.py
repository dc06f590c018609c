"""The system calls that make a sandbox and that Python 3.11 has no function for (Linux).

Run by the sandbox's own processes without site-packages, so nothing here may import a dependency. Each
raises `OSError` with the name of the call.
"""

import ctypes
import fcntl
import os
import sys

assert sys.platform == "linux"  # noqa: S101 - the form that type checkers read

_CLONE_NEWNS, _CLONE_NEWUTS, _CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
_CLONE_NEWUSER, _CLONE_NEWPID, _CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
_EVERYTHING = _CLONE_NEWNS | _CLONE_NEWUTS | _CLONE_NEWIPC | _CLONE_NEWUSER | _CLONE_NEWPID | _CLONE_NEWNET
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
_MS_BIND, _MS_REC, _MS_PRIVATE = 4096, 16384, 1 << 18
_MNT_DETACH = 2
_SYS_MOUNT_SETATTR = 442
"""Linux 5.12; the number is the same on every architecture but alpha."""
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID = 1, 2
_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 24, 38
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 1, 0x40
_AF_INET, _SOCK_DGRAM = 2, 2

_libc = ctypes.CDLL(None, use_errno=True)


def unshare_everything() -> None:
    """Move into new user, mount, network, ipc and uts namespaces, and our next children into a pid one.

    The user stays the same, and is the only one that exists inside.
    """
    user, group = os.geteuid(), os.getegid()
    _check("unshare", _libc.unshare(_EVERYTHING))
    for name, text in [
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ]:
        descriptor = os.open(f"/proc/self/{name}", os.O_WRONLY)
        os.write(descriptor, text.encode())
        os.close(descriptor)


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system of its own, such as `tmpfs`."""
    _mount(source, target, kind, flags, data)


def bind(source: str, target: str) -> None:
    """Show `source`, with all that is mounted below it, at `target` too."""
    _mount(source, target, None, _MS_BIND | _MS_REC, None)


def detach_mounts() -> None:
    """Keep what is mounted from now on to our namespace."""
    _mount("none", "/", None, _MS_REC | _MS_PRIVATE, None)


def read_only(target: str, *, recursive: bool) -> None:
    """Make the mount at `target` read-only, with `recursive` all below it too."""
    attributes = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    result = _libc.syscall(
        ctypes.c_long(_SYS_MOUNT_SETATTR),
        ctypes.c_long(_AT_FDCWD),
        ctypes.c_char_p(os.fsencode(target)),
        ctypes.c_long(flags),
        attributes,
        ctypes.c_long(ctypes.sizeof(attributes)),
    )
    _check("mount_setattr", result)


def change_root(new: str) -> None:
    """Make `new` the root, and let go of the old one (pivot_root(2), "pivot_root(".", ".")")."""
    os.chdir(new)
    _check("pivot_root", _libc.pivot_root(b".", b"."))
    _check("umount2", _libc.umount2(b".", _MNT_DETACH))
    os.chdir("/")


def loopback_up() -> None:
    """Bring up the loopback interface of a new network namespace, the only one that it has."""
    descriptor = _check("socket", _libc.socket(_AF_INET, _SOCK_DGRAM, 0))
    request = b"lo".ljust(16, b"\0") + (_IFF_UP | _IFF_RUNNING).to_bytes(2, sys.byteorder) + bytes(22)
    fcntl.ioctl(descriptor, _SIOCSIFFLAGS, request)
    os.close(descriptor)


def give_up_privileges() -> None:
    """Drop every capability, for us and for whatever we start; no set-uid program gives one back."""
    _check("prctl", _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    for capability in range(_LAST_CAPABILITY + 1):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # the kernel knows no more of them
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _check("capset", _libc.capset(header, (ctypes.c_uint32 * 6)()))


def undumpable() -> None:
    """Keep processes of the same user from reading or tracing us."""
    _check("prctl", _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0))


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind, data)]
    _check("mount", _libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]))


def _check(call: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
    return result
