"""What launchers fetch, with launchers of the test's own; and real ones, whose servers then run inside."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.process.launch import LaunchSpec, launch
from mcp_check_core.process.launchers import SAID, ResolutionError
from mcp_check_core.process.resolve import resolve
from mcp_check_core.process.sandbox import Sandboxed, SandboxKind
from tools.core.tests.process.sandboxes import KINDS, made, need

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="there is no sandbox on this platform"),
]

MEMORY = "@modelcontextprotocol/server-memory@2026.8.31"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


class Kit:
    """A folder with launchers that do what a test says, on an own PATH before the system's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.into = folder / "into"
        for name in ("bin", "cache", "work", "into"):
            (folder / name).mkdir()

    def launcher(self, name: str, script: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def package(self, name: str, programs: object, files: tuple[str, ...]) -> Path:
        modules = self.folder / "cache" / "node_modules"
        (modules / name).mkdir(parents=True)
        (modules / name / "package.json").write_text(json.dumps({"name": name, "bin": programs}))
        (modules / ".bin").mkdir()
        for file in files:
            (modules / ".bin" / file).touch()
        return modules / ".bin"

    def spec(self, line: str) -> LaunchSpec:
        path = f"{self.folder / 'bin'}:{os.defpath}"
        env = minimal_environment(os.environ, {"PATH": path, "OWN": "value"})
        return LaunchSpec(tuple(line.split()), env, self.folder / "work")


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    """Return a kit of the test's own."""
    return Kit(tmp_path)


async def test_a_plain_command_stays(kit: Kit) -> None:
    spec = kit.spec("python server.py")
    assert await resolve(spec, kit.into) is spec


@pytest.mark.parametrize(
    ("name", "programs", "files", "chosen"),
    [
        ("p", "./x.js", ("p",), "p"),
        ("@s/p", "./x.js", ("p",), "p"),
        ("p", {"other": "./x.js"}, ("other",), "other"),
        ("p", {"alias": "./x.js", "p": "./x.js"}, ("alias", "p"), "alias"),
        ("@s/p", {"one": "./1.js", "p": "./2.js"}, ("one", "p"), "p"),
    ],
)
async def test_the_program_is_the_one_that_npm_runs(
    kit: Kit, name: str, programs: object, files: tuple[str, ...], chosen: str
) -> None:
    binaries = kit.package(name, programs, files)
    kit.launcher("npx", f"echo noise; echo '{SAID}{binaries}:/usr/bin'; echo >&2 more")
    resolved = await resolve(kit.spec(f"npx -y {name}@1 a -b"), kit.into)
    assert resolved.argv == (str(binaries / chosen), "a", "-b")
    assert resolved.env == kit.spec("x").env


@pytest.mark.parametrize("programs", [{"one": "1.js", "two": "2.js"}, {}, None, [], 5])
async def test_no_program_to_choose(kit: Kit, programs: object) -> None:
    binaries = kit.package("p", programs, ("one", "two"))
    kit.launcher("npx", f"echo '{SAID}{binaries}'")
    with pytest.raises(ResolutionError) as caught:
        await resolve(kit.spec("npx p"), kit.into)
    assert caught.value.message == "npx: 'p' does not say which program it is"


async def test_a_package_from_a_url_is_found_by_the_manifest(kit: Kit) -> None:
    binaries = kit.package("p", "x.js", ("p",))
    (kit.folder / "cache" / "package.json").write_text('{"dependencies": {"p": "git+https://host/p"}}')
    kit.launcher("npx", f"echo '{SAID}{binaries}'")
    assert (await resolve(kit.spec("npx git+https://host/p"), kit.into)).argv == (str(binaries / "p"),)


async def test_a_script_runs_with_the_programs_on_its_path(kit: Kit) -> None:
    binaries = kit.package("p", "x.js", ("p",))
    kit.launcher("npx", f"echo '{SAID}{binaries}'")
    resolved = await resolve(replace(kit.spec("x"), argv=("npx", "-p", "p", "-c", "p | cat")), kit.into)
    assert resolved.argv == ("sh", "-c", "p | cat")
    assert resolved.env["PATH"].startswith(f"{binaries}:")


async def test_python_programs_are_in_the_environment(kit: Kit) -> None:
    (kit.folder / "cache" / "bin").mkdir()
    (kit.folder / "cache" / "bin" / "cmd").touch()
    kit.launcher("uvx", f"echo '{SAID}{kit.folder / 'cache'}'")
    resolved = await resolve(kit.spec("uvx --from p cmd a"), kit.into)
    assert resolved.argv == (str(kit.folder / "cache" / "bin" / "cmd"), "a")
    with pytest.raises(ResolutionError, match=r"^uvx: 'p' has no program 'nothing'$"):
        await resolve(kit.spec("uvx --from p nothing"), kit.into)


async def test_bun_is_told_where_to_put_it(kit: Kit) -> None:
    kit.package("p", "x.js", ("p",))
    kit.launcher("bun", f"""[ "$1 $2" = "add --cwd" ] && cp -r {kit.folder}/cache/node_modules "$3" """)
    resolved = await resolve(kit.spec("bunx p a"), kit.into)
    assert resolved.argv == (str(kit.into / "node_modules" / ".bin" / "p"), "a")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'npm error code E404' >&2; exit 1", "E404"),
        ("echo ' ERR_PNPM_FETCH_404  GET https://host/x' >&2; exit 1", "ERR_PNPM_FETCH_404"),
        (
            "echo 'error: no answer from https://user:word@host/x (at all).' >&2; exit 2",
            "no answer from … (at all)",
        ),
        ("exit 3", "it ended with 3"),
        ("true", "it does not say where it put it"),
        (f"echo {SAID}/nowhere/node_modules/.bin", "it is not where it was put"),
        (f"echo {SAID}", "it is not where it was put"),
        ("sleep 60", "it took longer than 0.3 s"),
        ("yes", "it took longer than 0.3 s"),
    ],
)
async def test_a_failure_is_one_sentence(kit: Kit, script: str, why: str) -> None:
    kit.launcher("npx", script)
    with anyio.fail_after(10), pytest.raises(ResolutionError) as caught:
        await resolve(kit.spec("npx p"), kit.into, 0.3 if "longer" in why else 20)
    assert caught.value.message == f"npx could not fetch 'p': {why}"


async def test_a_launcher_that_is_not_there(kit: Kit) -> None:
    spec = kit.spec("npx p")
    with pytest.raises(ResolutionError, match=r"^cannot start 'npx': no such command on PATH$"):
        await resolve(replace(spec, env={**spec.env, "PATH": "/nowhere"}), kit.into)


async def test_what_it_leaves_running_does_not_hold_us(kit: Kit) -> None:
    binaries = kit.package("p", "x.js", ("p",))
    kit.launcher("npx", f"sleep 60 & echo '{SAID}{binaries}'")
    with anyio.fail_after(10):
        assert (await resolve(kit.spec("npx p"), kit.into)).argv == (str(binaries / "p"),)


async def test_proxies_and_certificates_are_for_the_launcher_alone(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/certificates")
    monkeypatch.setenv("A_SECRET", "word")
    binaries = kit.package("p", "x.js", ("p",))
    kit.launcher("npx", f"env > {kit.folder}/seen; echo '{SAID}{binaries}'")
    resolved = await resolve(kit.spec("npx p"), kit.into)
    seen = (kit.folder / "seen").read_text().splitlines()
    assert "SSL_CERT_FILE=/certificates" in seen
    assert "OWN=value" in seen
    assert not [row for row in seen if row.startswith("A_SECRET")]
    assert "SSL_CERT_FILE" not in resolved.env


async def tools_of(box: Sandboxed) -> set[str]:
    """Make the handshake with the server in the sandbox and return the names of its tools."""
    async with launch(box.spec) as process:
        stream = BufferedByteReceiveStream(process.stdout)
        with anyio.fail_after(60):
            for message in (INITIALIZE, INITIALIZED, LIST):
                await process.stdin.send(json.dumps(message).encode() + b"\n")
            while True:
                line = json.loads(await stream.receive_until(b"\n", 2**22))
                if line.get("id") == 2:
                    return {tool["name"] for tool in line["result"]["tools"]}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> SandboxKind:
    """Return each kind of sandbox whose program is there."""
    wanted = SandboxKind(request.param)
    need(wanted)
    return wanted


@pytest.mark.parametrize(("server", "tool"), [("memory", "read_graph"), ("everything", "echo")])
async def test_installed_servers_run_inside(
    kind: SandboxKind, node_server: Callable[[str], list[str]], server: str, tool: str, tmp_path: Path
) -> None:
    spec = LaunchSpec(tuple(node_server(server)), minimal_environment(os.environ), tmp_path)
    async with made(spec, kind) as box:
        assert tool in await tools_of(box)


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        (f"npx -y {MEMORY}", "read_graph"),
        ("uvx mcp-server-time --local-timezone UTC", "get_current_time"),
    ],
)
async def test_fetched_servers_run_inside(kind: SandboxKind, line: str, tool: str, tmp_path: Path) -> None:
    beside = Path(sys.executable).parent  # uv is there, in the workspace's environment
    env = minimal_environment(os.environ, {"PATH": f"{os.environ['PATH']}:{beside}"})
    program = shutil.which(line.partition(" ")[0], path=env["PATH"])
    if program is None:
        pytest.skip(f"needs {line.partition(' ')[0]}")
    try:
        async with made(LaunchSpec(tuple(line.split()), env, tmp_path), kind) as box:
            assert tool in await tools_of(box)
            assert box.spec.argv[0].startswith("/")
    except ResolutionError as problem:
        pytest.skip(f"needs the package index: {problem.message}")
