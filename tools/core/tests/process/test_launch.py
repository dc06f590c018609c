"""How a launched process starts and ends when nobody misbehaves."""

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from mcp_check_core.process.carrier import Exit, LaunchSpec, SpawnError
from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.process.launch import launch
from tools.core.tests.process.programs import lines, program, rest, running, shell, until

pytestmark = pytest.mark.anyio

NO_INTERPRETER = "the file is there, but the interpreter that its first line names is not"


def descriptors() -> set[str]:
    """Return the numbers of our open descriptors, with that of the folder which is read for it."""
    return {path.name for path in Path("/proc/self/fd").iterdir()}


async def test_exit_code(token: str) -> None:
    async with launch(program("sys.exit(7)", token)) as process:
        assert await process.wait() == Exit(code=7)
        assert process.exit == Exit(code=7)


async def test_exit_signal(token: str) -> None:
    async with launch(program("os.kill(os.getpid(), signal.SIGSEGV); stay()", token)) as process:
        assert await process.wait() == Exit(signal=signal.SIGSEGV)


async def test_streams_are_the_servers_own(token: str) -> None:
    code = "data = os.read(0, 99); os.write(1, data.upper()); os.write(2, b'aside')"
    async with launch(program(code, token)) as process:
        await process.stdin.send(b"hello")
        assert await rest(process) == b"HELLO"
        assert await process.stderr.receive() == b"aside"


async def test_exit_is_none_while_it_runs(token: str) -> None:
    async with launch(program("say('up'); until_closed()", token)) as process:
        await lines(process, 1)
        assert process.exit is None
        assert [member.pid for member in process.members()] == [process.pid]
        assert os.getpgid(process.pid) == os.getsid(process.pid) == process.pid


async def test_orderly_shutdown_says_what_it_took(token: str) -> None:
    async with launch(program("say('up'); until_closed(); sys.exit(3)", token)) as process:
        await lines(process, 1)
        ended = await process.shutdown()
        assert process.exit == Exit(code=3)
        assert (ended.closed_stdin, ended.sent_sigterm, ended.sent_sigkill) == (True, False, False)
        assert ended.ms_to_exit is not None
        assert 0 < ended.ms_to_exit < 1000
        assert (ended.leftovers, ended.survivors) == ((), ())
        assert await process.shutdown() is ended


async def test_shutdown_of_what_has_ended(token: str) -> None:
    async with launch(program("pass", token)) as process:
        await process.wait()
        ended = await process.shutdown()
    assert (ended.ms_to_exit, ended.closed_stdin, ended.sent_sigterm) == (None, False, False)


async def test_leaving_without_a_fault_leaves_time(token: str) -> None:
    async with launch(program("until_closed(); time.sleep(0.8); sys.exit(4)", token)) as process:
        pass
    assert process.exit == Exit(code=4)


async def test_output_at_the_end_can_be_read_after_shutdown(token: str) -> None:
    async with launch(program("until_closed(); say('bye')", token)) as process:
        await process.shutdown()
        assert await rest(process) == b"bye\n"


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (("no-such-command",), "ENOENT", "cannot start 'no-such-command': no such command on PATH"),
        (("/no/such/file",), "ENOENT", "cannot start '/no/such/file': no such file"),
        (("./plain",), "EACCES", "cannot start './plain': it is not executable"),
        (("./folder",), "EACCES", "cannot start './folder': it is a folder, not a program"),
        (("./text",), "ENOEXEC", "cannot start './text': it is no program that this system can run"),
        (("",), "EINVAL", "cannot start an empty command"),
        ((), "EINVAL", "cannot start an empty command"),
        (("a\0b",), "EINVAL", "cannot start 'a\\x00b': embedded null byte"),
        (("true", "x" * 3_000_000), "E2BIG", "cannot start 'true': Argument list too long"),
        (("./orphan",), "ENOENT", f"cannot start './orphan': {NO_INTERPRETER}"),
    ],
)
async def test_what_cannot_be_started(tmp_path: Path, argv: tuple[str, ...], code: str, message: str) -> None:
    (tmp_path / "folder").mkdir()
    for name, text, mode in [
        ("plain", "#!/bin/sh\n", 0o644),
        ("text", "words\n", 0o755),
        ("orphan", "#!/no/such/interpreter\n", 0o755),
    ]:
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(mode)
    opened = descriptors()
    spec = LaunchSpec(argv, minimal_environment(os.environ), tmp_path)
    with pytest.raises(SpawnError) as caught:
        async with launch(spec):
            pytest.fail("it started")
    assert (caught.value.code, caught.value.message) == (code, message)
    assert descriptors() == opened


@pytest.mark.parametrize(
    ("folder", "code", "fault"),
    [("none", "ENOENT", "does not exist"), ("file", "ENOTDIR", "is not a folder")],
)
async def test_working_folder_that_is_none(tmp_path: Path, folder: str, code: str, fault: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SpawnError) as caught:
        async with launch(shell("true", tmp_path / folder)):
            pytest.fail("it started")
    assert caught.value.code == code
    named = repr(str(tmp_path / folder))
    assert caught.value.message == f"cannot start 'sh': the working folder {named} {fault}"


async def test_working_folder(tmp_path: Path) -> None:
    async with launch(shell("pwd -P", tmp_path)) as process:
        assert await rest(process) == f"{tmp_path}\n".encode()


async def test_environment_is_what_was_given_and_the_marker() -> None:
    spec = LaunchSpec(("/usr/bin/env",), {"ONLY": "this"})
    async with launch(spec) as process:
        assert (await rest(process)).decode().splitlines() == [
            "ONLY=this",
            f"MCP_CHECK_LAUNCH={process.marker}",
        ]
    assert len(process.marker) == 32


async def test_each_launch_has_its_own_marker() -> None:
    async with launch(shell("true")) as one, launch(shell("true")) as other:
        assert one.marker != other.marker


async def test_no_descriptor_of_ours_is_inherited() -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    try:
        async with launch(shell("ls /proc/self/fd")) as process:
            # The last one is the folder that `ls` itself reads.
            assert (await rest(process)).split() == [b"0", b"1", b"2", b"3"]
    finally:
        os.close(reader)
        os.close(writer)


async def test_signals_are_as_a_program_expects_them() -> None:
    async with launch(shell("exec grep -E 'Sig(Blk|Ign)' /proc/self/status")) as process:
        masks = [line.split()[1] for line in (await rest(process)).splitlines()]
    reserved = sum(1 << (number - 1) for number in (32, 33))  # the C library's own: no program can set them
    assert [int(mask, 16) & ~reserved for mask in masks] == [0, 0]


async def test_bytes_of_arguments_and_environment_are_kept() -> None:
    odd = os.fsdecode(b"\xff\xfe") + "\N{SNOWMAN}"
    spec = LaunchSpec(("sh", "-c", 'printf %s "$1$ODD"', "sh", odd), {"ODD": odd, "PATH": os.environ["PATH"]})
    async with launch(spec) as process:
        assert await rest(process) == os.fsencode(odd) * 2


async def test_an_exception_passes_as_it_is(token: str) -> None:
    fault = LookupError("ours")

    async def body() -> None:
        async with launch(program("deaf(); say('up'); stay()", token)) as process:
            await lines(process, 1)
            raise fault

    with pytest.raises(LookupError) as caught:
        await body()
    assert caught.value is fault
    assert not running(token)


async def test_cancelled_while_starting(token: str) -> None:
    with anyio.CancelScope() as scope:
        scope.cancel()
        async with launch(program("deaf(); stay()", token)):
            pytest.fail("it started")
    assert scope.cancelled_caught
    assert not running(token)


async def test_no_descriptor_is_left_behind(token: str) -> None:
    async with launch(program("pass", token)):
        pass
    opened = descriptors()
    for _ in range(5):
        async with launch(program("pass", token)) as process:
            await process.wait()
    assert descriptors() == opened


async def test_many_at_once(token: str) -> None:
    ended = []

    async def one(code: int) -> None:
        async with launch(program(f"until_closed(); sys.exit({code})", token)) as process:
            await process.shutdown()
            ended.append(process.exit)

    async with anyio.create_task_group() as tasks:
        for code in range(12):
            tasks.start_soon(one, code)
    assert sorted(one.code for one in ended if one and one.code is not None) == list(range(12))


async def test_a_tool_of_ours_is_launched_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('shadowed')")
    from mcp_check_core.process.environment import own_environment, own_python

    environment = own_environment({**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": "x"})
    spec = LaunchSpec(own_python("json.tool"), environment, tmp_path)
    async with launch(spec) as process:
        await process.stdin.send(b"[1]")
        await process.stdin.aclose()
        assert (await rest(process)).split() == [b"[", b"1", b"]"]
    assert spec.argv[0] == sys.executable


async def test_start_is_quick(token: str) -> None:
    spec = replace(program("pass", token), argv=("true",))
    took = []
    for _ in range(5):
        began = anyio.current_time()
        async with launch(spec) as process:
            await process.wait()
        took.append(anyio.current_time() - began)
    assert min(took) < 0.15


async def test_usage_is_measured(token: str) -> None:
    code = "block = b'x' * (64 << 20); child(stay); say('up'); end = time.process_time() + 0.3\n"
    code += "while time.process_time() < end: pass\nuntil_closed()"
    async with launch(program(code, token)) as process:
        await until(lambda: process.usage.cpu_s > 0.25)
        usage = process.usage
    assert 64 << 20 < usage.peak_rss < 200 << 20
    assert usage.peak_processes == 2
    assert usage.wall_s > 0.25
