"""The scaffold, in a copy of the tree: what it makes is in order, and fails until it is filled in."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts.rulebook.homes import CORE, ROOT, TOOLS, Home, home_of
from scripts.rulebook.registry_edit import joined
from scripts.rulebook.scaffold import BLANK

BUILT = [tool for tool in TOOLS if (ROOT / tool.registry).is_file()]
"""The tools that have rules; the others are refused until they do."""
SLUG = "made-up-defect"
NAMES = ("tools", "scripts", "docs", "tests/rules", "tests/servers", "pyproject.toml", "conftest.py")
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*_cache", "*.egg-info", "dist", "build")


def copied(folder: Path) -> Path:
    """Copy what the scaffold and the tests of rules need."""
    for name in NAMES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def ran(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy, with the packages of that copy."""
    paths = [str(root), *map(str, sorted(root.glob("tools/*/src")))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=110
    )


def new_rule(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return ran(root, str(root / "scripts" / "new_rule.py"), *words)


def state(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "cache" not in path.as_posix()
    }


def made(home: Home) -> list[Path]:
    """List the files that a rule of a tool has."""
    room = home.rules if home is not CORE else home.source / "wire"
    ending = {"python server": "server.py", "python source": "source.py", "json tools": "tools.json"}
    example = ending.get(home.example, "wire.jsonl")
    return [
        room / "made_up_defect.py",
        home.rules / f"{SLUG}.md",
        home.cases / SLUG / f"fires-first.{example}",
        home.cases / SLUG / f"silent-first.{example}",
        home.cases / "test_made_up_defect.py",
    ]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy in which each home got a rule."""
    root = copied(tmp_path_factory.mktemp("tree"))
    for home in (CORE, *BUILT):
        done = new_rule(root, home.short, f"{SLUG}-{home.short}" if home is CORE else SLUG)
        assert done.returncode == 0, done.stderr
    for name in made(CORE):
        assert not (root / name).exists()
    return root


@pytest.mark.parametrize("tool", BUILT, ids=lambda tool: tool.short)
def test_every_place_of_a_rule_is_made(tree: Path, tool: Home) -> None:
    for name in made(tool):
        text = (tree / name).read_text("utf-8")
        assert BLANK in text or name.name.startswith(("fires-", "silent-"))
    assert "made_up_defect" in (tree / tool.registry).read_text("utf-8")
    assert f"| [{tool.short}/{SLUG}](../{(tool.rules / SLUG).as_posix()}.md) |" in (
        tree / "docs" / "rules.md"
    ).read_text("utf-8")
    if (tree / tool.source / "schema.json").is_file():
        assert f'"{tool.short}/{SLUG}"' in (tree / tool.source / "schema.json").read_text("utf-8")


def test_what_is_made_keeps_to_the_style_and_the_types(tree: Path) -> None:
    names = [str(tree / name) for tool in BUILT for name in (*made(tool), tool.registry)]
    programs = [name for name in names if name.endswith(".py") and "first" not in name]
    programs.append(str(tree / CORE.source / "wire" / "made_up_defect_core.py"))
    assert len(programs) == 3 * len(BUILT) + 1
    for command in (("check",), ("format", "--check")):
        judged = ran(tree, "-m", "ruff", *command, "--no-cache", *programs)
        assert judged.returncode == 0, judged.stdout
    typed = ran(tree, "-m", "mypy", "--cache-dir", str(tree / ".types"), *programs)
    assert typed.returncode == 0, typed.stdout


def test_the_tests_fail_until_the_author_has_written(tree: Path) -> None:
    own = [str(tool.cases / "test_made_up_defect.py") for tool in BUILT]
    judged = ran(
        tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/rules/test_consistency.py", *own
    )
    assert judged.returncode == 1, judged.stdout + judged.stderr
    assert f"fill in what is marked {BLANK!r}" in judged.stdout
    assert "a page without its rule" in judged.stdout, "the rule of core is announced by no tool"
    for tool, test in zip(BUILT, own, strict=True):
        assert str(tool.rules / "made_up_defect.py") in judged.stdout
        assert f"FAILED {test}::test_it_fires_on_the_defect_alone" in judged.stdout
    assert judged.stdout.count("facts that show the defect, what is found in them") >= len(BUILT)


@pytest.mark.parametrize("tool", [home_of("guard"), home_of("fuzz")], ids=lambda tool: tool.short)
def test_its_bad_example_does_not_fire_yet(tree: Path, tool: Home) -> None:
    tests = f"{tool.folder}/tests/test_examples.py"
    judged = ran(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests, "-k", f"{SLUG}-bad")
    assert f"{tool.short}/{SLUG} does not fire on its example" in judged.stdout, judged.stdout


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy that stays as it is."""
    return copied(tmp_path_factory.mktemp("plain"))


@pytest.mark.parametrize("home", [CORE, *BUILT], ids=lambda home: home.short)
def test_a_dry_run_changes_nothing(plain: Path, home: Home) -> None:
    before = state(plain)
    done = new_rule(plain, home.short, SLUG, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert all(f"would be made: {name.as_posix()}" in done.stdout for name in made(home))
    assert state(plain) == before


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("guard", "Stdout-Banner"), "is no slug"),
        (("guard", "stdout_banner"), "is no slug"),
        (("guard", "../up"), "is no slug"),
        (("fuzz", "x" * 51), "is no slug"),
        (("guard", "stdout-batch"), "is taken"),
        (("fuzz", "no-connection"), "is taken: fuzz or core has a rule of that name"),
        (("guard", "declare"), "rules/declare.py exists already"),
        (("guard", SLUG, "--join", "nowhere"), "there is no module 'nowhere' of rules to join"),
        (("core", SLUG, "--join", "no_connection"), "there is no module"),
    ],
)
def test_what_cannot_be_made_is_told_and_nothing_is_made(
    plain: Path, words: Sequence[str], problem: str
) -> None:
    before = state(plain)
    done = new_rule(plain, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr
    assert state(plain) == before


def test_a_rule_may_join_others(plain: Path) -> None:
    done = new_rule(plain, "guard", "stdout-banner", "--join", "stdout_lines", "--dry-run")
    assert "rules/stdout-banner.md" in done.stdout
    assert "registry.py" not in done.stdout
    assert "Declare guard/stdout-banner in tools/stdio_guard/src/mcp_stdio_guard/rules/stdout_lines.py" in (
        done.stdout
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "from a.rules import one\nGROUP = (one,)\n",
            "from a.rules import one, zero\nGROUP = (one, zero,)\n",
        ),
        (
            "from a.rules import (\n    two,\n)\nONE = (3,)\nGROUP: tuple[X, ...] = (\n    two.B,\n)\n",
            "from a.rules import two, zero\nONE = (3,)\nGROUP: tuple[X, ...] = (\n    two.B, zero.B,)\n",
        ),
    ],
)
def test_a_module_joins_a_registry_as_the_others_did(text: str, wanted: str) -> None:
    assert joined(text, "a.rules", "zero") == wanted


@pytest.mark.parametrize(
    "text",
    ["GROUP = ()\n", "from b import one\nGROUP = (one,)\n", "from a.rules import one\nGROUP = [one]\n"],
)
def test_a_registry_that_is_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(LookupError):
        joined(text, "a.rules", "zero")


def test_a_tool_without_a_registry_is_refused(plain: Path) -> None:
    (plain / "tools" / "fuzz" / "src" / "mcp_fuzz" / "registry.py").unlink()
    done = new_rule(plain, "fuzz", SLUG)
    assert done.returncode == 2
    assert "tools/fuzz/src/mcp_fuzz/registry.py is missing: fuzz has no rules yet" in done.stderr
