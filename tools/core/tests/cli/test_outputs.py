import json
import os
import stat
from pathlib import Path

import pytest

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.options import Format, OutputOptions
from mcp_check_core.cli.outputs import OutputPlan, check_writable, emit, plan_outputs, write_whole
from tools.core.tests.cli.commands import toy
from tools.core.tests.cli.test_exit_code import report


def test_the_form_of_stdout_and_each_file_is_planned(tmp_path: Path) -> None:
    options = OutputOptions(
        format=Format.MARKDOWN,
        json_out=tmp_path / "a.json",
        output=[f"text={tmp_path / 'b=c.txt'}", f"markdown={tmp_path / 'c.md'}"],
    )
    assert plan_outputs(options) == OutputPlan(
        Format.MARKDOWN,
        (
            (Format.JSON, tmp_path / "a.json"),
            (Format.TEXT, tmp_path / "b=c.txt"),
            (Format.MARKDOWN, tmp_path / "c.md"),
        ),
    )
    assert plan_outputs(OutputOptions(json=True)) == OutputPlan(Format.JSON)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_said_before_anything_starts(tmp_path: Path) -> None:
    for options, message in (
        (OutputOptions(json_out=tmp_path), "it is a folder"),
        (OutputOptions(trace=tmp_path / "none" / "x"), "there is no folder"),
        (OutputOptions(journal=tmp_path / "none" / "x"), "there is no folder"),
        (OutputOptions(output=["json="]), "is not FORMAT=FILE"),
        (OutputOptions(output=[f"json={tmp_path / 'x'}"], json_out=tmp_path / "x"), "go to the same file"),
        (OutputOptions(json_out=tmp_path / "x", trace=tmp_path / "." / "x"), "go to the same file"),
    ):
        with pytest.raises(CommandError, match=message):
            plan_outputs(options)
    proof = tmp_path / "started"
    ended = toy("--json-out", str(tmp_path / "none" / "x"), "--", "serve", str(proof))
    assert ended.returncode == 2
    assert not proof.exists()


def test_a_folder_without_permission_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(CommandError, match="no permission"):
        check_writable(tmp_path / "x")
    (tmp_path / "x").write_text("old")
    with pytest.raises(CommandError, match="no permission"):
        check_writable(tmp_path / "x")


def test_a_file_is_written_whole_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "report"
    mask = os.umask(0o027)
    try:
        write_whole(path, b"first")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_whole(path, b"second")
    assert path.read_bytes() == b"second"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report"
    path.write_text("old")

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(CommandError, match=r"cannot write '.*report': No space left on device"):
        write_whole(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    link, real = tmp_path / "link", tmp_path / "real"
    real.write_text("old")
    link.symlink_to(real)
    check_writable(link)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    device = tmp_path / "pipe"
    os.mkfifo(device)
    reader = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
    try:
        check_writable(device)
        write_whole(device, b"data")
        assert os.read(reader, 10) == b"data"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(device.stat().st_mode)


def test_one_file_that_fails_keeps_no_other_output_back(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    plan = OutputPlan(
        Format.JSON, ((Format.TEXT, tmp_path / "none" / "a"), (Format.MARKDOWN, tmp_path / "b.md"))
    )
    with pytest.raises(CommandError, match="cannot write"):
        emit(report(), plan)
    assert (tmp_path / "b.md").read_text()
    assert json.loads(capfdbinary.readouterr().out)["tool"]["name"] == "toy"


def test_each_form_comes_out(tmp_path: Path) -> None:
    places = {form: tmp_path / form.value for form in Format}
    words = [word for form, path in places.items() for word in ("--output", f"{form.value}={path}")]
    ended = toy(*words, "--json", "--", "noop")
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["status"] == "warning"
    written = json.loads(places[Format.JSON].read_bytes())
    assert {**written, "timings": None} == {**json.loads(ended.stdout), "timings": None}
    assert places[Format.TEXT].read_text().startswith("warning []")
    assert "Something was seen" in places[Format.MARKDOWN].read_text()


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}])
def test_a_report_that_goes_to_no_terminal_has_no_colour(env: dict[str, str]) -> None:
    assert "colour=False" in toy("--", "noop", env=env).stdout


@pytest.mark.parametrize(
    ("env", "colour"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_on_a_terminal_colour_is_as_the_user_wants_it(env: dict[str, str], colour: bool) -> None:
    from tools.core.tests.cli.commands import on_terminal

    assert f"colour={colour}" in on_terminal("--", "noop", env=env)
