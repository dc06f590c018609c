import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tools.core.tests.cli.commands import COMMAND, ROOT, environment, toy
from tools.core.tests.process.programs import running, wait_for


def errors(document: dict[str, object]) -> list[dict[str, str]]:
    found = document["errors"]
    assert isinstance(found, list)
    return found


def outcomes(document: dict[str, object]) -> dict[str, str]:
    rules = document["rules"]
    assert isinstance(rules, list)
    return {rule["rule"]: rule["outcome"] for rule in rules}


def test_a_check_that_ends_by_itself_is_complete() -> None:
    ended = toy("--json", "--", "noop")
    document = json.loads(ended.stdout)
    assert (ended.returncode, ended.stderr, document["status"]) == (0, "", "warning")
    assert outcomes(document) == {"toy/seen": "fail", "toy/last": "pass"}
    assert document["score"]["value"] == 80.0


def test_the_time_of_a_run_is_a_limit_that_is_told() -> None:
    began = time.monotonic()
    ended = toy("--json", "--run-timeout", "300ms", "--", "sleep")
    document = json.loads(ended.stdout)
    assert (ended.returncode, document["status"], document["score"]) == (2, "incomplete", None)
    assert document["limitsHit"] == [{"limit": "run seconds", "value": 0.3, "where": "the whole run"}]
    assert errors(document) == [
        {"kind": "limit", "message": "the run was stopped after 0.3 s (--run-timeout)"}
    ]
    assert outcomes(document) == {"toy/seen": "fail", "toy/last": "not_run"}
    assert time.monotonic() - began < 10.0


def test_with_debug_an_error_of_ours_shows_where_it_arose() -> None:
    ended = toy("--json", "--debug", "--", "raise")
    assert ended.returncode == 2
    assert "Traceback" in ended.stderr
    assert "ValueError: the server said nothing" in ended.stderr
    assert json.loads(ended.stdout)["errors"][0]["kind"] == "internal"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raise", "internal error: ValueError: the server said nothing (--debug shows where)"),
        ("raise-in-group", "internal error: KeyError: 'inner' (--debug shows where)"),
    ],
)
def test_an_error_of_ours_keeps_what_was_found(how: str, message: str) -> None:
    ended = toy("--json", "--", how)
    document = json.loads(ended.stdout)
    assert (ended.returncode, ended.stderr, document["status"]) == (2, "", "incomplete")
    assert errors(document) == [{"kind": "internal", "message": message}]
    assert outcomes(document) == {"toy/seen": "fail", "toy/last": "not_run"}


def test_an_error_of_ours_shows_no_secret() -> None:
    ended = toy("--json", "--env", "TOKEN=hunter2-hunter2", "--", "raise")
    assert ended.returncode == 2
    assert "hunter2" not in ended.stdout + ended.stderr
    assert "the server said [redacted:TOKEN]" in ended.stdout


def test_a_failed_gate_counts_in_a_run_that_was_cut_short() -> None:
    assert toy("--fail-on", "warning", "--", "raise").returncode == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_server_and_gives_the_partial_report(
    number: signal.Signals, tmp_path: Path
) -> None:
    proof = tmp_path / "started"
    with subprocess.Popen(
        [*COMMAND, "--json", "--", "serve", str(proof)],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as ours:
        wait_for(proof.exists, 30.0)
        began = time.monotonic()
        os.kill(ours.pid, number)
        out, err = ours.communicate(timeout=30)
        took = time.monotonic() - began
    assert (ours.returncode, err) == (130, b"")
    assert took < 2.0
    document = json.loads(out)
    assert document["status"] == "incomplete"
    assert errors(document) == [
        {"kind": "interrupted", "message": f"stopped by {number.name} before the check was done"}
    ]
    assert outcomes(document) == {"toy/seen": "fail", "toy/last": "not_run"}
    wait_for(lambda: not running(str(proof)), 1.0)


def test_a_second_signal_ends_us_at_once_and_the_server_too(tmp_path: Path) -> None:
    proof = tmp_path / "started"
    with subprocess.Popen(
        [*COMMAND, "--json", "--", "serve", str(proof)],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as ours:
        wait_for(proof.exists, 30.0)
        os.kill(ours.pid, signal.SIGTERM)
        wait_for(tmp_path.joinpath("started.eof").exists, 30.0)
        os.kill(ours.pid, signal.SIGTERM)
        ours.communicate(timeout=30)
    assert ours.returncode == -signal.SIGTERM
    wait_for(lambda: not running(str(proof)), 5.0)


def test_a_signal_before_the_check_first_waits_is_seen_too() -> None:
    ended = toy("--json", "--", "interrupt")
    assert (ended.returncode, ended.stderr) == (130, "")
    assert errors(json.loads(ended.stdout))[0]["kind"] == "interrupted"
