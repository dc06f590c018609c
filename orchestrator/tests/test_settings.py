import sys
from pathlib import Path

import pytest

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.frame import Invocation
from mcp_check_core.cli.options import TargetOptions
from mcp_check_core.cli.suppression import SuppressionOptions
from mcp_trust_check.options import BoundOptions, SourceOptions, ToolOptions
from mcp_trust_check.run.plan import plan_tool
from mcp_trust_check.run.tool_process import ToolLimits
from mcp_trust_check.settings import Settings, read_settings, server_limits
from mcp_trust_check.toolset import FUZZ, GUARD, TOOLS, Request, ServerLimits, tool_words

REQUEST = Request(command=("node", "server.js", "--flag"), limits=ServerLimits(1000, 40, 285.0))
JOURNAL = Path("/tmp/j")


def read(
    command: tuple[str, ...] | None = (sys.executable, "server.py"),
    target: TargetOptions | None = None,
    source: SourceOptions | None = None,
    tools: ToolOptions | None = None,
    bounds: BoundOptions | None = None,
    holding: SuppressionOptions | None = None,
) -> Settings:
    return read_settings(
        Invocation("mcp-trust-check", command),
        target or TargetOptions(),
        source or SourceOptions(),
        tools or ToolOptions(),
        bounds or BoundOptions(),
        holding or SuppressionOptions(no_config=True),
        {"PATH": "/usr/bin:/bin", "TOKEN": "s3cr3t-value", "PYTHONPATH": "/evil"},
    )


def test_what_guard_is_asked_word_for_word() -> None:
    assert tool_words(GUARD, REQUEST, JOURNAL) == (
        *("--json", "--no-config", "--fail-on", "never", "--journal", "/tmp/j", "--profile", "registry"),
        *("--startup-timeout", "30000ms", "--run-timeout", "285000ms"),
        *("--max-memory", "1000", "--max-processes", "40", "--", "node", "server.js", "--flag"),
    )


def test_what_fuzz_is_asked_word_for_word() -> None:
    request = Request(
        command=("server",),
        limits=ServerLimits(1000, 40, 285.0),
        cwd=Path("/srv"),
        variables=("TOKEN", "MODE"),
        startup_s=2.5,
        timeout_s=1.0,
        seed=7,
        include_destructive=True,
        more={"fuzz": ("--tool", "add*"), "guard": ("--repeat=3",)},
    )

    assert tool_words(FUZZ, request, JOURNAL) == (
        *("--json", "--no-config", "--fail-on", "never", "--journal", "/tmp/j"),
        *("--depth", "normal", "--seed", "7", "--include-destructive"),
        *("--startup-timeout", "2500ms", "--timeout", "1000ms", "--run-timeout", "285000ms"),
        *("--max-memory", "1000", "--max-processes", "40", "--cwd", "/srv"),
        *("--pass-env", "TOKEN", "--pass-env", "MODE", "--tool", "add*", "--", "server"),
    )


def test_a_tool_that_is_not_in_this_version_is_never_started() -> None:
    assert [tool.short for tool in TOOLS if tool.in_this_version] == ["guard", "fuzz"]
    with pytest.raises(ValueError, match="mcp-doctor is not run by this version"):
        tool_words(TOOLS[0], REQUEST, JOURNAL)


def test_values_for_the_server_go_through_the_environment_alone() -> None:
    settings = read(target=TargetOptions(env=["KEY=k3y-with = sign"], pass_env=["TOKEN"]))
    plan = plan_tool(
        FUZZ,
        settings.request,
        secrets=settings.secrets,
        environ={"PYTHONPATH": "/evil", "HOME": "/h"},
        folder=Path("/tmp"),
    )

    assert plan.env == {"HOME": "/h", "KEY": "k3y-with = sign", "TOKEN": "s3cr3t-value"}
    assert not [word for word in plan.argv if "k3y" in word or "s3cr3t" in word]
    assert plan.argv[:5] == (sys.executable, "-E", "-P", "-m", "mcp_fuzz")
    assert plan.journal == Path("/tmp/fuzz.journal")


def test_the_server_is_held_to_less_than_the_tool() -> None:
    assert server_limits(ToolLimits(), 64) == ServerLimits(2**31 - 2**28, 64, 295.0)
    assert (read().limits.processes, read().request.limits.processes) == (136, 64)
    assert server_limits(ToolLimits(wall_s=10, memory=2**28), 8) == ServerLimits(2**27, 8, 9.0)


def test_destructive_calls_are_made_one_tool_after_the_other() -> None:
    assert read(tools=ToolOptions(include_destructive=True, jobs=4)).jobs == 1
    assert read(tools=ToolOptions(jobs=4)).jobs == 4
    assert read().jobs >= 1


def test_a_command_line_is_split_as_a_shell_splits_words() -> None:
    settings = read(None, source=SourceOptions(run=f"{sys.executable} 'my server.py' --n=1"))

    assert settings.request.command == (sys.executable, "my server.py", "--n=1")


def test_tools_can_be_chosen() -> None:
    assert [tool.short for tool in read(tools=ToolOptions(only=["guard", "doctor"])).tools] == ["guard"]
    assert [tool.short for tool in read(tools=ToolOptions(skip=["guard"])).tools] == ["fuzz"]


WRONG = [
    (None, {}, "no server given, and this version has no tool that reads source alone"),
    ((), {}, "no server given"),
    (("/no/such/program",), {}, "no such command: there is no file '/no/such/program'"),
    (("no-such-program",), {}, "no such command: 'no-such-program' is not on the PATH"),
    (
        ("ls",),
        {"source": SourceOptions(run="ls")},
        "give the server's command after -- or with --run, not both",
    ),
    (
        None,
        {"source": SourceOptions(run="ls 'open")},
        "--run: cannot be split into words: No closing quotation",
    ),
    (("ls",), {"target": TargetOptions(url="http://x.example")}, "not both"),
    (None, {"target": TargetOptions(url="http://x.example")}, "this version checks servers over stdio alone"),
    (
        ("ls",),
        {"source": SourceOptions(path=Path("/no/such"))},
        "--path: there is no file or folder '/no/such'",
    ),
    (
        ("ls",),
        {"tools": ToolOptions(only=["fuz"])},
        "--only: there is no tool 'fuz'; the tools are doctor, guard",
    ),
    (("ls",), {"tools": ToolOptions(skip=["mcp-fuzz"])}, "--skip: there is no tool 'mcp-fuzz'"),
    (("ls",), {"tools": ToolOptions(only=["doctor"])}, "leave no tool to run; this version runs guard, fuzz"),
    (("ls",), {"tools": ToolOptions(skip=["guard", "fuzz"])}, "leave no tool to run"),
    (("ls",), {"tools": ToolOptions(tool_arg=["fuzz"])}, "--tool-arg: 'fuzz' is not TOOL=ARG"),
    (("ls",), {"tools": ToolOptions(tool_arg=["x=--y"])}, "--tool-arg: there is no tool 'x'"),
    (("ls",), {"target": TargetOptions(env=["TOKEN"])}, "--env: item 1 is not NAME=VALUE"),
    (("ls",), {"target": TargetOptions(pass_env=["UNSET"])}, "the variable 'UNSET' is not set"),
    (("ls",), {"bounds": BoundOptions(tool_timeout="soon")}, "--tool-timeout: 'soon' is not a duration"),
    (("ls",), {"bounds": BoundOptions(max_memory="0")}, "--max-memory: '0' is not a size"),
]


@pytest.mark.parametrize(("command", "options", "message"), WRONG)
def test_what_cannot_be_done_is_one_sentence(
    command: tuple[str, ...] | None, options: dict[str, object], message: str
) -> None:
    with pytest.raises(CommandError) as caught:
        read(command, **options)  # type: ignore[arg-type]

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
