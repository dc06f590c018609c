"""The start and the end of the process: which fact makes which finding."""

from dataclasses import replace

import pytest

from mcp_check_core.model.finding import Finding
from mcp_check_core.process.launch import Breach, Exit, Member, Shutdown
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.transcript import Phase
from mcp_stdio_guard.facts.run import ListFacts, ListOutcome, RunFacts
from mcp_stdio_guard.rules import ending, start, stderr_volume
from mcp_stdio_guard.rules.declare import NO_PROCESS
from tools.stdio_guard.tests.built import findings, listing, reply, run
from tools.stdio_guard.tests.rules.judged import codes_of, one, reasons, told

ORDERLY = Shutdown(20.0, True, False, False, ())
BREACH = Breach("rss", 1.0, 2.0)
NOT_STARTED = {"spawn_code": "ENOENT", "spawn_message": "there is no such program"}


def unanswered(**process: object) -> RunFacts:
    return run(initialize=reply("initialize", ReplyKind.CLOSED), process=process)


def gone(exit_: Exit, *, alone: bool = True, **more: object) -> RunFacts:
    return run(process={"exit": exit_, "alone": alone, **more})


def test_a_server_that_does_not_start() -> None:
    facts = run(process=NOT_STARTED)
    assert told(start.BLOCK, facts) == {("spawn-failed", None, "error")}
    others = codes_of(start.BLOCK) - {"spawn-failed"}
    assert reasons(start.BLOCK, facts) == dict.fromkeys(others, NO_PROCESS)
    assert reasons(ending.BLOCK, facts) == dict.fromkeys(codes_of(ending.BLOCK), NO_PROCESS)
    assert reasons(stderr_volume.BLOCK, facts) == dict.fromkeys(codes_of(stderr_volume.BLOCK), NO_PROCESS)
    assert reasons(start.BLOCK, run()) == {}


def test_an_end_before_the_answer() -> None:
    assert told(start.BLOCK, unanswered(exit=Exit(1), alone=True)) == {
        ("server-exited", "before-initialize", "error")
    }
    assert findings(start.BLOCK, unanswered(exit=Exit(1), alone=False)) == []
    assert findings(start.BLOCK, unanswered(exit=Exit(1), alone=True, breach=BREACH)) == []
    assert findings(start.BLOCK, unanswered(exit=None, alone=True)) == []


@pytest.mark.parametrize(
    ("exit_", "detail"),
    [
        (Exit(0), "clean-exit-before-initialize"),
        (Exit(1), "nonzero-exit-before-initialize"),
        (Exit(), "nonzero-exit-before-initialize"),
        (Exit(signal=9), "signal-exit-before-initialize"),
    ],
)
def test_how_an_end_before_the_answer_is_told(exit_: Exit, detail: str) -> None:
    assert one(start.BLOCK, unanswered(exit=exit_, alone=True)).evidence["detailCode"] == detail


def test_what_the_server_said_before_its_end_is_quoted() -> None:
    process = {"exit": Exit(1), "alone": True}
    error = Reply(ReplyKind.CLOSED, 1, "initialize", 1.0, error=RpcError(-32000, "TOKEN is not set"))
    assert one(start.BLOCK, run(initialize=error, process=process)).message.endswith(
        "before it answered initialize; it sent an error that names no request: “TOKEN is not set”."
    )
    assert one(start.BLOCK, unanswered(**process)).message.endswith("before it answered initialize.")
    assert one(start.BLOCK, replace(run(process=process), handshake=None)).message.endswith(
        "before it answered initialize."
    )


def test_an_orderly_end_that_nobody_asked_for() -> None:
    assert told(start.BLOCK, gone(Exit(0))) == {("server-exited", "after-initialize", "error")}
    assert findings(start.BLOCK, gone(Exit(3))) == []
    assert findings(start.BLOCK, gone(Exit(0), alone=False)) == []


@pytest.mark.parametrize(
    ("kind", "codes"), [(ReplyKind.TIMEOUT, {"initialize-timeout"}), (ReplyKind.MALFORMED, set())]
)
def test_initialize_without_an_answer(kind: ReplyKind, codes: set[str]) -> None:
    facts = replace(run(initialize=reply("initialize", kind)), startup_ms=9000.0)
    assert {code for code, _, _ in told(start.BLOCK, facts)} == codes
    assert reasons(start.BLOCK, facts) == {"slow-startup": "initialize was not answered"}
    assert findings(start.BLOCK, replace(run(), handshake=None)) == []


@pytest.mark.parametrize(("took_ms", "slow"), [(5000.0, False), (5000.5, True), (None, False)])
def test_a_slow_start(took_ms: float | None, slow: bool) -> None:
    facts = replace(run(), startup_ms=took_ms)
    assert bool(findings(start.BLOCK, facts)) is slow
    assert ("slow-startup" in reasons(start.BLOCK, facts)) is (took_ms is None)


def test_stderr_is_quoted_where_there_is_any() -> None:
    loud = "x" * 299 + "KeyError"
    exited = unanswered(exit=Exit(1), alone=True)
    quoted = one(start.BLOCK, replace(exited, wire=replace(exited.wire, stderr_tail=loud)))
    assert str(quoted.evidence["stderr"]).endswith("KeyError")
    blank = replace(exited, wire=replace(exited.wire, stderr_tail=" \n"))
    assert "stderr" not in one(start.BLOCK, blank).evidence
    crashed = gone(Exit(1), shutdown=ORDERLY)
    assert one(ending.BLOCK, replace(crashed, wire=replace(crashed.wire, stderr_tail=loud))).evidence[
        "stderr"
    ]
    assert "stderr" not in one(ending.BLOCK, replace(crashed, wire=blank.wire)).evidence


def test_a_crash_is_judged_after_the_handshake_alone() -> None:
    reason = "the server did not get past the handshake by itself"
    assert reasons(ending.BLOCK, unanswered(exit=Exit(1), alone=True, shutdown=ORDERLY)) == {
        "server-crashed": reason
    }
    assert reasons(ending.BLOCK, gone(Exit(1), breach=BREACH, shutdown=ORDERLY))["server-crashed"] == reason
    assert reasons(ending.BLOCK, gone(Exit(1), shutdown=ORDERLY)) == {}


def test_an_end_that_was_not_seen_is_no_crash() -> None:
    facts = run(process={"exit": None, "alone": True, "shutdown": ORDERLY})
    assert findings(ending.BLOCK, facts) == []
    assert reasons(ending.BLOCK, facts) == {}


def test_without_an_orderly_shutdown_its_rules_abstain() -> None:
    reason = "the server was not shut down in order"
    expected = {"slow-shutdown": reason, "process-left-behind": reason}
    assert reasons(ending.BLOCK, gone(Exit(1))) == expected
    assert told(ending.BLOCK, gone(Exit(1))) == {("server-crashed", "in-session", "error")}
    assert findings(ending.BLOCK, gone(Exit(1), alone=False)) == []


@pytest.mark.parametrize(
    ("exit_", "detail", "words"),
    [
        (Exit(3), "nonzero-exit-after-initialize", "exit code 3"),
        (Exit(signal=9), "signal-exit-after-initialize", "signal 9"),
        (Exit(), "nonzero-exit-after-initialize", "an end that could not be seen"),
    ],
)
def test_how_a_crash_is_told(exit_: Exit, detail: str, words: str) -> None:
    found = one(ending.BLOCK, gone(exit_, shutdown=ORDERLY))
    assert found.evidence["detailCode"] == detail
    assert found.message == f"The server's process ended with {words} after the handshake."
    facts = {"exitCode": exit_.code, "signal": exit_.signal}
    assert {key: value for key, value in found.evidence.items() if key in facts} == {
        key: value for key, value in facts.items() if value is not None
    }


def test_a_crash_names_the_request_in_flight() -> None:
    lost = ListFacts("tools/list", (), 0, ListOutcome.NO_RESULT, reply("tools/list", ReplyKind.CLOSED))

    def crash(died_in: Phase, *lists: ListFacts) -> str:
        process = {"exit": Exit(1), "alone": True, "shutdown": ORDERLY, "died_in": died_in}
        return one(ending.BLOCK, run(process=process, lists=lists)).message

    assert "while tools/list was in flight" in crash(Phase.OPERATION, listing(), lost)
    assert "in flight" not in crash(Phase.POST_INITIALIZE, lost)
    assert "in flight" not in crash(Phase.OPERATION, listing())


@pytest.mark.parametrize(
    ("shutdown", "told_as"),
    [
        (ORDERLY, {("server-crashed", "at-shutdown", "info")}),
        (Shutdown(2100.0, True, True, False, ()), {("slow-shutdown", None, "warning")}),
        (Shutdown(4100.0, True, False, True, ()), {("slow-shutdown", None, "warning")}),
    ],
)
def test_an_end_at_shutdown_is_a_crash_only_where_we_did_not_end_it(
    shutdown: Shutdown, told_as: set[tuple[str, str | None, str]]
) -> None:
    assert told(ending.BLOCK, gone(Exit(1), alone=False, shutdown=shutdown)) == told_as


def test_a_slow_end() -> None:
    gentle = one(ending.BLOCK, gone(Exit(0), alone=False, shutdown=Shutdown(2100.0, True, True, False, ())))
    assert gentle.message.endswith("and ended on SIGTERM.")
    assert gentle.evidence == {"sigterm": True, "sigkill": False, "tookMs": 2100}
    killed = one(ending.BLOCK, gone(Exit(0), alone=False, shutdown=Shutdown(None, True, True, True, ())))
    assert killed.message.endswith("nor of SIGTERM, and was killed.")
    assert killed.evidence == {"sigterm": True, "sigkill": True}


def test_a_slow_end_for_a_limit_of_ours_is_none() -> None:
    late = Shutdown(2100.0, True, True, False, ())
    assert findings(ending.BLOCK, gone(Exit(0), alone=False, shutdown=late, breach=BREACH)) == []


def test_a_server_that_had_ended_cannot_be_slow() -> None:
    over = Shutdown(None, False, True, False, ())
    assert reasons(ending.BLOCK, gone(Exit(0), shutdown=over)) == {
        "slow-shutdown": "the server had ended before its stdin was closed"
    }
    assert findings(ending.BLOCK, gone(Exit(0), shutdown=over)) == []
    assert reasons(ending.BLOCK, gone(Exit(0), shutdown=ORDERLY)) == {}


def test_what_is_left_behind_is_named_and_counted() -> None:
    def left(*members: Member) -> Finding:
        return one(ending.BLOCK, gone(Exit(0), alone=False, shutdown=replace(ORDERLY, leftovers=members)))

    single = left(Member(7, "sleep", ""))
    assert single.message.startswith("1 process of the server was still running")
    assert single.evidence == {"count": 1, "commands": ["sleep"]}
    several = left(Member(7, "sleep", "sleep 60"), Member(8, "node", "node a.js"))
    assert several.message.startswith("2 processes of the server were still running")
    assert several.evidence["commands"] == ["sleep 60", "node a.js"]


@pytest.mark.parametrize(("size", "over"), [(1_048_576, False), (1_048_577, True)])
def test_stderr_over_its_limit(size: int, over: bool) -> None:
    facts = run(wire={"stderr_bytes": size})
    expected = {("stderr-output-limit-exceeded", None, "info")} if over else set()
    assert told(stderr_volume.BLOCK, facts) == expected
    assert reasons(stderr_volume.BLOCK, facts) == {}
