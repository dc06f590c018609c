"""Each rule has a page; its bad blocks fire the rule, its good ones fire nothing."""

import json
import re
from pathlib import Path

import pytest

from mcp_check_core.report.pages import PageBlock, check_page, page_blocks, page_of
from mcp_doctor.registry import RULES
from tools.doctor.tests.sources import check_files, slugs

PACKAGE = "mcp_doctor"
REQUIREMENT = re.compile(r"(?:#|//) requirements: (\S+) ?(.*)")
BLOCKS = [
    pytest.param(rule.slug, block, id=f"{rule.slug}-{block.section.lower()}-{number}")
    for rule in RULES
    for number, block in enumerate(page_blocks(page_of(PACKAGE, rule)))
]


def files_of(block: PageBlock) -> dict[str, str]:
    """Make the source tree that a block stands for; a first comment may give what it requires."""
    wanted = REQUIREMENT.match(block.text)
    if block.language == "python":
        manifest = {"requirements.txt": f"{wanted[1]}\n"} if wanted else {}
        return {"server.py": block.text, **manifest}
    manifest = {"package.json": json.dumps({"dependencies": {wanted[1]: wanted[2]}})} if wanted else {}
    return {"server.ts": block.text, **manifest}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_page_is_well_formed(rule: object) -> None:
    assert check_page(page_of(PACKAGE, rule)) == []  # type: ignore[arg-type]


def test_there_is_no_page_without_a_rule_and_no_rule_without_its_module() -> None:
    folder = Path(__file__).parents[1] / "src" / PACKAGE / "rules"
    assert {path.stem for path in folder.glob("*.md")} == {rule.slug for rule in RULES}
    modules = {path.stem.replace("_", "-") for path in folder.glob("*.py")} - {"--init--", "judgement"}
    assert modules == {rule.slug for rule in RULES}


@pytest.mark.parametrize(("slug", "block"), BLOCKS)
def test_block(slug: str, block: PageBlock, tmp_path: Path) -> None:
    _, report = check_files(tmp_path, files_of(block))
    assert report.coverage.tools_total == 1
    if block.section == "Bad":
        assert slug in slugs(report)
    else:
        assert slugs(report) == set()
