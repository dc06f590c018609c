"""Makes a sandbox on Linux: by bubblewrap, or else out of user namespaces by our own program."""

import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio

from mcp_check_core.process.carrier import LaunchSpec, SpawnError
from mcp_check_core.process.environment import bare_python
from mcp_check_core.process.launch import TreeLimits, launch
from mcp_check_core.process.resolve import resolve
from mcp_check_core.process.sandboxed import Sandboxed, SandboxKind, SandboxUnavailable
from mcp_check_core.process.working_copy import CopyLimits, WorkingCopy, copy_folder

if sys.platform != "win32":
    from mcp_check_core.process.layout import Mount, home_inside, layout, seen_inside, unsuited
    from mcp_check_core.process.throw_away import ThrowAway, make_throw_away

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

_PROBE_S = 10.0
_REASON_LENGTH = 200
_NO_KIND = "this system lets none be made"


@asynccontextmanager
async def make_sandbox(
    spec: LaunchSpec, kind: SandboxKind | None, limits: CopyLimits
) -> AsyncIterator[Sandboxed]:
    """Do what `sandboxed` says."""
    try:
        away = await anyio.to_thread.run_sync(make_throw_away)
    except OSError as error:
        raise SandboxUnavailable(f"its folders cannot be made ({error.strerror})") from error
    try:
        yield await _make(await resolve(spec, away.packages), kind, limits, away)
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(away.remove)


async def _make(spec: LaunchSpec, kind: SandboxKind | None, limits: CopyLimits, away: ThrowAway) -> Sandboxed:
    cwd = _real(spec.cwd or Path.cwd())
    if why := unsuited(cwd, home_inside(spec)):
        raise SandboxUnavailable(why)
    try:
        copy = await anyio.to_thread.run_sync(copy_folder, cwd, away.work, limits)
        mounts = layout(spec, cwd, copy, away)
    except OSError as error:
        fault = f"the working folder {str(cwd)!r} cannot be copied ({error.strerror})"
        raise SandboxUnavailable(fault) from error
    env = {**spec.env, "HOME": str(home_inside(spec))}
    if "TMPDIR" in env:
        env["TMPDIR"] = "/tmp"  # noqa: S108 - as the server sees it
    argv = tuple(seen_inside(word, away) for word in spec.argv)
    inside = replace(spec, argv=argv, cwd=cwd, env=env)
    chosen, enclosure, reasons = await _first_that_works(inside, kind, mounts, away)
    notes = (_describe(chosen, reasons), *_copy_notes(copy))
    spec = replace(inside, enclosure=enclosure)
    return Sandboxed(spec, chosen, away.work, away.home, away.temp, copy, notes)


async def _first_that_works(
    spec: LaunchSpec, kind: SandboxKind | None, mounts: tuple[Mount, ...], away: ThrowAway
) -> tuple[SandboxKind, tuple[str, ...], dict[SandboxKind, str]]:
    reasons: dict[SandboxKind, str] = {}
    for each in [kind] if kind else list(SandboxKind):
        enclosure = _enclosure(each, spec, mounts, away)
        reason = await _probe(replace(spec, enclosure=enclosure)) if enclosure else "bwrap is not on PATH"
        if reason is None:
            return each, enclosure, reasons
        reasons[each] = reason
    why = "; ".join(f"{each.value}: {reason}" for each, reason in reasons.items())
    raise SandboxUnavailable(f"{_NO_KIND} ({why})")


def _enclosure(
    kind: SandboxKind, spec: LaunchSpec, mounts: tuple[Mount, ...], away: ThrowAway
) -> tuple[str, ...]:
    """Return the words that lead into the sandbox; none where the program for it is not there."""
    triples = [(mount.kind, mount.source, mount.target) for mount in mounts]
    if kind is SandboxKind.NAMESPACES:
        words = [word for triple in triples for word in triple]
        return (*bare_python("namespaces", spec.env), str(away.root), str(len(triples)), *words)
    program = shutil.which("bwrap")
    if program is None:
        return ()
    words = [word for op, *rest in triples for word in (f"--{op}", *filter(None, rest))]
    held = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    held += ["--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent", "--as-pid-1"]
    return (
        program,
        *held,
        *words,
        "--remount-ro",
        "/",
        "--",
        *bare_python("enclosure", spec.env, foreign=("PWD",)),
    )


async def _probe(spec: LaunchSpec) -> str | None:
    """Start an interpreter in the sandbox; return why that does not work, or None."""
    probe = replace(spec, argv=(sys.executable, "-I", "-S", "-c", ""))
    try:
        async with launch(probe, TreeLimits(max_wall_s=_PROBE_S)) as process:
            ended = await process.wait()
    except SpawnError as error:
        return await _told_by(spec) or error.message.partition(": ")[2]
    return None if ended.code == 0 else "a first process inside did not end well"


async def _told_by(spec: LaunchSpec) -> str:
    """Let bubblewrap say itself why it fails; nothing for our own namespaces."""
    if "--" not in spec.enclosure:
        return ""
    before = spec.enclosure[: spec.enclosure.index("--") + 1]
    with anyio.move_on_after(_PROBE_S):
        command = [*before, sys.executable, "-I", "-S", "-c", ""]
        said = await anyio.run_process(command, stdin=None, check=False, env=dict(spec.env))
        return said.stderr.decode(errors="replace").strip().partition("\n")[0][:_REASON_LENGTH]
    return "it does not end"


def _describe(kind: SandboxKind, reasons: dict[SandboxKind, str]) -> str:
    made = {SandboxKind.BUBBLEWRAP: "bubblewrap", SandboxKind.NAMESPACES: "user namespaces"}[kind]
    instead = "".join(f"; not {each.value}: {reason}" for each, reason in reasons.items())
    return f"the server runs in a sandbox made by {made}{instead}"


def _copy_notes(copy: WorkingCopy) -> list[str]:
    notes = []
    if copy.limit:
        notes.append(
            f"the copy of the working folder stopped at its limit of {copy.limit} ({copy.entries} entries, "
            f"{copy.bytes} bytes); what did not fit is read-only"
        )
    if copy.left_out:
        notes.append(f"{copy.left_out} entries of the working folder are missing from its copy")
    return notes


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
