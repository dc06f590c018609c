"""Servers that try to outlive us: whatever they do, nothing of them is left."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from mcp_check_core.process._posix import spawn
from mcp_check_core.process.carrier import Exit, close_streams
from mcp_check_core.process.launch import launch
from mcp_check_core.process.shutdown import Graces
from tools.core.tests.process.programs import lines, program, rest, running, until, wait_for

pytestmark = pytest.mark.anyio

BROOD = """
deaf()
child(stay)
daemon(stay)
daemon(scrubbed)
say('up')
stay()
"""
"""Deaf to SIGTERM, with a child, one in a session of its own and one that has no environment either."""


async def test_scrubbed_daemon_is_a_leftover(token: str) -> None:
    async with launch(program("daemon(scrubbed); until_closed()", token)) as process:
        [pid] = await lines(process, 1)
        ended = await process.shutdown()
    assert process.exit == Exit(code=0)
    assert [member.pid for member in ended.leftovers] == [int(pid)]
    assert token in ended.leftovers[0].command or len(ended.leftovers[0].command) == 200
    assert (ended.sent_sigterm, ended.sent_sigkill, ended.survivors) == (False, False, ())
    assert not running(token)


async def test_descendant_that_ends_soon_after_is_none(token: str) -> None:
    async with launch(program("child(lambda: time.sleep(0.1)); until_closed()", token)) as process:
        ended = await process.shutdown()
    assert ended.leftovers == ()


async def test_deaf_to_sigterm_is_killed(token: str) -> None:
    async with launch(program("deaf(); say('up'); stay()", token)) as process:
        await lines(process, 1)
        ended = await process.shutdown(Graces(stdin=0.1, term=0.1))
    assert (ended.closed_stdin, ended.sent_sigterm, ended.sent_sigkill) == (True, True, True)
    assert process.exit == Exit(signal=signal.SIGKILL)
    assert ended.ms_to_exit is not None
    assert ended.ms_to_exit >= 200


async def test_sigterm_reaches_the_whole_group(token: str) -> None:
    code = "pid = child(stay); say('up'); os.waitpid(pid, 0)"
    async with launch(program(code, token)) as process:
        await lines(process, 1)
        ended = await process.shutdown(Graces(stdin=0.1, term=5))
    assert (ended.sent_sigterm, ended.sent_sigkill, ended.leftovers) == (True, False, ())


async def test_stopped_server_ends(token: str) -> None:
    code = "say('up'); os.kill(os.getpid(), signal.SIGSTOP); until_closed()"
    async with launch(program(code, token)) as process:
        await lines(process, 1)
        ended = await process.shutdown(Graces(stdin=0.1, term=5))
    assert (ended.sent_sigterm, ended.sent_sigkill) == (True, False)


async def test_grandchild_that_holds_stdout_does_not_hold_us(token: str) -> None:
    code = "daemon(lambda: (deaf(), say('up'), stay())); until_closed()"
    async with launch(program(code, token)) as process:
        await lines(process, 1)
        ended = await process.shutdown()
        assert await rest(process) == b""
    assert len(ended.leftovers) == 1


async def test_brood_ends_with_the_context(token: str) -> None:
    async with launch(program(BROOD, token)) as process:
        await lines(process, 2)
        await process.shutdown(Graces(stdin=0, term=0))
        assert not running(token)
    assert process.exit == Exit(signal=signal.SIGKILL)


async def test_cancellation_ends_all_within_two_seconds(token: str) -> None:
    with anyio.CancelScope() as scope:
        async with launch(program(BROOD, token)) as process:
            await lines(process, 2)
            began = anyio.current_time()
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert anyio.current_time() - began < 2.0
    assert not running(token)


async def test_cancellation_during_an_orderly_shutdown(token: str) -> None:
    async with launch(program(BROOD, token)) as process:
        await lines(process, 2)
        began = anyio.current_time()
        with anyio.move_on_after(0.1):
            await process.shutdown(Graces(stdin=30))
        await process.shutdown(Graces(stdin=0, term=0))
    assert anyio.current_time() - began < 3.0


async def test_sentinel_killed_by_the_server(token: str) -> None:
    code = (
        "deaf(); daemon(stay); daemon(scrubbed); os.read(0, 9); os.kill(os.getppid(), signal.SIGKILL); stay()"
    )
    async with launch(program(code, token)) as process:
        [pid] = await lines(process, 1)
        await until(lambda: len(process.members()) == 3)
        assert int(pid) in {member.pid for member in process.members()}
        await process.stdin.send(b"go")
        with anyio.fail_after(3):
            assert await process.wait() == Exit(code=None, signal=None)
        assert not running(token)
        ended = await process.shutdown()
    assert (ended.closed_stdin, ended.leftovers, ended.survivors) == (False, (), ())


async def test_sentinel_stopped_by_the_server(token: str) -> None:
    code = "deaf(); os.kill(os.getppid(), signal.SIGSTOP); daemon(stay); say('up'); stay()"
    async with launch(program(code, token)) as process:
        await lines(process, 1)
        began = anyio.current_time()
        await process.shutdown(Graces(stdin=0.1, term=0.1))
    assert process.exit == Exit(signal=signal.SIGKILL)
    assert anyio.current_time() - began < 3.0


async def test_sentinel_is_deaf_to_polite_signals(token: str) -> None:
    code = "for number in (1, 2, 15): os.kill(os.getppid(), number)\nsay('up'); until_closed(); sys.exit(5)"
    async with launch(program(code, token)) as process:
        await lines(process, 1)
        await process.shutdown()
    assert process.exit == Exit(code=5)


HOLDER = """
import sys
import anyio
from mcp_check_core.process.launch import launch
from tools.core.tests.process.programs import lines, program

async def main():
    async with launch(program(sys.argv[1], sys.argv[2])) as process:
        await lines(process, 2)
        print("ready", flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_nothing_lives_on_after_us(token: str, number: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, BROOD, token],
        env=environment,
        cwd=Path(__file__).parents[4],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"ready\n"
        assert len(running(token)) == 6  # four of the server, the sentinel and the holder
        holder.send_signal(number)
        wait_for(lambda: not running(token), 2.0)
        holder.wait(5)


async def test_server_that_leaves_no_time(token: str) -> None:
    async with launch(program("daemon(stay); daemon(scrubbed); os._exit(9)", token)) as process:
        assert await process.wait() == Exit(code=9)
        ended = await process.shutdown()
    assert len(ended.leftovers) == 2
    assert not running(token)


async def test_server_without_a_marker_dies_with_its_sentinel(token: str) -> None:
    carrier = await spawn(program("scrubbed()", token))
    assert (await carrier.stdout.receive()).strip() == str(carrier.pid).encode()
    carrier.abandon()
    await until(lambda: not running(token), 1.0)
    assert await carrier.next_exit() is None
    await carrier.reap()
    await close_streams(carrier)


async def test_what_was_never_seen_is_found_by_its_marker(token: str) -> None:
    spec = program("deaf(); daemon(lambda: (say('up'), stay())); stay()", token)
    carrier = await spawn(replace(spec, env={**spec.env, "MCP_CHECK_LAUNCH": token}))
    assert await carrier.stdout.receive() == b"up\n"
    carrier.abandon()
    carrier.sweep({}, token)
    assert await carrier.next_exit() is None
    await carrier.reap()
    await close_streams(carrier)
    assert not running(token)


async def test_environment_of_the_server_does_not_turn_the_sentinel(token: str, tmp_path: Path) -> None:
    (tmp_path / "ctypes.py").write_text("raise SystemExit('shadowed')")
    spec = program("say(os.environ['PYTHONPATH'])", token)
    async with launch(replace(spec, env={**spec.env, "PYTHONPATH": str(tmp_path)})) as process:
        assert await lines(process, 1) == [str(tmp_path)]
