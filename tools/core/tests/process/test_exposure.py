"""What of a hidden home is shown for a command line."""

from pathlib import Path

import pytest

from mcp_check_core.process.exposure import exposed, program_chain


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with tools, caches and keys."""
    home = tmp_path / "home"
    for name in (
        ".ssh",
        ".pyenv/versions/3/bin",
        "code/server",
        ".cache/uv/x",
        ".cache/other",
        ".local/share/keys",
    ):
        (home / name).mkdir(parents=True)
    (home / ".pyenv/versions/3/bin/python").touch()
    return home


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("{home}/code/server/main.py", ["code"]),
        ("--root={home}/code/server", ["code"]),
        ("/usr/bin:{home}/.pyenv/versions/3/bin:/bin", [".pyenv"]),
        ("~/code", ["code"]),
        ("{home}/.cache/uv/x/bin/tool", [".cache/uv"]),
        ("{home}/code/../.pyenv", [".pyenv"]),
        ("{home}", []),
        ("{home}/missing/file", []),
        ("{home}beside/code", []),
        ("code", []),
        ("", []),
        ("a\0b", []),
    ],
)
def test_what_a_word_leads_to(home: Path, word: str, shown: list[str]) -> None:
    assert exposed([word.format(home=home)], home) == [home / name for name in shown]


def test_links_are_followed_from_hop_to_hop(home: Path, tmp_path: Path) -> None:
    (home / "code" / "link").symlink_to(home / ".pyenv" / "versions" / "3")
    (tmp_path / "outside").symlink_to(home / "code" / "link")
    assert exposed([str(tmp_path / "outside")], home) == [home / ".pyenv", home / "code"]


def test_a_loop_of_links_ends(home: Path, tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert exposed([str(tmp_path / "one")], home) == []


def test_interpreters_of_scripts_are_found(home: Path, tmp_path: Path) -> None:
    python = home / ".pyenv/versions/3/bin/python"
    python.chmod(0o755)
    direct, by_env = tmp_path / "direct", tmp_path / "by-env"
    direct.write_text(f"#!{python} -I\n")
    by_env.write_text("#!/usr/bin/env -S python -I\n")
    for script in (direct, by_env):
        script.chmod(0o755)
    env = {"PATH": str(python.parent)}
    assert program_chain((str(direct),), env, tmp_path) == [str(direct), str(python), str(python)]
    assert program_chain(("./by-env",), env, tmp_path)[-1] == str(python)
    assert program_chain(("nothing-of-this-name",), env, tmp_path) == []
