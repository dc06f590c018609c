"""A tree that goes over a limit is ended, and the breach says what was seen."""

import signal

import anyio
import pytest

from mcp_check_core.process.carrier import Exit
from mcp_check_core.process.launch import launch
from mcp_check_core.process.watch import Breach, TreeLimits
from tools.core.tests.process.programs import PATIENCE_S, lines, program, running, until

pytestmark = pytest.mark.anyio

MIB = 1 << 20


async def breach_of(code: str, token: str, limits: TreeLimits) -> tuple[Breach, Exit]:
    """Run `code` until it is over a limit, and return the breach and how the process ended."""
    async with launch(program(code, token), limits) as process:
        with anyio.fail_after(PATIENCE_S):
            ended = await process.wait()
        assert process.breach is not None
        await until(lambda: not process.members(), 2.0)
        return process.breach, ended


async def test_memory(token: str) -> None:
    code = "blocks = []\nwhile len(blocks) < 250: blocks.append(b'x' * (8 << 20)); time.sleep(0.002)\nstay()"
    breach, ended = await breach_of(code, token, TreeLimits(max_rss=200 * MIB))
    assert (breach.limit, breach.allowed) == ("rss", 200 * MIB)
    assert 200 * MIB < breach.seen < 1000 * MIB
    assert ended == Exit(signal=signal.SIGKILL)


async def test_memory_is_summed_over_the_tree(token: str) -> None:
    code = "def hold():\n    block = b'x' * (40 << 20)\n    stay()\nfor _ in range(5): child(hold)\nstay()"
    breach, _ = await breach_of(code, token, TreeLimits(max_rss=150 * MIB))
    assert breach.limit == "rss"


async def test_two_hundred_processes(token: str) -> None:
    code = "deaf()\nfor _ in range(200): child(stay)\nstay()"
    breach, ended = await breach_of(code, token, TreeLimits(max_processes=50))
    assert (breach.limit, breach.allowed) == ("processes", 50)
    assert 50 < breach.seen <= 201
    assert ended == Exit(signal=signal.SIGKILL)
    assert not running(token)


async def test_forks_that_double_cannot_outrun_us(token: str) -> None:
    code = "deaf(); end = time.monotonic() + 2\nwhile time.monotonic() < end: os.fork(); time.sleep(0.005)"
    breach, _ = await breach_of(code, token, TreeLimits(max_processes=30))
    assert breach.limit == "processes"
    assert not running(token)


async def test_daemons_count(token: str) -> None:
    code = "for _ in range(10): daemon(scrubbed)\nos._exit(0)"
    async with launch(program(code, token), TreeLimits(max_processes=8)) as process:
        await until(lambda: process.breach is not None and not process.members())
    assert process.breach is not None
    assert process.breach.limit == "processes"


async def test_cpu(token: str) -> None:
    breach, ended = await breach_of("while True: pass", token, TreeLimits(max_cpu_s=0.3))
    assert breach.limit == "cpu"
    assert 0.3 < breach.seen < 1.0
    assert ended == Exit(signal=signal.SIGTERM)


async def test_cpu_of_short_lived_children_counts(token: str) -> None:
    code = "def burn():\n    end = time.process_time() + 0.03\n    while time.process_time() < end: pass\n"
    code += "while True: os.waitpid(child(burn), 0)"
    breach, _ = await breach_of(code, token, TreeLimits(max_cpu_s=0.4))
    assert breach.limit == "cpu"


async def test_cpu_of_daemons_that_ended_counts(token: str) -> None:
    code = "def burn():\n    end = time.process_time() + 0.03\n    while time.process_time() < end: pass\n"
    code += "while True: daemon(burn); time.sleep(0.03)"
    breach, _ = await breach_of(code, token, TreeLimits(max_cpu_s=0.6))
    assert breach.limit == "cpu"


async def test_forks_that_each_leave_for_their_own_session(token: str) -> None:
    code = "deaf(); end = time.monotonic() + 1.5\nwhile time.monotonic() < end:\n"
    code += "    if os.fork() == 0: os.setsid()\n    time.sleep(0.02)"
    breach, _ = await breach_of(code, token, TreeLimits(max_processes=20))
    assert breach.limit == "processes"
    assert not running(token)


async def test_wall(token: str) -> None:
    breach, ended = await breach_of("deaf(); stay()", token, TreeLimits(max_wall_s=0.4))
    assert breach.limit == "wall"
    assert 0.4 < breach.seen < 1.0
    assert ended == Exit(signal=signal.SIGKILL)


async def test_within_every_limit(token: str) -> None:
    limits = TreeLimits(max_rss=500 * MIB, max_processes=5, max_cpu_s=5, max_wall_s=20)
    async with launch(program("say('up'); until_closed()", token), limits) as process:
        await lines(process, 1)
        await until(lambda: process.usage.peak_rss > 0)
        await process.shutdown()
    assert process.breach is None
    assert process.exit == Exit(code=0)
