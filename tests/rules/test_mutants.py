"""What is changed in a module, and that a change is found out or shown."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts.mutation import campaign, cli
from scripts.mutation.mutants import Mutant, difference, mutants_of
from scripts.mutation.settings import SETTINGS, SettingsError, read_settings
from scripts.rulebook.homes import ROOT, Home

RULE = '''
from mcp_check_core.model.finding import Category, Severity
from mcp_check_core.model.rule import Rule

RULE = Rule(id="toy/odd", title="An odd number", severity=Severity.ERROR, category=Category.RELIABILITY)


def check(numbers):
    """Give the odd numbers above two."""
    return [number for number in numbers if number % 2 and number > 2]
'''
TESTS = """
from toy.rules import odd


def test_odd():
    assert odd.check([1, 2, 3, 4]) == [3]
    assert odd.RULE.severity == "error"
"""
ENDLESS = '''
def check(numbers):
    """Give the third number of four."""
    while not numbers:
        numbers = [0, 0, 3, 0]
    return numbers[2:3]
'''
TOY = Home("toy", "tools/toy", "toy")
ALIVE = "number > 2 -> number >= 2"


def changes(source: str) -> list[tuple[str, str]]:
    return [(mutant.was, mutant.now) for mutant in mutants_of(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if a:\n    b()\n", ["(not a)"]),
        ("if not a:\n    b()\n", ["a"]),
        ("x = b if a else c\n", ["(not a)"]),
        ("while a():\n    b()\n", ["(not a())"]),
        ("x = [b for b in c if b]\n", ["(not b)"]),
        ("x = a and b\n", ["a", "(not a)", "b", "(not b)"]),
        ('x = a or "b"\n', ["a", "(not a)", '"b"']),
        ("x = a == 1\n", ["a != 1"]),
        ("x = a is None\n", ["a is not None"]),
        ("x = a < 1\n", ["a <= 1"]),
        ("if a < 1:\n    b()\n", ["a >= 1", "a <= 1"]),
        ("x = 0 < a < 9\n", ["0 <= a < 9", "0 < a <= 9"]),
        ("x = a in (B, C)\n", ["a not in (B, C)", "a in (C,)", "a in (B,)"]),
        ("x = any(a)\n", ["all"]),
        ("x = Severity.ERROR\n", ["Severity.WARNING"]),
        ("match a:\n    case 1 | 2 if b:\n        c()\n", ["2", "1", "(not b)"]),
        ("if TYPE_CHECKING:\n    x = a and b\n", []),
        ("x = a + b\n", []),
    ],
)
def test_what_is_changed(source: str, expected: list[str]) -> None:
    made = mutants_of(source)
    assert sorted(mutant.now for mutant in made) == sorted(expected)
    for mutant in made:
        compile(mutant.text, "mutant", "exec")
        assert mutant.text != source


def test_brackets_keep_the_meaning() -> None:
    texts = [mutant.text for mutant in mutants_of("x = (a or b) and not (c and d)\n")]
    assert "x = (not (a or b)) and not (c and d)\n" in texts
    assert "x = (a or b) and (c and d)\n" in texts
    assert len(texts) == len(set(texts))


def test_a_mutant_says_where_it_is() -> None:
    (mutant,) = mutants_of("class A:\n    def f(self):\n        if self.a:\n            return 1\n")
    assert (mutant.line, mutant.within) == (3, "A.f")
    shown = difference("class A:\n", Mutant("class B:\n", 1, "", "A", "B"), "a.py")
    assert shown.splitlines()[-2:] == ["-class A:", "+class B:"]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a root with one tool of one rule, a test that tells most mutants, and the settings."""
    rules = tmp_path / TOY.rules
    rules.mkdir(parents=True)
    (rules.parent / "__init__.py").write_text("", "utf-8")
    (rules / "__init__.py").write_text("", "utf-8")
    (rules / "odd.py").write_text(RULE, "utf-8")
    tests = tmp_path / "tools" / "toy" / "tests"
    tests.mkdir()
    (tests / "test_odd.py").write_text(TESTS, "utf-8")
    (tmp_path / "scripts").mkdir()
    settings(tmp_path)
    monkeypatch.setattr(campaign, "declared", lambda home: {"toy/odd": "toy.rules.odd"})
    monkeypatch.setattr(cli, "home_of", {"toy": TOY}.__getitem__)
    return tmp_path


def settings(root: Path, *, was: str = "", now: str = "") -> None:
    """Write the settings; the mutant that is given is allowed."""
    text = '[tests.toy]\nstages = [["tools/toy/tests/test_odd.py"]]\n'
    if was:
        file = (TOY.rules / "odd.py").as_posix()
        text += (
            f'[[allowed]]\nfile = "{file}"\nwithin = "check"\nwas = "{was}"\nnow = "{now}"\nreason = "even"\n'
        )
    (root / SETTINGS).write_text(text, "utf-8")


def mutate(root: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = cli.main(["--tool", "toy", "--jobs", "1", *words], root)
    out, err = capsys.readouterr()
    return code, out + err


def row(text: str) -> Sequence[str]:
    """Give the sums: mutants, killed, out of time, allowed, alive, known from before."""
    (line,) = (line for line in text.splitlines() if line.startswith("all "))
    return line.split()[1:]


def test_a_survivor_is_shown_kept_and_may_be_allowed(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (toy / TOY.rules / "odd.py").read_text("utf-8")
    code, text = mutate(toy, capsys)
    assert code == 1
    assert row(text) == ["7", "6", "0", "0", "1", "0"]
    assert f"tools/toy/src/toy/rules/odd.py:10: {ALIVE}" in text
    assert "+    return [number for number in numbers if number % 2 and number >= 2]" in text
    assert (toy / TOY.rules / "odd.py").read_text("utf-8") == before

    was, _, now = ALIVE.partition(" -> ")
    settings(toy, was=was, now=now)
    code, text = mutate(toy, capsys)
    assert (code, row(text)) == (0, ["7", "6", "0", "1", "0", "7"])

    settings(toy, was=was, now="number < 2")
    code, text = mutate(toy, capsys)
    assert code == 1
    assert f"no longer needed in {SETTINGS.as_posix()}: " in text


def test_a_changed_test_is_asked_again(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def known(*words: str) -> str:
        return row(mutate(toy, capsys, "--sample", "1", "--seed", "5", *words)[1])[-1]

    assert (known(), known()) == ("0", "1")
    path = toy / "tools" / "toy" / "tests" / "test_odd.py"
    path.write_text(TESTS.replace("[1, 2, 3, 4]", "[1, 2, 3, 4, 5]").replace("[3]", "[3, 5]"), "utf-8")
    assert (known(), known(), known("--fresh")) == ("0", "1", "0")


def test_a_mutant_that_does_not_end_is_ended(
    toy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "_AT_LEAST_S", 1.0)
    monkeypatch.setattr(campaign, "_SLOWER", 1.0)
    (toy / TOY.rules / "odd.py").write_text(ENDLESS, "utf-8")
    (toy / "tools" / "toy" / "tests" / "test_odd.py").write_text(TESTS.rpartition("    assert")[0], "utf-8")
    code, text = mutate(toy, capsys)
    assert (code, row(text)[:3]) == (0, ["1", "0", "1"])
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(toy) not in left


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--rule", "even"), "has no rule 'even'"),
        (("--tool", "other"), "names no tests for other"),
    ],
)
def test_what_cannot_be_tried_is_told(
    words: tuple[str, ...], problem: str, toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = mutate(toy, capsys, *words)
    assert code == 2
    assert problem in text


def test_tests_that_fail_on_the_code_itself_judge_nothing(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (toy / "tools" / "toy" / "tests" / "test_odd.py").write_text(f"{TESTS}    assert False\n", "utf-8")
    code, text = mutate(toy, capsys)
    assert code == 2
    assert "tools/toy/tests/test_odd.py fails on the code as it is" in text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[tests.toy]\nstages = [["tests/none.py"]]\n', "names tests/none.py, which does not exist"),
        ('[tests]\n[[allowed]]\nfile = "a"\n', "an entry of `allowed`"),
        (
            '[tests]\n[[allowed]]\nfile = "a"\nwithin = ""\nwas = "b"\nnow = "c"\nreason = " "\n',
            "has no reason",
        ),
    ],
)
def test_settings_that_cannot_be_used_are_refused(text: str, problem: str, toy: Path) -> None:
    (toy / SETTINGS).write_text(text, "utf-8")
    with pytest.raises(SettingsError, match=problem):
        read_settings(toy)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("tool", list(read_settings(ROOT).stages))
def test_a_sample_of_the_mutants_of_a_tool_is_told(tool: str) -> None:
    command = [sys.executable, "scripts/mutate_rules.py", "--tool", tool, "--sample", "6", "--jobs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
