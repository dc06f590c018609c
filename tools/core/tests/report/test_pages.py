import sys
from pathlib import Path

import pytest

from mcp_check_core.model.finding import Category, Severity
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import (
    SECTIONS,
    PageBlock,
    UnknownRule,
    check_page,
    explain,
    find_rule,
    page_blocks,
    page_of,
)
from tools.core.tests.report.builders import CRASH, RULES

PAGE = """\
## What it flags

A server that dies.

## Why it matters

It is gone.

## Bad

```python server
raise SystemExit(1)
```

````json tools
["```", "## Bad"]
````

## Good

```go source
package main
```

## When it is wrong

Never, says `this`:

```text
x
```

## References

The specification.
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "package_with_pages" / "rules"
    folder.mkdir(parents=True)
    folder.parent.joinpath("__init__.py").touch()
    folder.joinpath("crash.md").write_text(PAGE, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "package_with_pages", raising=False)
    return "package_with_pages"


def test_a_page_is_read_from_its_package(package: str) -> None:
    assert page_of(package, CRASH) == PAGE


def test_a_page_that_is_missing_is_an_error(package: str) -> None:
    with pytest.raises(FileNotFoundError):
        page_of(package, RULES[1])


def test_the_page_of_a_core_rule_lies_in_core(package: str) -> None:
    rule = Rule("core/no-connection", "t", Severity.ERROR, Category.RELIABILITY)
    assert check_page(page_of(package, rule)) == []


@pytest.mark.parametrize("name", ["fuzz/crash", "crash", " CRASH ", "Fuzz/Crash"])
def test_a_rule_is_explained_by_id_or_slug(package: str, name: str) -> None:
    text = explain(package, RULES, name)
    head = "# fuzz/crash: The server dies\n\nSeverity error · category reliability · since 2.0.0\n"
    assert text.startswith(f"{head}\n## What it flags\n")
    assert text.endswith("The specification.\n")


def test_the_head_names_kinds_and_weaknesses(tmp_path: Path, package: str) -> None:
    rule = Rule("x/crash", "T", Severity.INFO, Category.SECURITY, kinds=("a", "b"), cwe=(78, 88))
    head = explain(package, [rule], "crash").splitlines()[2]
    assert head == "Severity info · category security · since 2.0.0 · kinds a, b · CWE-78, CWE-88"


@pytest.mark.parametrize("name", ["fuzz/crush", "crahs", "fuzz/crash2"])
def test_an_unknown_rule_is_told_with_what_is_near(name: str) -> None:
    with pytest.raises(UnknownRule, match=r"There is no rule .* Near to it: .*fuzz/crash"):
        find_rule(RULES, name)


def test_an_unknown_rule_with_nothing_near_is_told_briefly() -> None:
    with pytest.raises(UnknownRule, match="There are 3, none with a name like it") as caught:
        find_rule(RULES, "z" * 100_000)
    assert len(str(caught.value)) < 400


def test_a_good_page_has_no_problems() -> None:
    assert check_page(PAGE) == []


def test_blocks_of_a_page_are_listed_with_their_kind() -> None:
    blocks = page_blocks(PAGE)
    assert blocks[0] == PageBlock("Bad", "python server", "raise SystemExit(1)\n")
    assert [(block.section, block.kind, block.language) for block in blocks] == [
        ("Bad", "server", "python"),
        ("Bad", "tools", "json"),
        ("Good", "source", "go"),
        ("When it is wrong", None, "text"),
    ]
    assert blocks[1].text == '["```", "## Bad"]\n'


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_that_is_missing_twice_or_empty_is_told(section: str) -> None:
    assert any("the sections are" in problem for problem in check_page(PAGE.replace(f"## {section}\n", "")))
    assert any("the sections are" in problem for problem in check_page(f"{PAGE}\n## {section}\n\nx\n"))
    start = PAGE.index(f"## {section}\n") + len(f"## {section}\n")
    end = PAGE.find("\n## ", start) if "\n## " in PAGE[start:] else len(PAGE)
    end = PAGE.index("\n## Good", start) if section == "Bad" else end
    assert f"section {section!r} is empty" in check_page(PAGE[:start] + PAGE[end:])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## What it flags", "# Title\n\n## What it flags", "text stands before the first section"),
        ("## References", "## Sources", "the sections are"),
        ("```python server", "```python", "a block in section 'Bad' is fenced 'python'"),
        ("```go source", "```go", "section 'Good' has no block that is run"),
        ("```go source", "```go  source", "a block in section 'Good' is fenced"),
        ("The specification.", "```text\nx", "a fenced block is never closed"),
    ],
)
def test_what_is_wrong_with_a_page_is_told(old: str, new: str, problem: str) -> None:
    problems = check_page(PAGE.replace(old, new))
    assert any(text.startswith(problem) for text in problems), problems


def test_sections_out_of_order_are_told() -> None:
    bad, good = PAGE.index("## Bad"), PAGE.index("## Good")
    wrong = PAGE.index("## When")
    assert check_page(PAGE[:bad] + PAGE[good:wrong] + PAGE[bad:good] + PAGE[wrong:])


@pytest.mark.parametrize(
    ("info", "kind"),
    [
        ("python server", "server"),
        ("json tools", "tools"),
        ("jsonl wire", "wire"),
        ("python source", "source"),
        ("c# source", "source"),
        ("node server", None),
        ("json wire", None),
        ("source", None),
        ("", None),
    ],
)
def test_four_kinds_of_blocks_are_run(info: str, kind: str | None) -> None:
    assert PageBlock("Bad", info, "").kind == kind
