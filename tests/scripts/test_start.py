"""From an installed package to a command line: which program, which arguments, which variables."""

import json
import sys
from pathlib import Path

import pytest

from scripts.fieldwork.corpus import Entry, Registry
from scripts.fieldwork.extras import Extra, Extras
from scripts.fieldwork.sdk import describe_sdk, installed_version
from scripts.fieldwork.start import NoProgramError, npm_command, prepare, program, throw_away

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="lays out programs as POSIX clients do")


def package(folder: Path, name: str, **fields: object) -> None:
    """Lay out an npm package with its programs."""
    home = folder / "node_modules" / name
    home.mkdir(parents=True)
    (home / "package.json").write_text(json.dumps({"version": "1.2.3", **fields}))
    programs = fields.get("bin")
    for file in programs if isinstance(programs, dict) else (name.rpartition("/")[2],):
        path = folder / "node_modules" / ".bin" / file
        path.parent.mkdir(exist_ok=True)
        path.touch()


def entry(registry: Registry = Registry.NPM, command: str | None = None, **cells: tuple[str, ...]) -> Entry:
    arguments, variables = cells.get("arguments", ()), cells.get("variables", ())
    return Entry("it", registry, "@s/pack", "1.0", command, arguments, variables)


@pytest.mark.parametrize(
    ("programs", "chosen"),
    [
        ("run.js", "pack"),
        ({"pack": "a.js", "other": "b.js"}, "pack"),
        ({"only": "a.js"}, "only"),
        ({"one": "a.js", "two": "a.js"}, "one"),
    ],
)
def test_npm_programs_are_chosen_as_npx_does(tmp_path: Path, programs: object, chosen: str) -> None:
    package(tmp_path, "@s/pack", bin=programs)
    assert npm_command("@s/pack", tmp_path) == chosen
    assert program(entry(), tmp_path) == tmp_path / "node_modules" / ".bin" / chosen


@pytest.mark.parametrize("programs", [{}, {"one": "a.js", "two": "b.js"}, None, 3])
def test_a_package_without_a_program_of_its_own(tmp_path: Path, programs: object) -> None:
    package(tmp_path, "@s/pack", bin=programs)
    with pytest.raises(NoProgramError, match="names no program of its own"):
        npm_command("@s/pack", tmp_path)


def test_no_package_and_no_program(tmp_path: Path) -> None:
    with pytest.raises(NoProgramError, match="cannot be read"):
        program(entry(), tmp_path)
    package(tmp_path, "@s/pack", bin="a.js")
    with pytest.raises(NoProgramError, match="has no program other"):
        program(entry(command="other"), tmp_path)
    with pytest.raises(NoProgramError, match="has no program other"):
        program(entry(Registry.PYPI, command="other"), tmp_path)


def test_arguments_and_values_lead_into_the_throw_away_folder(tmp_path: Path) -> None:
    package(tmp_path, "@s/pack", bin="a.js")
    extras = Extras({"it": Extra(("--more",), {"vault/.config/app.json": "{}"})}, {"ROOT": "<dir>/x"})
    with throw_away() as work:
        wanted = entry(arguments=("--db", "<dir>/t.db"), variables=("ROOT", "TOKEN"))
        start = prepare(wanted, extras, tmp_path, work)
        files = work / "files"
        assert start.argv[1:] == ("--db", f"{files}/t.db", "--more")
        assert start.cwd == files
        assert start.variables["ROOT"] == f"{files}/x"
        assert start.variables["HOME"] == str(work / "home")
        assert start.variables["TOKEN"].startswith("placeholder")
        assert (files / "vault" / ".config" / "app.json").read_text() == "{}"
        assert (files / "sample.txt").is_file()
    assert not work.exists()


def test_arguments_of_a_row_that_fit_no_other_machine_are_replaced(tmp_path: Path) -> None:
    package(tmp_path, "@s/pack", bin="a.js")
    extras = Extras({"it": Extra(("<dir>",), replace=True)})
    start = prepare(entry(arguments=("/srv/vault",)), extras, tmp_path, tmp_path)
    assert start.argv[1:] == (str(tmp_path / "files"),)


def test_versions_of_what_was_installed(tmp_path: Path) -> None:
    package(tmp_path, "@s/pack", bin="a.js")
    package(tmp_path, "@modelcontextprotocol/sdk")
    assert installed_version(entry(), tmp_path) == "1.2.3"
    assert describe_sdk(entry(), tmp_path) == "node: @modelcontextprotocol/sdk 1.2.3"
    held = tmp_path / "venv" / "lib" / "python3" / "site-packages" / "My_Pack-4.5.dist-info"
    held.mkdir(parents=True)
    (held / "METADATA").write_text("Metadata-Version: 2.1\nName: My_Pack\nVersion: 4.5\n")
    python = Entry("it", Registry.PYPI, "my.pack", "", None, (), ())
    assert installed_version(python, tmp_path) == "4.5"
    assert describe_sdk(python, tmp_path) == "python: bundled/unknown"
