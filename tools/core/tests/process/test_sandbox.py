"""What a server in a sandbox can reach, and what it cannot, with each kind of sandbox."""

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_check_core.process import sandbox
from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.process.launch import Exit, LaunchSpec, SpawnError, TreeLimits, launch
from mcp_check_core.process.marker import MARKER
from mcp_check_core.process.sandbox import SandboxKind, SandboxUnavailable, platform_reason, sandboxed
from tools.core.tests.process.programs import lines, rest
from tools.core.tests.process.sandboxes import KINDS, Machine, made, make_machine, need, said

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="there is no sandbox on this platform"),
]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> SandboxKind:
    """Return each kind of sandbox whose program is there."""
    wanted = SandboxKind(request.param)
    need(wanted)
    return wanted


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine of the test's own."""
    return make_machine(tmp_path)


@pytest.fixture
def listeners() -> Iterator[tuple[int, int, str, list[str]]]:
    """Listen by TCP, UDP and an abstract unix socket on this machine; yield where, and what came."""
    heard: list[str] = []
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    abstract = socket.socket(socket.AF_UNIX)
    name = f"mcp-check-{os.getpid()}"
    abstract.bind(f"\0{name}")
    abstract.listen()

    def accept() -> None:
        while True:
            connection, _ = tcp.accept()
            with connection:
                word = connection.recv(16)
            if word == b"end":
                return
            heard.append("tcp")

    thread = threading.Thread(target=accept)
    thread.start()
    yield tcp.getsockname()[1], udp.getsockname()[1], name, heard
    with socket.create_connection(tcp.getsockname()) as last:
        last.sendall(b"end")
    thread.join()
    udp.setblocking(False)
    with pytest.raises(BlockingIOError):
        udp.recv(16)
    for each in (tcp, udp, abstract):
        each.close()


NAMESPACES = ["ipc", "mnt", "net", "pid", "user", "uts"] if sys.platform == "linux" else []
OURS = {name: str(Path("/proc/self/ns", name).readlink()) for name in NAMESPACES}

REACH = """
import json, socket
def tried(work):
    try:
        return ["reached", repr(work())]
    except OSError as error:
        return ["refused", type(error).__name__]
tcp, udp, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
unix = socket.socket(socket.AF_UNIX)
own = socket.create_server(("127.0.0.1", 0))
print(json.dumps({
    "tcp": tried(lambda: socket.create_connection(("127.0.0.1", tcp), 2)),
    "udp": tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", udp))),
    "away": tried(lambda: socket.create_connection(("192.0.2.1", 80), 2)),
    "dns": tried(lambda: socket.getaddrinfo("example.org", 80)),
    "abstract": tried(lambda: unix.connect(chr(0) + name)),
    "own": tried(lambda: socket.create_connection(own.getsockname(), 2)),
}))
"""


async def test_no_network_but_its_own_loopback(
    kind: SandboxKind, machine: Machine, listeners: tuple[int, int, str, list[str]], token: str
) -> None:
    tcp, udp, name, heard = listeners
    spec = machine.spec(REACH, token)
    spec = replace(spec, argv=(*spec.argv[:-1], str(tcp), str(udp), name, token))
    async with made(spec, kind) as box:
        reached = json.loads(await said(box))
    assert reached["tcp"] == ["refused", "ConnectionRefusedError"]
    assert [reached[what][0] for what in ("away", "dns", "abstract")] == ["refused"] * 3
    assert reached["own"][0] == "reached"
    assert heard == []


WRITE = """
import json
def tried(path):
    try:
        with open(path, "w") as file:
            file.write("harm")
        return "written"
    except OSError as error:
        return type(error).__name__
home = os.environ["HOME"]
canary = sys.argv[1]
print(json.dumps({path: tried(path) for path in [
    canary, "data.txt", "new.txt", home + "/mine", "/tmp/mine", "/mine", "/usr/mine", "/run/mine",
    "/etc/hosts",
    "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/sys/kernel/mine", os.path.dirname(canary) + "/mine",
]}))
"""


async def test_nothing_is_written_but_to_the_copies(kind: SandboxKind, machine: Machine, token: str) -> None:
    spec = machine.spec(WRITE, token)
    spec = replace(spec, argv=(*spec.argv[:-1], str(machine.canary), token))
    async with made(spec, kind) as box:
        tried = json.loads(await said(box))
        written = {path for path, outcome in tried.items() if outcome == "written"}
        assert written == {"data.txt", "new.txt", f"{machine.home}/mine", "/tmp/mine"}
        for copy in (box.work / "data.txt", box.work / "new.txt", box.home / "mine", box.temp / "mine"):
            assert copy.read_text() == "harm"
    assert not box.work.exists()
    assert machine.canary.read_text() == "alive"
    assert (machine.work / "data.txt").read_text() == "original"
    assert sorted(path.name for path in machine.work.iterdir()) == ["data.txt", "sub"]
    assert [path.name for path in machine.home.iterdir()] == [".ssh"]


async def test_sees_its_folder_and_no_keys(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = """
import json
print(json.dumps([os.getcwd(), open("sub/deep.txt").read(), os.path.exists(os.environ["HOME"] + "/.ssh"),
                  sorted(os.listdir("/dev")), os.listdir("/run")]))
"""
    async with made(machine.spec(code, token), kind) as box:
        cwd, deep, keys, devices, runtime = json.loads(await said(box))
    assert (cwd, deep, keys, runtime) == (str(machine.work), "deep", False, [])
    assert {"null", "urandom", "shm"} <= set(devices)
    assert not [device for device in devices if device.startswith(("sd", "vd", "nvme", "mem", "kvm", "loop"))]


async def test_what_the_command_leads_to_is_seen_read_only(
    kind: SandboxKind, machine: Machine, token: str
) -> None:
    (machine.home / "servers" / "lib").mkdir(parents=True)
    (machine.home / "servers" / "lib" / "words.txt").write_text("words")
    code = """
path = sys.argv[1]
print(open(path + "/words.txt").read())
try:
    open(path + "/mine", "w")
except OSError as error:
    print(error.strerror)
"""
    spec = machine.spec(code, token)
    spec = replace(spec, argv=(*spec.argv[:-1], str(machine.home / "servers" / "lib"), token))
    async with made(spec, kind) as box:
        assert (await said(box)).splitlines() == ["words", "Read-only file system"]


async def test_processes_outside_are_neither_seen_nor_signalled(
    kind: SandboxKind, machine: Machine, token: str
) -> None:
    code = """
pids = [name for name in os.listdir("/proc") if name.isdigit()]
def tried(pid, number):
    try:
        os.kill(pid, number)
        return "sent"
    except OSError as error:
        return type(error).__name__
held = open("/proc/1/status").read()
try:
    os.readlink("/proc/1/exe")
    first = "open"
except OSError:
    first = "closed"
print(len(pids), os.getpid(), tried(int(sys.argv[1]), 0), first, tried(1, signal.SIGKILL))
print("still here")
"""
    spec = machine.spec(code, token)
    spec = replace(spec, argv=(*spec.argv[:-1], str(os.getpid()), token))
    async with made(spec, kind) as box:
        first, second = (await said(box)).splitlines()
    assert first == "2 2 ProcessLookupError closed sent"
    assert second == "still here"


async def test_shares_no_namespace_with_us(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = f"""
import json
print(json.dumps({{name: os.readlink(f"/proc/self/ns/{{name}}") for name in {NAMESPACES}}}))
"""
    async with made(machine.spec(code, token), kind) as box:
        inside = json.loads(await said(box))
    assert [name for name in NAMESPACES if inside[name] == OURS[name]] == []


async def test_no_privileges(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = "print([row for row in open('/proc/self/status') if row[:6] in ('CapEff', 'CapPrm', 'NoNewP')])"
    async with made(machine.spec(code, token), kind) as box:
        answer = await said(box)
    assert answer.count("0000000000000000") == 2
    assert "NoNewPrivs:\\t1" in answer


async def test_environment_is_the_minimal_one(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = "import json; print(json.dumps(dict(os.environ)))"
    spec = machine.spec(code, token, OWN="value")
    async with made(spec, kind) as box, launch(box.spec) as process:
        environment = json.loads(await rest(process))
        assert environment.pop(MARKER) == process.marker
    started_coerced = environment.pop("LC_CTYPE", "C.UTF-8")  # what Python sets for itself in the C locale
    assert environment == minimal_environment(os.environ, {"HOME": str(machine.home), "OWN": "value"})
    assert started_coerced == "C.UTF-8"


async def test_no_descriptors_are_inherited(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = "print(sorted(os.listdir('/proc/self/fd')))"
    async with made(machine.spec(code, token), kind) as box:
        assert await said(box) == "['0', '1', '2', '3']\n"  # 3 is the folder that is read


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("sys.exit(7)", Exit(code=7)),
        ("os._exit(137)", Exit(code=137)),
        ("os.kill(os.getpid(), signal.SIGSEGV)", Exit(signal=signal.SIGSEGV)),
        ("os.kill(os.getpid(), signal.SIGTERM)", Exit(signal=signal.SIGTERM)),
    ],
)
async def test_ends_as_outside(
    kind: SandboxKind, machine: Machine, code: str, ended: Exit, token: str
) -> None:
    async with made(machine.spec(code, token), kind) as box, launch(box.spec) as process:
        assert await process.wait() == ended


async def test_streams_are_the_servers_own(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = (
        "data = os.read(0, 99); os.write(1, data.upper()); os.write(2, b'aside'); os.close(1); os.read(0, 9)"
    )
    async with made(machine.spec(code, token), kind) as box, launch(box.spec) as process:
        await process.stdin.send(b"hello")
        assert await rest(process) == b"HELLO"  # to its end: nobody else holds it
        assert await process.stderr.receive() == b"aside"
        assert process.exit is None


async def test_tree_is_the_servers_alone(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = "child(stay); say('up'); until_closed(); sys.exit(0)"
    async with made(machine.spec(code, token), kind) as box, launch(box.spec) as process:
        await lines(process, 1)
        members = process.members()
        assert len(members) == 2
        assert process.pid in {member.pid for member in members}
        assert os.getpgid(process.pid) == os.getsid(process.pid) == process.pid
        ended = await process.shutdown()
        assert len(ended.leftovers) == 1
        assert (ended.sent_sigterm, ended.sent_sigkill, ended.survivors) == (False, False, ())
    assert process.usage.peak_processes == 2


async def test_what_it_wrote_is_there_for_the_next_start(
    kind: SandboxKind, machine: Machine, token: str
) -> None:
    code = "open('count', 'a').write('x'); print(len(open('count').read()))"
    async with made(machine.spec(code, token), kind) as box:
        assert [await said(box), await said(box)] == ["1\n", "2\n"]


async def test_limits_hold(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = "[child(stay) for _ in range(200)]; stay()"
    async with made(machine.spec(code, token), kind) as box:
        async with launch(box.spec, TreeLimits(max_processes=20)) as process:
            await process.wait()
        assert process.breach is not None
        assert (process.breach.limit, process.breach.allowed) == ("processes", 20)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("no-such-command",), "no such command on PATH"),
        (("./data.txt",), "it is not executable"),
        (
            ("./orphan",),
            "it, or the interpreter that its first line names, cannot be seen inside the sandbox",
        ),
    ],
)
async def test_what_cannot_be_started(
    kind: SandboxKind, machine: Machine, argv: tuple[str, ...], message: str
) -> None:
    env = minimal_environment(os.environ, {"HOME": str(machine.home)})
    (machine.work / "orphan").write_text("#!/no/such/interpreter")
    (machine.work / "orphan").chmod(0o755)
    async with made(LaunchSpec(argv, env, machine.work), kind) as box:
        with pytest.raises(SpawnError) as caught:
            async with launch(box.spec):
                pytest.fail("it started")
    assert message in caught.value.message


async def test_says_what_it_is(kind: SandboxKind, machine: Machine, token: str) -> None:
    made_by = {SandboxKind.BUBBLEWRAP: "bubblewrap", SandboxKind.NAMESPACES: "user namespaces"}
    async with made(machine.spec("pass", token), kind) as box:
        assert box.kind is kind
        assert box.notes == (f"the server runs in a sandbox made by {made_by[kind]}",)


async def test_without_bubblewrap_it_makes_its_own(
    machine: Machine, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    async with made(machine.spec("pass", token)) as box:
        assert box.kind is SandboxKind.NAMESPACES
        assert box.notes[0].endswith("made by user namespaces; not bubblewrap: bwrap is not on PATH")


async def test_says_why_none_can_be_made(
    machine: Machine, token: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "bin" / "bwrap"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'bwrap: no permission here' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}:{os.environ['PATH']}")
    with pytest.raises(SandboxUnavailable) as caught:
        async with sandboxed(machine.spec("pass", token), SandboxKind.BUBBLEWRAP):
            pytest.fail("it was made")
    assert caught.value.message == ("this system lets none be made (bubblewrap: bwrap: no permission here)")


@pytest.mark.parametrize("cwd", ["/", "/tmp", "HOME", "ABOVE", "/proc/self"])
async def test_a_folder_that_holds_too_much_is_refused(machine: Machine, cwd: str, token: str) -> None:
    places = {"HOME": machine.home, "ABOVE": machine.home.parent}
    spec = replace(machine.spec("pass", token), cwd=places.get(cwd, Path(cwd)))
    with pytest.raises(SandboxUnavailable) as caught:
        async with sandboxed(spec):
            pytest.fail("it was made")
    assert caught.value.message.startswith("the working folder '/")
    assert "\n" not in caught.value.message


def test_other_platforms_are_told_plainly() -> None:
    assert platform_reason("linux") is None
    assert platform_reason("darwin") == "no sandbox on this platform (macOS); it needs Linux"
    assert platform_reason("win32") == "no sandbox on this platform (Windows); it needs Linux"


async def test_other_platforms_refuse(machine: Machine, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "platform_reason", lambda: platform_reason("darwin"))
    with pytest.raises(SandboxUnavailable, match="macOS"):
        async with sandboxed(machine.spec("pass", token)):
            pytest.fail("it was made")
