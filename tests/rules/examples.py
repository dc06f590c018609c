"""The examples of each rule: the blocks of its page, and the files of its folder of cases.

A case is a file `tests/rules/<slug>/fires-<what>` or `silent-<what>` of a tool, with an ending that says
which kind of block it is: `.server.py`, `.tools.json`, `.wire.jsonl`, or `.source` and the ending of a
language.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import PageBlock, page_blocks, page_of
from scripts.rulebook.homes import ROOT, Home, announced, home_of

Fired = Callable[[Rule, PageBlock, Path], set[str]]
"""How a tool judges a block: gives the ids of all rules that find something in it.

Files go into the given folder. The rule whose example it is may choose options, never the answer.
"""
_ENDINGS = {".server.py": "python server", ".tools.json": "json tools", ".wire.jsonl": "jsonl wire"}
_LANGUAGES = {
    "py": "python",
    "js": "javascript",
    "ts": "typescript",
    "go": "go",
    "rs": "rust",
    "java": "java",
    "kt": "kotlin",
    "cs": "c#",
    "rb": "ruby",
    "php": "php",
    "swift": "swift",
    "sh": "sh",
}


@dataclass(frozen=True)
class Example:
    """A block, the rule that it is about, the tool that judges it, and whether the rule must fire.

    `alone`: where the rule must not fire, no other may either.
    """

    tool: Home
    rule: Rule
    name: str
    block: PageBlock
    fires: bool
    alone: bool

    @property
    def label(self) -> str:
        """Name a parametrised test by its example."""
        return f"{self.tool.short}-{self.rule.slug}-{self.name}"


def examples_test(short: str, fired: Fired) -> Callable[..., None]:
    """Make the test of a tool's examples: the bad ones fire their rule, the good ones do not.

    `tests/test_examples.py` of each tool assigns it to `test_example`.
    """

    @pytest.mark.parametrize("example", list(examples(home_of(short))), ids=lambda example: example.label)
    def run(example: Example, tmp_path: Path) -> None:
        found = fired(example.rule, example.block, tmp_path)
        if example.fires:
            assert example.rule.id in found, (
                f"{example.rule.id} does not fire on its example, {sorted(found)} do"
            )
        elif example.alone:
            assert found == set()
        else:
            assert example.rule.id not in found

    return run


def examples(tool: Home) -> Iterator[Example]:
    """Give the examples of each rule that a tool announces. Raises FileNotFoundError without its page."""
    for rule in announced(tool):
        yield from _of_page(tool, rule)
        yield from _of_cases(tool, rule)


def read_case(path: Path) -> PageBlock:
    """Read a case as a block. Raises ValueError for a name that says no kind."""
    section = {"fires": "Bad", "silent": "Good"}.get(path.name.partition("-")[0])
    stem, _, suffix = path.name.rpartition(".")
    info = next((kind for ending, kind in _ENDINGS.items() if path.name.endswith(ending)), "")
    if stem.endswith(".source") and suffix in _LANGUAGES:
        info = f"{_LANGUAGES[suffix]} source"
    if section is None or not info:
        raise ValueError(
            f"{path.name} is no name of a case: fires-… or silent-… and {', '.join(_ENDINGS)}, …"
        )
    return PageBlock(section, info, path.read_text("utf-8"))


def case_files(home: Home, slug: str) -> list[Path]:
    """List the cases of a rule; none where it has no folder of them."""
    folder = ROOT / home.cases / slug
    return sorted(path for path in folder.glob("*") if path.is_file())


def _of_page(tool: Home, rule: Rule) -> Iterator[Example]:
    for number, block in enumerate(page_blocks(page_of(tool.package, rule)), start=1):
        if block.section in ("Bad", "Good"):
            fires = block.section == "Bad"
            yield Example(tool, rule, f"{block.section.lower()}-{number}", block, fires, alone=True)


def _of_cases(tool: Home, rule: Rule) -> Iterator[Example]:
    home = home_of(rule.id.partition("/")[0])
    for path in case_files(home, rule.slug):
        block = read_case(path)
        yield Example(tool, rule, path.name, block, block.section == "Bad", alone=False)
