"""Installing once: what is remembered, what is tried again, and what an interrupted install leaves."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from scripts.fieldwork.bounded import Ran, run_bounded
from scripts.fieldwork.corpus import Entry, Registry
from scripts.fieldwork.extras import Extra
from scripts.fieldwork.install import RECORD, install, kept, read_record

pytestmark = pytest.mark.anyio
NO_EXTRA = Extra()


@dataclass
class Client:
    """Stands in for npm, Python's venv and pip: remembers the commands, and answers as told."""

    answers: list[Ran] = field(default_factory=list)
    commands: list[tuple[str, ...]] = field(default_factory=list)

    async def __call__(self, argv: tuple[str, ...], env: Mapping[str, str], cwd: Path, seconds: float) -> Ran:
        self.commands.append(argv)
        return self.answers.pop(0) if self.answers else Ran(0, 1.0, "")


def entry(registry: Registry = Registry.PYPI, left_out: str = "") -> Entry:
    return Entry("it", registry, "pack", "1.0", None, (), (), ("mcp<2",), left_out=left_out)


async def test_a_python_server_gets_a_venv_and_its_constraints(tmp_path: Path) -> None:
    client = Client()
    record = await install(entry(), NO_EXTRA, tmp_path / "it", run=client)
    assert record.ok
    venv, pip = client.commands
    assert venv[1:] == ("-m", "venv", "--clear", str(tmp_path / "it" / "venv"))
    assert pip[0].startswith(str(tmp_path / "it" / "venv"))
    assert pip[-2:] == ("pack==1.0", "mcp<2")


@pytest.mark.parametrize("scripts", [False, True])
async def test_npm_runs_no_scripts_unless_they_are_needed(
    tmp_path: Path, scripts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "npm").write_text("")
    (tmp_path / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    client = Client()
    await install(entry(Registry.NPM), Extra(scripts=scripts), tmp_path / "it", run=client)
    assert ("--ignore-scripts" in client.commands[0]) is not scripts


async def test_nothing_is_installed_twice(tmp_path: Path) -> None:
    client = Client()
    first = await install(entry(), NO_EXTRA, tmp_path / "it", run=client)
    again = await install(entry(), NO_EXTRA, tmp_path / "it", run=client)
    assert again == first
    assert len(client.commands) == 2


async def test_a_failure_is_kept_with_its_reason_and_tried_again_when_asked_to(tmp_path: Path) -> None:
    failed = Ran(1, 2.0, "collecting\nERROR: No matching distribution found for pack==1.0\n")
    client = Client([Ran(0, 1.0, ""), failed])
    record = await install(entry(), NO_EXTRA, tmp_path / "it", run=client)
    assert record.reason == "exit code 1 – ERROR: No matching distribution found for pack==1.0"
    assert await install(entry(), NO_EXTRA, tmp_path / "it", run=client) == record
    assert len(client.commands) == 2
    assert (await install(entry(), NO_EXTRA, tmp_path / "it", retry=True, run=client)).ok
    assert len(client.commands) == 4


async def test_another_interpreter_where_ours_is_refused(tmp_path: Path) -> None:
    refused = Ran(1, 1.0, "ERROR: Ignored versions that require a different python version: 1.0\n")
    client = Client([Ran(0, 1.0, ""), refused])
    record = await install(entry(), NO_EXTRA, tmp_path / "it", run=client, pythons=("old", "new", "newest"))
    assert record.ok
    assert [command[0] for command in client.commands if "venv" in command] == ["old", "new"]


async def test_another_interpreter_is_no_cure_for_other_failures(tmp_path: Path) -> None:
    client = Client([Ran(0, 1.0, ""), Ran(1, 1.0, "ERROR: no network\n")])
    record = await install(entry(), NO_EXTRA, tmp_path / "it", run=client, pythons=("old", "new"))
    assert (record.reason, len(client.commands)) == ("exit code 1 – ERROR: no network", 2)


async def test_an_interrupted_install_begins_anew(tmp_path: Path) -> None:
    half = tmp_path / "it" / "venv" / "half"
    half.mkdir(parents=True)
    client = Client()
    assert (await install(entry(), NO_EXTRA, tmp_path / "it", run=client)).ok
    assert not half.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"asked": 3, "seconds": 1, "reason": ""}'])
async def test_a_record_that_is_not_ours_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / RECORD).write_text(text)
    assert read_record(tmp_path) is None


async def test_other_wishes_make_another_install(tmp_path: Path) -> None:
    client = Client()
    await install(entry(), NO_EXTRA, tmp_path / "it", run=client)
    other = Extra(requirements=("anyio<5",))
    assert kept(entry(), other, tmp_path / "it") is None
    await install(entry(), other, tmp_path / "it", run=client)
    assert client.commands[-1][-1] == "anyio<5"


async def test_what_the_index_left_out_is_not_tried(tmp_path: Path) -> None:
    client = Client()
    record = await install(entry(left_out="NOT RUN: 5.9 GB"), NO_EXTRA, tmp_path / "it", run=client)
    assert (record.reason, client.commands) == ("NOT RUN: 5.9 GB", [])


async def test_a_client_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    words = ("sh", "-c", "sleep 300 & echo $! > child; echo begun >&2; sleep 300")
    ran = await run_bounded(words, os.environ, tmp_path, 0.5)
    assert not psutil.pid_exists(int((tmp_path / "child").read_text()))
    assert ran.code is None
    assert ran.problem == "ended by us after 0.5 s"
    assert ran.tail == "begun\n"
    assert ran.seconds < 10


async def test_a_client_that_is_not_there(tmp_path: Path) -> None:
    ran = await run_bounded((str(tmp_path / "none"),), os.environ, tmp_path, 5.0)
    assert ran.code is None
    assert "none" in ran.problem


async def test_of_much_output_the_end_is_kept(tmp_path: Path) -> None:
    ran = await run_bounded(("sh", "-c", "yes | head -c 5000000; echo last >&2"), os.environ, tmp_path, 30.0)
    assert (ran.code, ran.tail) == (0, "last\n")
