"""Servers that try to outlive their sandbox, and what is left of it on the machine."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import psutil
import pytest

from mcp_check_core.process.launch import Exit, launch
from mcp_check_core.process.sandbox import SandboxKind
from mcp_check_core.process.shutdown import Graces
from tools.core.tests.process.programs import lines, rest, running, until, wait_for
from tools.core.tests.process.sandboxes import KINDS, Machine, made, make_machine, need
from tools.core.tests.process.test_hostile import BROOD

if sys.platform == "linux":
    from mcp_check_core.process.throw_away import make_throw_away

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


async def test_brood_ends_with_the_context(kind: SandboxKind, machine: Machine, token: str) -> None:
    async with made(machine.spec(BROOD, token), kind) as box:
        async with launch(box.spec) as process:
            await lines(process, 2)
            assert len(process.members()) == 4
            await process.shutdown(Graces(stdin=0, term=0))
            assert not running(token)
        assert process.exit == Exit(signal=signal.SIGKILL)
    assert not box.work.parent.exists()


async def test_scrubbed_daemon_is_a_leftover(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = "daemon(scrubbed); until_closed()"
    async with made(machine.spec(code, token), kind) as box, launch(box.spec) as process:
        await lines(process, 1)
        ended = await process.shutdown()
        assert process.exit == Exit(code=0)
        assert len(ended.leftovers) == 1
        assert ended.survivors == ()
        assert not running(token)


async def test_has_time_to_end_after_sigterm(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = "signal.signal(signal.SIGTERM, lambda *_: (say('bye'), os._exit(5))); say('up'); stay()"
    async with made(machine.spec(code, token), kind) as box, launch(box.spec) as process:
        await lines(process, 1)
        ended = await process.shutdown(Graces(stdin=0.1, term=5))
        assert process.exit == Exit(code=5)
        assert await rest(process) == b"bye\n"
    assert (ended.sent_sigterm, ended.sent_sigkill) == (True, False)


async def test_leftovers_have_their_grace_too(kind: SandboxKind, machine: Machine, token: str) -> None:
    code = """
def last_words():
    signal.signal(signal.SIGTERM, lambda *_: (open('words', 'w').write('bye'), os._exit(0)))
    say('up')
    stay()
daemon(last_words)
"""
    async with made(machine.spec(code, token), kind) as box:
        async with launch(box.spec) as process:
            await lines(process, 1)
            assert len((await process.shutdown()).leftovers) == 1
        assert (box.work / "words").read_text() == "bye"


async def test_cancellation_ends_all(kind: SandboxKind, machine: Machine, token: str) -> None:
    with anyio.CancelScope() as scope:
        async with made(machine.spec(BROOD, token), kind) as box, launch(box.spec) as process:
            await lines(process, 2)
            began = anyio.current_time()
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert anyio.current_time() - began < 2.5
    assert not running(token)
    assert not box.work.parent.exists()


async def test_killed_sentinel_takes_all_with_it(kind: SandboxKind, machine: Machine, token: str) -> None:
    async with made(machine.spec(BROOD, token), kind) as box, launch(box.spec) as process:
        await lines(process, 2)
        os.kill(process.sentinel_pid, signal.SIGKILL)
        await until(lambda: not running(token), 2.0)
        with anyio.fail_after(5):
            assert await process.wait() == Exit(code=None, signal=None)


async def test_killed_holder_is_the_end_of_the_server(
    kind: SandboxKind, machine: Machine, token: str
) -> None:
    async with made(machine.spec(BROOD, token), kind) as box, launch(box.spec) as process:
        await lines(process, 2)
        os.kill(psutil.Process(process.pid).ppid(), signal.SIGKILL)
        with anyio.fail_after(5):
            assert await process.wait() == Exit(signal=signal.SIGKILL)
        await until(lambda: running(token) == {process.sentinel_pid}, 1.0)


HOLDER = """
import sys
from pathlib import Path
import anyio
from mcp_check_core.process.launch import launch
from mcp_check_core.process.sandbox import SandboxKind, sandboxed
from tools.core.tests.process.programs import lines
from tools.core.tests.process.sandboxes import make_machine

async def main():
    machine = make_machine(Path(sys.argv[4]))
    async with sandboxed(machine.spec(sys.argv[1], sys.argv[2]), SandboxKind(sys.argv[3])) as box:
        async with launch(box.spec) as process:
            await lines(process, 2)
            print(box.work.parent, flush=True)
            await anyio.sleep_forever()

anyio.run(main)
"""


def test_nothing_lives_on_after_our_kill_9(kind: SandboxKind, tmp_path: Path, token: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, BROOD, token, kind, str(tmp_path)],
        env=environment,
        cwd=Path(__file__).parents[4],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with holder:
        assert holder.stdout is not None
        base = Path(holder.stdout.readline().decode().strip())
        assert base.is_dir()
        make_throw_away().remove()
        assert base.is_dir()  # its maker lives
        holder.kill()
        wait_for(lambda: not running(token), 2.0)
        holder.wait(5)
    make_throw_away().remove()
    assert not base.exists()


async def test_what_it_wrote_is_removed_whatever_it_is(
    kind: SandboxKind, machine: Machine, token: str
) -> None:
    code = """
os.makedirs('closed/inner')
open('closed/inner/file', 'w').close()
os.chmod('closed/inner', 0)
os.chmod('closed', 0)
os.symlink(os.path.dirname(sys.argv[1]), 'away')
for _ in range(3000):
    os.mkdir('d'); os.chdir('d')
say('done')
"""
    spec = machine.spec(code.replace("sys.argv[1]", repr(str(machine.canary))), token)
    async with made(spec, kind) as box, launch(box.spec) as process:
        await lines(process, 1)
    assert not box.work.parent.exists()
    assert machine.canary.read_text() == "alive"
