import os
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.frame import Invocation
from mcp_check_core.cli.options import LimitOptions, TargetOptions
from mcp_check_core.cli.server import Server, check_command, read_limits, read_server
from mcp_check_core.model.report import TargetKind
from mcp_check_core.wire.limits import WireLimits

ENVIRON = {"PATH": os.environ["PATH"], "HOME": "/home/x", "TOKEN": "token-of-the-user", "OTHER": "o"}
SECRET = "hunter2-hunter2"


def read(*command: str, options: TargetOptions | None = None) -> Server:
    return read_server(Invocation("toy", command), options or TargetOptions(), ENVIRON, must_exist=False)


def test_a_server_gets_a_small_environment_and_what_was_asked_for() -> None:
    server = read("python", options=TargetOptions(env=["A=1"], pass_env=["TOKEN"]))
    assert server.target.argv == ("python",)
    assert server.target.env == {
        "PATH": ENVIRON["PATH"],
        "HOME": "/home/x",
        "A": "1",
        "TOKEN": "token-of-the-user",
    }
    assert server.target.passed == ("A", "TOKEN")
    assert server.described.kind is TargetKind.STDIO
    assert server.described.environment == ("A", "TOKEN")
    assert server.described.cwd == "."


def test_no_secret_is_in_what_a_report_says_of_the_target() -> None:
    options = TargetOptions(env=[f"A={SECRET}"], pass_env=["TOKEN"])
    server = read("server", "--api-key", "key-of-the-argv", SECRET, "token-of-the-user", options=options)
    assert server.target.argv[2] == "key-of-the-argv"
    shown = repr(server.described)
    for secret in (SECRET, "key-of-the-argv", "token-of-the-user"):
        assert secret not in shown
        assert secret not in server.redactor.text(f"the server said {secret}!")
    assert server.described.command_sha256 is not None
    assert len(server.described.command_sha256) == 64


def test_two_secrets_of_one_name_are_both_hidden() -> None:
    server = read("server", "--token", "key-of-the-argv", options=TargetOptions(env=[f"token={SECRET}"]))
    assert server.redactor.text(f"{SECRET} key-of-the-argv") == "[redacted:token] [redacted:token-2]"


def test_the_digest_of_a_command_does_not_depend_on_its_secrets() -> None:
    one = read("server", "--token", "first-secret")
    other = read("server", "--token", "other-secret")
    assert one.described.command_sha256 == other.described.command_sha256
    assert one.described.command_sha256 != read("server", "--port", "1").described.command_sha256


def test_the_launch_id_is_new_for_each_run_and_hidden() -> None:
    one, other = read("server"), read("server")
    assert one.target.launch_id is not None
    assert len(one.target.launch_id) == 24
    assert one.target.launch_id != other.target.launch_id
    assert one.redactor.text(f"MCP_CHECK_LAUNCH={one.target.launch_id}00000001") == (
        "MCP_CHECK_LAUNCH=[redacted:launch]00000001"
    )


def test_a_variable_of_the_name_launch_takes_nothing_away() -> None:
    server = read("server", options=TargetOptions(env=[f"launch={SECRET}"]))
    hidden = server.redactor.text(f"{SECRET} {server.target.launch_id}")
    assert hidden == "[redacted:launch] [redacted:launch-2]"


def test_the_folder_is_told_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a")
    server = read("server", options=TargetOptions(cwd=Path("b/../b")))
    assert server.target.cwd == tmp_path / "a" / "b"
    assert server.described.cwd == "b"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("no-such-program-here",), "no such command: 'no-such-program-here' is not on the PATH"),
        (("",), "no such command: '' is not on the PATH"),
        (("/no/such/file",), "no such command: there is no file '/no/such/file'"),
        (("./folder",), "no such command: './folder' is not an executable file"),
        (("./plain",), "no such command: './plain' is not an executable file"),
    ],
)
def test_a_command_that_cannot_be_started_is_said_before(
    tmp_path: Path, command: tuple[str, ...], message: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").write_text("")
    with pytest.raises(CommandError) as caught:
        check_command(command, ENVIRON, tmp_path)
    assert str(caught.value) == message


def test_a_command_that_can_be_started_passes(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    check_command(("./program",), ENVIRON, tmp_path)
    check_command(("program",), {"PATH": str(tmp_path)}, None)
    with pytest.raises(CommandError, match="is not on the PATH"):
        check_command(("program",), {}, None)


def test_limits_are_read_over_the_defaults_of_a_tool() -> None:
    limits = read_limits(
        LimitOptions("10s", "500ms", "2m", "1GiB", 7), WireLimits(line_bytes=5, stdout_bytes=6, pages=7)
    )
    assert limits.wire == WireLimits(startup_s=10.0, request_s=0.5, line_bytes=5, stdout_bytes=6, pages=7)
    assert (limits.run_s, limits.tree.max_rss, limits.tree.max_processes) == (120.0, 2**30, 7)


def test_every_limit_of_the_wire_has_its_option() -> None:
    options = LimitOptions(
        startup_timeout="1s",
        timeout="2s",
        max_stdout_line_bytes="3kB",
        max_stdout_bytes="4kB",
        max_stderr_bytes="5kB",
        max_json_depth=6,
        max_tools=7,
        max_pages=8,
    )
    expected = WireLimits(1.0, 2.0, line_bytes=3_000, stdout_bytes=4_000, stderr_bytes=5_000, json_depth=6)
    assert read_limits(options).wire == replace(expected, items=7, pages=8)
    with pytest.raises(CommandError, match="--max-stdout-bytes: 'much' is not a size"):
        read_limits(LimitOptions(max_stdout_bytes="much"))


def test_the_defaults_are_those_that_are_stated() -> None:
    limits = read_limits(LimitOptions())
    assert (limits.wire, limits.run_s, limits.tree.max_rss) == (WireLimits(), 300.0, 2**31)
    assert (WireLimits().startup_s, WireLimits().request_s, WireLimits().probe_s) == (30.0, 15.0, 10.0)
    assert (WireLimits().line_bytes, WireLimits().stdout_bytes) == (16 * 2**20, 64 * 2**20)
    assert (WireLimits().stderr_bytes, WireLimits().json_depth) == (2**20, 512)
    assert (WireLimits().items, WireLimits().pages) == (10_000, 100)
