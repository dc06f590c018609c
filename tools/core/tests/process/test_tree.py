"""The process table, what is below a root, and the end of it, without a sentinel."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from mcp_check_core.process import _proc, sample, tree
from mcp_check_core.process.sample import COMMAND_LENGTH, carrying, describe, identity
from mcp_check_core.process.tree import Entry, below, end, living, marked, snapshot
from tools.core.tests.process.programs import PRELUDE, running, wait_for

TABLE = [Entry(1, 0, 1, False), Entry(5, 1, 5, False), Entry(6, 5, 5, True), Entry(7, 6, 7, False)]
GONE = 2**22 + 1  # above the largest pid that Linux gives


@pytest.fixture
def family(token: str) -> Iterator[int]:
    """Start a parent with two children, and yield the parent's pid."""
    code = PRELUDE + "child(stay); child(stay); say('up'); stay()"
    environment = {**os.environ, "MCP_CHECK_LAUNCH": token}
    argv = [sys.executable, "-I", "-S", "-c", code, token]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        yield parent.pid
        end(lambda: living(below([os.getpid()], snapshot()) & running(token), snapshot()), 0)
        parent.wait(5)


def test_below_leaves_out_the_root_and_others() -> None:
    assert below([5], TABLE) == {6, 7}
    assert below([GONE], TABLE) == set()


def test_a_zombie_does_not_live() -> None:
    assert living({5, 6, 7, GONE}, TABLE) == {5, 7}


def test_both_tables_agree(family: int, monkeypatch: pytest.MonkeyPatch) -> None:
    by_proc = {entry for entry in snapshot() if entry.group == os.getpgrp()}
    monkeypatch.setattr(tree, "_HAS_PROC", False)
    by_ps = {entry for entry in snapshot() if entry.group == os.getpgrp()}
    assert {entry.pid for entry in by_proc} >= {family, os.getpid()}
    assert by_proc <= by_ps


def test_marked_by_the_environment(family: int, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = marked(token, snapshot())
    assert len(found) == 3
    assert found == carrying(token) == {family} | below([family], snapshot())
    monkeypatch.setattr(tree, "_HAS_PROC", False)
    assert marked(token, snapshot()) == set()


def test_end_by_ps_alone(family: int, monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setattr(tree, "_HAS_PROC", False)

    def find() -> set[int]:
        table = snapshot()
        return living({family} | below([family], table), table)

    assert end(find, 0.5) == set()
    assert not running(token)


def test_what_cannot_be_ended_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "KILL_PATIENCE_S", 0.05)
    assert end(lambda: {GONE}, 0) == {GONE}


def test_readings_agree(family: int) -> None:
    by_proc, by_psutil = sample.take_below_proc(family), sample.take_below_psutil(family)
    assert {reading.pid for reading in by_proc.readings} == {reading.pid for reading in by_psutil.readings}
    assert len(by_proc.readings) == 2
    assert by_proc.rss == pytest.approx(by_psutil.rss, rel=0.2)
    assert by_proc.cpu_s == pytest.approx(by_psutil.cpu_s, abs=0.05)
    assert sample.take_of([family, GONE]).readings[0].pid == family


def test_nothing_below_what_is_gone() -> None:
    for take in (sample.take_below, sample.take_below_proc, sample.take_below_psutil):
        assert take(GONE) == sample.Sample((), 0.0)


def test_identity_tells_a_later_process_apart(family: int) -> None:
    [one, other] = sample.take_below(family).readings
    assert identity(one.pid) == one.started
    assert identity(family) is not None
    assert identity(GONE) is None
    assert one.pid != other.pid


def test_description_is_bounded(family: int) -> None:
    member = describe(family)
    assert member is not None
    assert member.pid == family
    assert len(member.command) == COMMAND_LENGTH
    assert describe(GONE) is None


def test_a_name_with_brackets_and_blanks_is_read(token: str) -> None:
    code = "open('/proc/self/comm', 'w').write('a) Z (b')\n" + PRELUDE + "say('up'); stay()"
    argv = [sys.executable, "-I", "-S", "-c", code, token]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as odd:
        assert odd.stdout is not None
        assert odd.stdout.readline() == b"up\n"
        rows = [entry for entry in snapshot() if entry.pid == odd.pid]
        readings = sample.take_below(os.getpid()).readings
        odd.kill()
    assert rows == [Entry(odd.pid, os.getpid(), os.getpgrp(), False)]
    assert odd.pid in {reading.pid for reading in readings}
    wait_for(lambda: identity(odd.pid) is None, 1.0)


def test_all_are_stopped_before_one_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [{31}, {31, 33}, {31, 33}, set()]
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "getpgid", lambda pid: pid)
    monkeypatch.setattr(os, "killpg", lambda group, number: sent.append((group, number)))
    monkeypatch.setattr(_proc, "children", lambda pid: {32} if pid == 31 else set())
    assert end(lambda: answers.pop(0), 0) == set()
    stops = [group for group, number in sent if number == signal.SIGSTOP]
    kills = [group for group, number in sent if number == signal.SIGKILL]
    assert stops == [31, 32, 33]
    assert sorted(kills) == [31, 32, 33]
    assert sent[:3] == [(group, signal.SIGSTOP) for group in stops]
