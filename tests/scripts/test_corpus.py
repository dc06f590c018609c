"""The index of a corpus: what its rows mean, and rows that are refused."""

from pathlib import Path

import pytest

from scripts.fieldwork.corpus import CorpusError, Entry, choose, read_index, read_rows
from scripts.fieldwork.extras import read_extras

HEAD = "name\tregistry\tpackage\tversion\tnotes\tlaunch\tenv"


def one(registry: str = "npm", package: str = "pack", version: str = "1.0", **cells: str) -> Entry:
    rest = [cells.get(column, "") for column in ("notes", "launch", "env")]
    (entry,) = read_rows([HEAD, "\t".join((cells.get("name", "it"), registry, package, version, *rest))], "i")
    return entry


def test_a_bare_row_starts_the_program_that_the_package_is_named_after() -> None:
    entry = one()
    assert (entry.command, entry.arguments, entry.variables) == (None, (), ())
    assert entry.requirements == ("pack@1.0",)
    assert entry.command_line == ("npx", "-y", "pack@1.0")


def test_a_python_package_is_pinned_as_its_client_writes_it() -> None:
    assert one("pypi").requirements == ("pack==1.0",)
    assert one("pypi").command_line == ("uvx", "--from", "pack==1.0", "pack")
    assert one("pypi", version="").requirements == ("pack",)


@pytest.mark.parametrize(
    ("launch", "command", "arguments"),
    [
        ("npx -y @a/b@1.0", None, ()),
        ("npx @a/b@1.0 --stdio <dir>", None, ("--stdio", "<dir>")),
        ("npx -y -p b@1.0 b-mcp --x", "b-mcp", ("--x",)),
        ("uvx --from b==1.0 b-mcp --db-path '<dir>/a b.db'", "b-mcp", ("--db-path", "<dir>/a b.db")),
        ("uvx b", None, ()),
    ],
)
def test_launch(launch: str, command: str | None, arguments: tuple[str, ...]) -> None:
    entry = one(launch=launch)
    assert (entry.command, entry.arguments) == (command, arguments)


def test_what_it_was_captured_with_is_asked_for_too() -> None:
    notes = "an unpinned install fails; captured with mcp<2, bibtexparser<2; lint: x"
    assert one("pypi", notes=notes).requirements == ("pack==1.0", "mcp<2", "bibtexparser<2")
    assert one("pypi", notes="captured with bin other").requirements == ("pack==1.0",)
    assert one("npm", notes=notes).requirements == ("pack@1.0",)


def test_a_row_that_was_not_run_says_why() -> None:
    assert one(notes="NOT RUN: 5.9 GB").left_out == "NOT RUN: 5.9 GB"
    assert one(notes="FAILED: no answer").left_out == ""


@pytest.mark.parametrize(
    ("cells", "named"),
    [
        ({"registry": "oci"}, "registry"),
        ({"name": "../out"}, "name"),
        ({"name": ".hidden"}, "name"),
        ({"package": "--global"}, "package"),
        ({"package": "a b"}, "package"),
        ({"version": "-1"}, "version"),
        ({"launch": "sh -c evil"}, "launch"),
        ({"launch": "npx 'unclosed"}, "launch"),
        ({"launch": "npx -p b@1.0"}, "program"),
        ({"launch": "npx -p b@1.0 ../../sh"}, "program"),
        ({"env": "A,B=C"}, "env"),
    ],
)
def test_refused(cells: dict[str, str], named: str) -> None:
    with pytest.raises(CorpusError, match=f"i, line 2: .*{named}"):
        one(**cells)


def test_two_rows_of_one_name_are_refused() -> None:
    with pytest.raises(CorpusError, match="line 3: 'a' is there twice"):
        read_rows(["name\tregistry\tpackage", "a\tnpm\ta", "a\tnpm\tb"], "i")


def test_no_index_and_a_missing_column(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        read_index(tmp_path)
    (tmp_path / "INDEX.tsv").write_text("name\tpackage\n")
    with pytest.raises(CorpusError, match="no column registry"):
        read_index(tmp_path)


def test_choose() -> None:
    entries = read_rows(["name\tregistry\tpackage", "a\tnpm\ta", "b\tnpm\tb", "c\tpypi\tc"], "i")
    assert [entry.name for entry in choose(entries, ())] == ["a", "b", "c"]
    assert [entry.name for entry in choose(entries, ("c", "a", "c"))] == ["c", "a"]
    assert [entry.name for entry in choose(entries, (), 2)] == ["a", "b"]
    with pytest.raises(CorpusError, match="no server 'd', 'e'"):
        choose(entries, ("d", "a", "e"))


def test_the_recorded_index(corpus: Path) -> None:
    entries = {entry.name: entry for entry in read_index(corpus)}
    captured = {path.stem for path in corpus.glob("*.json")}
    assert captured <= set(entries)
    assert entries["mcp-hn"].constraints == ("mcp<2",)
    assert entries["github-mcp-server"].command == "github-mcp-server-mcp"
    assert entries["mcp-server-duckdb"].arguments == ("--db-path", "<dir>/t.duckdb")
    assert {name for name, entry in entries.items() if entry.left_out} & captured == set()
    assert set(read_extras().servers) <= set(entries)


def test_made_up_values_can_be_hidden_in_reports(tmp_path: Path) -> None:
    switches = {"true", "stdio", "ERROR"}
    given = read_extras().environment(("SOME_TOKEN", "ALLOWED_DIR", "DISABLE_REMOTE"), tmp_path)
    assert given["ALLOWED_DIR"] == str(tmp_path)
    assert given["DISABLE_REMOTE"] == "true"
    assert len(given["SOME_TOKEN"]) >= 8
    assert {value for value in read_extras().values.values() if len(value) < 8} <= switches | {"<dir>"}
