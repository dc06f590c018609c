"""Fetches what a launcher such as npx or uvx would, outside any sandbox, and finds the program it would run.

The launcher itself does it, with the environment of the server and, beside that, our variables about proxies
and certificates: what is fetched, from where and into which cache is as without a sandbox, and so are scripts
that a package runs when it is installed.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream

from mcp_check_core.process.carrier import LaunchSpec, SpawnError
from mcp_check_core.process.environment import network_variables
from mcp_check_core.process.launch import LaunchedProcess, TreeLimits, launch
from mcp_check_core.process.launchers import SAID, Answer, Errand, ResolutionError, errand, node_name

RESOLUTION_S = 120.0
_KEPT = 256 * 1024
_REASON_LENGTH = 200
_BINARIES = "node_modules/.bin"
_MANIFEST_BYTES = 2**20

_WHY = (
    re.compile(r"^npm (?:error|ERR!) code (\S+)", re.MULTILINE),
    re.compile(r"(ERR_PNPM_\w+)"),
    re.compile(r"^\s*(?:cause|Caused by): (.+)", re.MULTILINE),
    re.compile(r"^error: (.+)", re.MULTILINE),
)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s)]+", re.IGNORECASE)


async def resolve(spec: LaunchSpec, folder: Path, patience_s: float = RESOLUTION_S) -> LaunchSpec:
    """Return the launch of the program itself; a command that fetches nothing is returned unchanged.

    `folder`, empty, takes what a launcher keeps nowhere. Raises `ResolutionError`, also after `patience_s`.
    """
    if not spec.argv or (plan := errand(spec.argv, str(folder))) is None:
        return spec
    if plan.answer is Answer.FOLDER:
        (folder / "package.json").write_text("{}\n")
    env = network_variables(os.environ) | dict(spec.env)
    said = await _run(plan, replace(spec, argv=plan.ask, env=env, marker=None), patience_s)
    if plan.answer is Answer.PYTHON_PREFIX:
        program = _python_program(plan, Path(_answer(plan, said)))
        return replace(spec, argv=(str(program), *plan.arguments))
    places = str(folder / _BINARIES) if plan.answer is Answer.FOLDER else _answer(plan, said)
    binaries = [Path(place) for place in places.split(os.pathsep) if place.endswith(_BINARIES)]
    if plan.script is not None:
        path = os.pathsep.join([*map(str, binaries), spec.env.get("PATH", os.defpath)])
        return replace(spec, argv=("sh", "-c", plan.script, *plan.arguments), env={**spec.env, "PATH": path})
    return replace(spec, argv=(*plan.runner, str(_node_program(plan, binaries)), *plan.arguments))


async def _run(plan: Errand, spec: LaunchSpec, patience_s: float) -> str:
    """Run the errand and return what it prints; raises `ResolutionError` where it fails."""
    try:
        async with launch(spec, TreeLimits(max_wall_s=patience_s)) as process:
            await process.stdin.aclose()
            said, complaint = await _read_both(process)
            ended = await process.wait()
            breach = process.breach
    except SpawnError as error:
        raise ResolutionError(error.message) from error
    if breach is not None:
        raise _failed(plan, f"it took longer than {patience_s:g} s")
    if ended.code != 0:
        raise _failed(plan, _reason(complaint) or f"it ended with {ended.code}")
    return said


async def _read_both(process: LaunchedProcess) -> tuple[str, str]:
    """Read both outputs to their ends; of each, the last `_KEPT` bytes are kept."""
    kept: dict[str, bytes] = {}

    async def read(name: str, stream: ByteReceiveStream) -> None:
        data = b""
        try:
            async for part in stream:
                data = (data + part)[-_KEPT:]
        finally:
            kept[name] = data

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read, "stdout", process.stdout)
        tasks.start_soon(read, "stderr", process.stderr)
        await process.wait()
        with anyio.move_on_after(1.0):  # a helper that stays may hold the pipes; we do not wait for it
            while len(kept) < 2:  # noqa: ASYNC110 - two tasks end by themselves
                await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    return kept["stdout"].decode(errors="replace"), kept["stderr"].decode(errors="replace")


def _answer(plan: Errand, said: str) -> str:
    for line in reversed(said.splitlines()):
        if line.startswith(SAID):
            return line.removeprefix(SAID)
    raise _failed(plan, "it does not say where it put it")


def _python_program(plan: Errand, prefix: Path) -> Path:
    program = prefix / "bin" / (plan.command or "")
    if not program.is_file():
        raise ResolutionError(f"{plan.launcher}: {plan.package!r} has no program {plan.command!r}")
    return program


def _node_program(plan: Errand, binaries: list[Path]) -> Path:
    """Return the program of the package, chosen as npm does: the named, the only, or the namesake one."""
    if plan.command is not None:
        for folder in binaries:
            if (folder / plan.command).is_file():
                return folder / plan.command
        raise ResolutionError(f"{plan.launcher}: {plan.package!r} has no program {plan.command!r}")
    for folder in binaries:
        for name in _names(plan, folder.parent.parent):
            declared = _programs(folder.parent / name / "package.json", name)
            if declared is None:
                continue
            chosen = declared[0] if len(declared) == 1 else name.rpartition("/")[2]
            if chosen in declared and (folder / chosen).is_file():
                return folder / chosen
            raise ResolutionError(f"{plan.launcher}: {plan.package!r} does not say which program it is")
    raise _failed(plan, "it is not where it was put")


def _names(plan: Errand, root: Path) -> Iterator[str]:
    """Yield the names that the package may have; those of a path or URL stand in the installing manifest."""
    if name := node_name(plan.package):
        yield name
        return
    dependencies = _read_manifest(root / "package.json").get("dependencies")
    if isinstance(dependencies, dict):
        yield from map(str, dependencies)


def _programs(manifest: Path, name: str) -> list[str] | None:
    """Return the names of a package's programs, those that differ in name alone once; None without it."""
    if not manifest.is_file():
        return None
    declared = _read_manifest(manifest).get("bin")
    if isinstance(declared, str):
        return [name.rpartition("/")[2]]
    if not isinstance(declared, dict):
        return []
    targets = {str(target) for target in declared.values()}
    return [str(program) for program in declared][: 1 if len(targets) == 1 else None]


def _read_manifest(path: Path) -> dict[str, object]:
    try:
        with path.open("rb") as file:
            manifest = json.loads(file.read(_MANIFEST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def _reason(complaint: str) -> str:
    found = (match[1] for pattern in _WHY if (match := pattern.search(complaint)))
    return _URL.sub("…", next(found, "")).strip()[:_REASON_LENGTH].rstrip(".")


def _failed(plan: Errand, why: str) -> ResolutionError:
    return ResolutionError(f"{plan.launcher} could not fetch {plan.package!r}: {why}")
