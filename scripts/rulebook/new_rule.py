"""The command line of the scaffold: what is made of a new rule, and what is left to its author."""

import argparse
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from scripts.rulebook.homes import CORE, HOMES, ROOT, home_of
from scripts.rulebook.scaffold import BLANK, NewRule, NoRuleError, blocks, checked, files

_OK, _UNUSABLE = 0, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Make the files of one rule; the exit code is 2 where that cannot be done."""
    options = _parser().parse_args(argv)
    try:
        rule = checked(NewRule(home_of(options.tool), options.slug, options.join), ROOT)
        made = files(rule, ROOT)
    except NoRuleError as problem:
        print(f"new_rule: {problem}", file=sys.stderr)
        return _UNUSABLE
    for name in made:
        verb = "would be " if options.dry_run else ""
        print(f"{verb}{'changed' if (ROOT / name).exists() else 'made'}: {name.as_posix()}")
    if not options.dry_run:
        for name, text in made.items():
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(text, "utf-8", newline="\n")
        _tidied(
            name for name in made if name.suffix == ".py" and not name.name.startswith(("fires-", "silent-"))
        )
        if rule.join is None and rule.home is not CORE:
            _made_again()
    print(_advice(rule))
    return _OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="new_rule.py", description="Make module, page, cases and test of a new rule."
    )
    parser.add_argument("tool", choices=[home.short for home in HOMES], help="the tool, or core")
    parser.add_argument("slug", help="the problem, not the cure: stdout-banner")
    parser.add_argument("--join", metavar="MODULE", help="declare it in this module of rules, beside others")
    parser.add_argument("--dry-run", action="store_true", help="say what would be made, and make nothing")
    return parser


def _tidied(names: Iterable[Path]) -> None:
    """Sort imports and format. Raises CalledProcessError."""
    paths = [str(ROOT / name) for name in names]
    for words in (("check", "--quiet", "--select", "I", "--fix"), ("format", "--quiet")):
        command = [sys.executable, "-m", "ruff", *words, "--config", str(ROOT / "pyproject.toml"), *paths]
        subprocess.run(command, check=True)


def _made_again() -> None:
    """Write the index and the schemas with the new rule, in a process that reads the new registry."""
    subprocess.run([sys.executable, str(ROOT / "scripts" / "rules_index.py")], check=True)


def _advice(rule: NewRule) -> str:
    lines = [
        f"Now write what is marked {BLANK!r}, and run `make test ARGS='tests/rules {rule.home.folder}'`."
    ]
    if rule.home is CORE:
        lines.append(
            "A rule of core counts once a tool announces it: put its RULE into the registry of each."
        )
    elif rule.join is not None:
        lines.append(
            f"Declare {rule.id} in {rule.home.rules.as_posix()}/{rule.join}.py, then `make rules-index`."
        )
    elif rule.home.template == "block":
        lines.append(f"If it reads what others read, join them with --join MODULE; {blocks(rule.home)}")
    judge = f"{rule.home.folder}/tests/test_examples.py"
    if not (ROOT / judge).is_file() and rule.home is not CORE:
        lines.append(f"{judge} is missing; `examples_test` in tests/rules/examples.py says what it holds.")
    return "\n".join(lines)
