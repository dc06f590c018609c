import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import psutil
import pytest

from mcp_check_core.report.journal import Journal
from mcp_trust_check.documents import judged
from mcp_trust_check.run.outcome import ToolRun
from mcp_trust_check.run.side_by_side import Runs, run_side_by_side
from mcp_trust_check.run.stop import Stop
from mcp_trust_check.run.tool_process import ToolLaunch, ToolLimits, run_tool
from mcp_trust_check.tool_state import State, ToolState
from mcp_trust_check.toolset import FUZZ
from orchestrator.tests.made import SCHEMAS, finding, report

pytestmark = pytest.mark.anyio

FAKE = str(Path(__file__).with_name("fake_tool.py"))
MARK = "MCP_TRUST_TEST_MARK"
CRASH = finding("fuzz/crash", "add")
Plan = Callable[..., ToolLaunch]


class Silent:
    """Listens, and remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def running(self, short: str, *, again: bool) -> None:
        self.told.append(f"{short} again" if again else short)

    def done(self, run: ToolRun) -> None:
        self.told.append(f"{run.short} done")


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    def make(*words: str, short: str = "fuzz") -> ToolLaunch:
        env = {"PATH": os.environ["PATH"], MARK: str(tmp_path)}
        return ToolLaunch(short, (sys.executable, FAKE, *words), env, tmp_path / f"{short}.journal")

    return make


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    """A document of a tool that was stopped."""
    path = tmp_path / "partial.json"
    path.write_text(json.dumps(report("fuzz", [CRASH], not_run=["fuzz/internal-error"])))
    return path


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.json"
    path.write_text(json.dumps(report("fuzz", [CRASH])))
    return path


def known(run: ToolRun) -> ToolState:
    return judged(FUZZ, run, SCHEMAS["fuzz"])


def alive(tmp_path: Path) -> list[psutil.Process]:
    """Return what runs that this test has started."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == str(tmp_path) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


async def test_a_tool_that_ends_by_itself_leaves_its_document(plan: Plan, whole: Path) -> None:
    run = await run_tool(plan("say=a word", f"print={whole}", "exit=1"), ToolLimits(), Stop())

    assert (run.exit_code, run.signal, run.failure, run.limit) == (1, None, None, None)
    assert run.stderr_tail == "a word\n"
    assert known(run).state is State.COMPLETE


async def test_a_tool_that_cannot_be_started_is_a_result(plan: Plan) -> None:
    launch = ToolLaunch("fuzz", ("/no/such/program",), {}, Path("/no/such/journal"))
    run = await run_tool(launch, ToolLimits(), Stop())

    assert "no such file" in str(run.failure)
    assert known(run).state is State.INCOMPLETE


async def test_a_tool_over_its_time_is_asked_for_what_it_knows(
    plan: Plan, partial: Path, tmp_path: Path
) -> None:
    began = time.monotonic()
    run = await run_tool(plan(f"on-term={partial}", "sleep=60"), ToolLimits(wall_s=0.5), Stop())

    assert time.monotonic() - began < 3
    assert run.failure == "it was ended after 0.5 s (--tool-timeout)"
    assert run.limit is not None
    assert run.limit.limit == "tool seconds"
    state = known(run)
    assert state.state is State.INCOMPLETE
    assert [one.rule_id for one in state.findings] == ["fuzz/crash"]
    assert not alive(tmp_path)


async def test_a_tool_that_does_not_listen_is_killed_with_all_that_it_started(
    plan: Plan, tmp_path: Path
) -> None:
    began = time.monotonic()
    run = await run_tool(plan("start=3", "deaf=", "sleep=60"), ToolLimits(wall_s=0.5), Stop())

    assert time.monotonic() - began < 6
    assert run.signal == signal.SIGKILL
    assert not alive(tmp_path)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
async def test_a_flood_is_ended_at_its_bound(plan: Plan, stream: str, tmp_path: Path) -> None:
    run = await run_tool(plan(f"flood={stream}"), ToolLimits(output=2**20), Stop())

    assert run.failure == f"it wrote more than 1048576 bytes on {stream} and was ended"
    assert len(run.stdout) <= 2**20
    assert len(run.stderr_tail) <= 2_000
    assert not alive(tmp_path)


async def test_memory_is_bounded_and_the_limit_is_named(plan: Plan, tmp_path: Path) -> None:
    run = await run_tool(plan("eat=300"), ToolLimits(memory=100 * 2**20), Stop())

    assert str(run.failure).startswith("it and what it started used ")
    assert str(run.failure).endswith(
        " bytes, more than the 104857600 that --max-memory leaves it, and was ended"
    )
    assert run.limit is not None
    assert (run.limit.limit, run.limit.value) == ("memory", 100 * 2**20)
    assert not alive(tmp_path)


async def test_the_number_of_processes_is_bounded(plan: Plan, tmp_path: Path) -> None:
    run = await run_tool(plan("start=30", "sleep=60"), ToolLimits(processes=8), Stop())

    assert "more than the 8 that --max-processes leaves it" in str(run.failure)
    assert not alive(tmp_path)


async def test_what_a_killed_tool_knew_is_saved_from_its_journal(plan: Plan, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    journal = Journal(kept)
    journal.started("mcp-fuzz", "2.0.0", [])
    journal.finding(CRASH)
    journal.close()
    run = await run_tool(plan(f"copy={kept}:{tmp_path}/fuzz.journal", "die=9"), ToolLimits(), Stop())
    state = known(run)

    assert state.reason == "it printed no report and was ended by signal 9"
    assert [one.rule_id for one in state.findings] == ["fuzz/crash"]


async def test_processes_that_a_tool_left_are_ended(plan: Plan, whole: Path, tmp_path: Path) -> None:
    run = await run_tool(plan("start=2", f"print={whole}"), ToolLimits(), Stop())

    assert known(run).state is State.COMPLETE
    assert not alive(tmp_path)


async def test_a_stop_asks_all_tools_and_starts_no_other(plan: Plan, partial: Path, tmp_path: Path) -> None:
    stop, runs, listener = Stop(), Runs(), Silent()
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    plans = [plan(f"on-term={partial}", f"meet={fifo}", "sleep=60"), plan("sleep=60", short="guard")]
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_run_all, plans, stop, runs, listener)
        assert await anyio.to_thread.run_sync(fifo.read_bytes) == b"here"
        began = time.monotonic()
        stop.because("stopped by SIGINT", by_user=True)

    assert time.monotonic() - began < 3
    assert runs.done["fuzz"].failure == "it was ended: stopped by SIGINT"
    assert [one.rule_id for one in known(runs.done["fuzz"]).findings] == ["fuzz/crash"]
    assert runs.done["guard"].failure == "it was not started: stopped by SIGINT"
    assert not alive(tmp_path)


async def _run_all(plans: list[ToolLaunch], stop: Stop, runs: Runs, listener: Silent) -> None:
    await run_side_by_side(
        plans, ToolLimits(), 1, stop=stop, lost_server=lambda _: None, runs=runs, listener=listener
    )


def lost(run: ToolRun) -> str | None:
    return "it could not connect" if run.exit_code == 7 else None


@pytest.mark.parametrize(("jobs", "again"), [(2, True), (1, False)])
async def test_who_lost_the_server_beside_another_runs_again_alone(
    plan: Plan, jobs: int, again: bool
) -> None:
    runs, listener = Runs(), Silent()
    plans = [plan("sleep=0.4", "exit=7"), plan("sleep=0.4", "exit=0", short="guard")]
    await run_side_by_side(
        plans, ToolLimits(), jobs, stop=Stop(), lost_server=lost, runs=runs, listener=listener
    )

    assert runs.again == ({"fuzz": "it could not connect"} if again else {})
    assert listener.told.count("fuzz again") == (1 if again else 0)
    assert listener.told.count("guard") == 1
    assert not runs.done["fuzz"].overlaps(runs.done["guard"])


async def test_two_that_lost_the_server_are_both_run_again(plan: Plan) -> None:
    runs, listener = Runs(), Silent()
    plans = [plan("sleep=0.2", "exit=7"), plan("sleep=0.2", "exit=7", short="guard")]
    await run_side_by_side(
        plans, ToolLimits(), 2, stop=Stop(), lost_server=lost, runs=runs, listener=listener
    )

    assert set(runs.again) == {"fuzz", "guard"}
    assert listener.told[-4:] == ["fuzz again", "fuzz done", "guard again", "guard done"]
