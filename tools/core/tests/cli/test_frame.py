import subprocess
import sys

import pytest

from mcp_check_core.cli.frame import split_command
from tools.core.tests.cli.commands import COMMAND, ROOT, environment, toy
from tools.core.tests.cli.toy import main


@pytest.mark.parametrize(
    ("words", "own", "command"),
    [
        ([], [], None),
        (["--json"], ["--json"], None),
        (["--"], [], ()),
        (["--json", "--", "python", "s.py"], ["--json"], ("python", "s.py")),
        (["--", "run", "--json", "--", "--help"], [], ("run", "--json", "--", "--help")),
    ],
)
def test_the_argv_is_split_at_the_first_dashes(
    words: list[str], own: list[str], command: tuple[str, ...] | None
) -> None:
    assert split_command(words) == (own, command)


BAD_USAGE = {
    "option": (["--bogus", "--", "noop"], "No such option: --bogus"),
    "word": (["bogus", "--", "noop"], "unexpected extra argument"),
    "choice": (["--format", "pdf", "--", "noop"], "'pdf' is not one of"),
    "range": (["--fail-under", "101", "--", "noop"], "less than or equal to 100"),
    "number": (["--max-processes", "x", "--", "noop"], "'--max-processes': Input should be a valid integer"),
    "duration": (["--timeout", "soon", "--", "noop"], "--timeout: 'soon' is not a duration"),
    "missing value": (["--timeout"], "requires an argument"),
    "size": (["--max-memory", "much", "--", "noop"], "--max-memory: 'much' is not a size"),
    "no server": ([], "no server given"),
    "empty server": (["--"], "no server given"),
    "both": (["--url", "http://localhost", "--", "noop"], "not both"),
    "folder": (["--cwd", "/no/such/folder", "--", "noop"], "--cwd: there is no folder '/no/such/folder'"),
    "pair": (["--env", "NOVALUE", "--", "noop"], "--env: item 1 is not NAME=VALUE"),
    "unset": (["--pass-env", "NO_SUCH_VARIABLE", "--", "noop"], "the variable 'NO_SUCH_VARIABLE' is not set"),
    "clash": (["--env", "HOME=x", "--pass-env", "HOME", "--", "noop"], "by both --env and --pass-env"),
    "output": (["--output", "text", "--", "noop"], "--output: 'text' is not FORMAT=FILE"),
    "output form": (["--output", "pdf=x", "--", "noop"], "--output: 'pdf=x' is not FORMAT=FILE"),
    "output place": (
        ["--json-out", "/no/such/folder/x", "--", "noop"],
        "there is no folder '/no/such/folder'",
    ),
    "rule": (["explain", "nothing"], "nothing"),
    "rule missing": (["explain"], "Missing argument"),
}


@pytest.mark.parametrize(("words", "message"), BAD_USAGE.values(), ids=BAD_USAGE)
def test_wrong_usage_is_one_line_and_exit_code_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("toy: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_wrong_usage_in_a_process_of_its_own_leaves_no_traceback() -> None:
    ended = toy("--bogus", "--", "noop")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "toy: error: No such option: --bogus (see toy --help)\n"


def test_an_internal_error_is_one_inert_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crash"]) == 2
    err = capsys.readouterr().err
    shown = "bad value \\x1b[31m hunter2-hunter2"
    assert err == f"toy: error: internal error: ValueError: {shown}; --debug shows where\n"


def test_debug_shows_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--debug", "crash"]) == 2
    err = capsys.readouterr().err
    assert "Traceback (most recent call last)" in err
    assert err.splitlines()[-1].endswith("ValueError: bad value \\x1b[31m hunter2-hunter2")


@pytest.mark.parametrize(
    "words",
    [
        ["--env", "PASSWORD=hunter2-hunter2", "--cwd", "/no/hunter2-hunter2"],
        ["--env=PASSWORD=hunter2-hunter2", "--cwd", "/no/hunter2-hunter2"],
        ["PASSWORD=hunter2-hunter2"],
        ["--password", "hunter2-hunter2"],
    ],
)
def test_no_error_line_shows_a_secret(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--", "noop"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("toy: error: ")
    assert "hunter2" not in err


def test_an_error_line_is_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--format", "x" * 100_000, "--", "noop"]) == 2
    assert len(capsys.readouterr().err) < 1_200


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "toy 1.0.0 (mcp-check-core 2.0.0)\n"
    assert main(["-h"]) == 0
    shown = capsys.readouterr().out
    assert "Usage: toy [OPTIONS] -- COMMAND [ARG ...]" in shown
    assert all(f"{group} " in shown for group in ("Target", "Output", "Limits"))
    assert main(["crash", "--help"]) == 0
    assert "Raise." in capsys.readouterr().out


def test_a_server_of_the_name_of_a_subcommand_is_a_server() -> None:
    ended = toy("--json", "--", "crash", "--help")
    assert ended.returncode == 0
    assert '"command": [\n      "crash",\n      "--help"\n    ]' in ended.stdout


@pytest.mark.parametrize(("words", "code"), [(["speak"], 1), (["--fail-on", "warning", "--", "noop"], 1)])
def test_a_reader_that_leaves_changes_nothing_but_the_output(words: list[str], code: int) -> None:
    with subprocess.Popen(
        [*COMMAND, *words], cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.read(1)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(30) == code


HEAVY = ("anyio", "asyncio", "psutil", "jsonschema_rs", "orjson", "httpx2", "mcp", "jinja2")
ROOMS = tuple(f"mcp_check_core.{room}" for room in ("wire", "process", "report", "inputs", "judges"))


def test_help_imports_nothing_heavy() -> None:
    probe = (
        "import sys; from tools.core.tests.cli.toy import main; code = main(['--help']);"
        f"heavy = [n for n in sys.modules if n in {HEAVY!r} or n.startswith({ROOMS!r})];"
        "print('heavy:', sorted(heavy)); sys.exit(code)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1] == "heavy: []"
    assert "Usage: toy" in ended.stdout


def test_help_has_no_colour_where_nobody_wants_it() -> None:
    ended = toy("--help", env={"NO_COLOR": "1", "FORCE_COLOR": ""})
    assert "\x1b" not in ended.stdout
