import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import ErrorKind, RunError
from mcp_check_core.process.carrier import Exit
from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.process.launch import SpawnError, TreeLimits
from mcp_check_core.process.marker import MARKER
from mcp_check_core.report.pages import page_of
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connector import (
    ConnectFailure,
    Connector,
    NotConnectedError,
    describe_exit,
    exit_evidence,
)
from mcp_check_core.wire.no_connection import RULE, connection_problem, no_connection
from mcp_check_core.wire.target import StdioTarget
from tools.core.tests.wire.servers import LIMITS, connector, ready

pytestmark = pytest.mark.anyio


async def refused(opened: Connector) -> NotConnectedError:
    with pytest.raises(NotConnectedError) as caught:
        async with opened.session():
            pytest.fail("there must be no session")
    return caught.value


NO_REQUEST = "id=None, error={'code': -32603, 'message': 'no vault'}"
NO_REQUEST_SENT = '{"jsonrpc": "2.0", "id": null, "error": {"code": -32603, "message": "no vault"}}'
AN_ERROR_OF = "its answer to initialize is an error that names no request: no vault"

FAILURES: dict[str, tuple[str, ConnectFailure, str, dict[str, Json]]] = {
    "exit": (
        "os.write(2, b'no key\\n'); sys.exit(3)",
        ConnectFailure.EXITED,
        "it ended with exit code 3 before it answered initialize",
        {
            "exitCode": 3,
            "stderr": "no key\n",
            "discover": "it ended with exit code 3 before it answered server/discover",
        },
    ),
    "signal": (
        "read(); os.kill(os.getpid(), signal.SIGABRT)",
        ConnectFailure.EXITED,
        "it ended with signal 6 before it answered initialize",
        {"signal": 6, "discover": "it ended with signal 6 before it answered server/discover"},
    ),
    "closed": (
        "read(); os.close(1); stay()",
        ConnectFailure.CLOSED,
        "it closed its output before it answered initialize",
        {"discover": "it closed its output before it answered server/discover"},
    ),
    "silent": (
        "stay()",
        ConnectFailure.TIMEOUT,
        "it did not answer initialize within 0.5 s",
        {"discover": "it did not answer server/discover within 0.5 s"},
    ),
    "error": (
        "send(id=read()['id'], error={'code': -32000, 'message': 'go away'}); until_the_end()",
        ConnectFailure.REFUSED,
        "it answered initialize with error -32000: go away",
        {
            "answer": '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "go away"}}',
            "discover": "it answered server/discover with error -32000: go away",
        },
    ),
    "error without an id, then an end": (
        f"read(); send({NO_REQUEST}); sys.exit(1)",
        ConnectFailure.EXITED,
        f"{AN_ERROR_OF}, and it ended with exit code 1",
        {
            "exitCode": 1,
            "answer": NO_REQUEST_SENT,
            "discover": f"{AN_ERROR_OF}, and it ended with exit code 1".replace(
                "initialize", "server/discover"
            ),
        },
    ),
    "error without an id": (
        f"read(); send({NO_REQUEST}); until_the_end()",
        ConnectFailure.UNUSABLE,
        AN_ERROR_OF,
        {"answer": NO_REQUEST_SENT},
    ),
    "unusable": (
        "answer(read(), {'protocolVersion': '2025-11-25', 'capabilities': 1}); until_the_end()",
        ConnectFailure.UNUSABLE,
        "capabilities in its answer to initialize are integer, not an object",
        {
            "answer": '{"jsonrpc": "2.0", "id": 1, "result": '
            '{"protocolVersion": "2025-11-25", "capabilities": 1}}'
        },
    ),
}


@pytest.mark.parametrize(("body", "failure", "message", "evidence"), FAILURES.values(), ids=FAILURES)
async def test_why_there_is_no_session(
    tmp_path: Path, body: str, failure: ConnectFailure, message: str, evidence: Mapping[str, Json]
) -> None:
    limits = replace(LIMITS, startup_s=0.5) if failure is ConnectFailure.TIMEOUT else LIMITS
    problem = await refused(connector(tmp_path, body, limits))
    assert (problem.failure, problem.message, problem.evidence) == (failure, message, evidence)
    finding = no_connection(problem)
    assert (finding.rule_id, finding.kind) == (RULE.id, failure.value)
    assert finding.message == f"No session with the server: {message}."
    assert finding.hint


async def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    missing = Connector(StdioTarget((str(tmp_path / "none"),), env={"PATH": "/bin"}), client_info("0"))
    problem = await refused(missing)
    assert (problem.failure, problem.evidence) == (ConnectFailure.SPAWN, {"code": "ENOENT"})
    with pytest.raises(SpawnError):
        async with missing.connection():
            pytest.fail("there must be no connection")
    assert missing.starts == 2


ABOUT_US = {
    ConnectFailure.AUTH: ErrorKind.AUTH_REQUIRED,
    ConnectFailure.UNREACHABLE: ErrorKind.UNREACHABLE,
    ConnectFailure.CREDENTIAL: ErrorKind.MISSING_CREDENTIAL,
}


async def test_each_failure_of_a_server_is_a_kind_of_the_rule_and_has_a_hint() -> None:
    failures = [failure for failure in ConnectFailure if failure not in ABOUT_US]
    assert RULE.kinds == tuple(failure.value for failure in failures)
    found = [connection_problem(NotConnectedError(failure, "m", {})) for failure in failures]
    assert len({finding.hint for finding in found if isinstance(finding, Finding)}) == len(failures)


@pytest.mark.parametrize(("failure", "kind"), ABOUT_US.items())
async def test_what_says_nothing_of_a_server_is_no_finding(failure: ConnectFailure, kind: ErrorKind) -> None:
    error = connection_problem(NotConnectedError(failure, "it wants a login", {}))
    assert isinstance(error, RunError)
    assert error.kind is kind
    assert error.message.startswith("No session with the server: it wants a login; ")


async def test_stderr_in_evidence_is_bounded_and_says_so(tmp_path: Path) -> None:
    problem = await refused(connector(tmp_path, "os.write(2, b'e' * 50_000); sys.exit(1)"))
    tail = problem.evidence["stderr"]
    assert isinstance(tail, str)
    assert tail == "[last 1000 of 50000 bytes] …" + "e" * 1_000


async def test_a_server_over_a_limit_of_ours_is_not_said_to_have_died(tmp_path: Path) -> None:
    opened = connector(
        tmp_path, "import subprocess\nfor _ in range(9): subprocess.Popen(['sleep', '60'])\nstay()"
    )
    problem = await refused(replace(opened, tree=TreeLimits(max_processes=4)))
    assert problem.message == "it was ended, since its processes went over the limit of processes"
    assert problem.evidence["allowed"] == 4


async def test_starts_and_limits_are_gathered(tmp_path: Path) -> None:
    body = "greet()\nos.write(2, b'e' * 5000)\nanswer(read(), {'s': 'x' * 2000})\nuntil_the_end()"
    opened = connector(tmp_path, body, replace(LIMITS, line_bytes=1_000, stderr_bytes=1_000))
    for _ in range(2):
        async with opened.session() as session:
            await session.call_tool("add", {})
    assert opened.starts == 2
    assert [(hit.limit, hit.value, hit.where) for hit in opened.limits_hit] == [
        ("line bytes", 1_000, "tools/call add"),
        ("stderr bytes kept", 1_000, "the end is kept"),
    ]


async def test_a_session_knows_what_was_agreed_on(tmp_path: Path) -> None:
    body = (
        "greet(capabilities={'tools': {}, 'prompts': None, 'logging': True})\nanswer(read())\nuntil_the_end()"
    )
    async with connector(tmp_path, body).session() as session:
        assert session.protocol == "2025-11-25"
        assert [name for name in ("tools", "prompts", "logging", "x") if session.declares(name)] == ["tools"]
        assert await session.alive()
        assert session.calls == 0


async def test_an_error_to_a_ping_is_a_sign_of_life_and_silence_is_none(tmp_path: Path) -> None:
    body = "send(id=read()['id'], error={'code': -32601, 'message': 'no'})\nuntil_the_end()"
    async with ready(tmp_path, body) as session:
        assert await session.alive()
        assert not await session.alive(timeout=0.2)


async def test_an_orderly_end_closes_stdin_first(tmp_path: Path) -> None:
    body = "sys.stdin.buffer.read()\nopen(os.environ['PROOF'], 'w').close()"
    proof = tmp_path / "proof"
    async with connector(tmp_path, "greet()\n" + body, PROOF=str(proof)).session():
        assert not proof.exists()
    assert proof.exists()


async def test_the_marker_of_each_start_is_the_launch_id_and_its_number(tmp_path: Path) -> None:
    body = f"answer(read(), {{'marker': os.environ[{MARKER!r}]}})\nuntil_the_end()"
    opened = connector(tmp_path, body)
    opened.target = replace(opened.target, launch_id="a" * 24)
    seen = []
    for _ in range(2):
        async with opened.connection() as connection:
            seen.append((await connection.request("m")).fields["marker"])
    assert seen == ["a" * 24 + "00000001", "a" * 24 + "00000002"]


async def test_without_a_launch_id_each_start_has_a_marker_of_its_own(tmp_path: Path) -> None:
    body = f"answer(read(), {{'marker': os.environ[{MARKER!r}]}})\nuntil_the_end()"
    opened = connector(tmp_path, body)
    seen = set()
    for _ in range(2):
        async with opened.connection() as connection:
            seen.add(str((await connection.request("m")).fields["marker"]))
    assert len(seen) == 2
    assert {len(marker) for marker in seen} == {32}


@pytest.mark.parametrize(
    ("gone", "text", "evidence"),
    [
        (Exit(code=0), "exit code 0", {"exitCode": 0}),
        (Exit(signal=11), "signal 11", {"signal": 11}),
        (Exit(), "an exit code that was not seen", {}),
    ],
)
async def test_an_exit_is_told_as_it_was_seen(gone: Exit, text: str, evidence: Mapping[str, Json]) -> None:
    assert (describe_exit(gone), exit_evidence(gone)) == (text, evidence)


async def test_the_small_server_of_the_zoo(tmp_path: Path) -> None:
    servers = Path(__file__).parents[4] / "tests" / "servers"
    script = tmp_path / "server.py"
    script.write_text(f"import sys\nsys.path.insert(0, {str(servers)!r})\nimport mini\nmini.Server().run()\n")
    target = StdioTarget((sys.executable, str(script)), env=minimal_environment(os.environ))
    async with Connector(target, client_info("0"), LIMITS).session() as session:
        assert session.handshake.server.name == "zoo"
        assert [
            item["name"] for item in (await session.list("tools/list")).items if isinstance(item, dict)
        ] == [
            "add",
            "greet",
        ]
        reply = await session.call_tool("add", {"a": 2, "b": 3})
        assert reply.fields == {"content": [{"type": "text", "text": "5"}]}
        assert session.calls == 1
        shutdown = await session.connection.close()
        assert (shutdown.sent_sigterm, shutdown.leftovers) == (False, ())
        assert session.connection.transcript.invalid == 0


def test_the_page_on_missing_connections_names_every_kind_of_failure() -> None:
    page = page_of("mcp_check_core", RULE)
    assert [failure.value for failure in ConnectFailure if f"`{failure.value}`" not in page] == []
