"""Each rule has a page; its bad blocks fire the rule, its good ones do not."""

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_check_core.model.finding import Finding
from mcp_check_core.report.pages import PageBlock, check_page, page_blocks, page_of
from mcp_stdio_guard.engine.offers import offer_versions
from mcp_stdio_guard.plan import Plan, RequestPlan
from mcp_stdio_guard.registry import OF_A_RUN, OF_ALL_RUNS, OF_OFFERS, RULES
from tools.stdio_guard.tests.harness import QUICK, connector, gather, replay

PACKAGE = "mcp_stdio_guard"
SLOW_RULES = {"slow-startup": replace(QUICK, startup_s=15.0)}
BLOCKS = [
    pytest.param(rule.slug, block, id=f"{rule.slug}-{block.section.lower()}-{number}")
    for rule in RULES
    for number, block in enumerate(page_blocks(page_of(PACKAGE, rule)))
]


def command(block: PageBlock, folder: Path) -> list[str]:
    """Write what a block holds and give the command that starts it."""
    if block.kind == "source":
        return shlex.split(block.text)
    if block.kind == "server":
        path = folder / "server.py"
        path.write_text(block.text, "utf-8")
        return [sys.executable, "-E", str(path)]
    path = folder / "wire.jsonl"
    lines = block.text
    if block.kind == "tools":
        lines = "\n".join(
            (
                '{"sent": {"id": 2, "method": "tools/list"}}',
                json.dumps({"received": {"jsonrpc": "2.0", "id": 2, "result": {"tools": json.loads(lines)}}}),
            )
        )
    path.write_text(lines, "utf-8")
    return replay(path)


async def found(slug: str, argv: Sequence[str]) -> set[str]:
    """Judge what a command shows with the blocks that the rule is in; give the codes found."""
    limits = SLOW_RULES.get(slug, QUICK)
    if slug.startswith("version-"):
        offers = await offer_versions(connector(argv, limits))
        assert offers is not None
        judged = list(OF_OFFERS.judge(offers))
    else:
        asked = (RequestPlan("notes/read"),) if slug.startswith("operation-") else ()
        plan = Plan(requests=asked, watch_s=0.0)
        runs = [await gather(argv, plan, limits)]
        judged = [judgement for block in OF_A_RUN for judgement in block.judge(runs[0])]
        if slug.startswith("repeat-"):
            runs.append(await gather(argv, plan, limits, number=2))
            judged += OF_ALL_RUNS.judge(runs)
    return {one.rule_id.partition("/")[2] for one in judged if isinstance(one, Finding)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_page_is_well_formed(rule: object) -> None:
    assert check_page(page_of(PACKAGE, rule)) == []  # type: ignore[arg-type]


def test_there_is_no_page_without_a_rule() -> None:
    folder = Path(__file__).parents[1] / "src" / PACKAGE / "rules"
    assert {path.stem for path in folder.glob("*.md")} == {rule.slug for rule in RULES}


@pytest.mark.anyio
@pytest.mark.parametrize(("slug", "block"), BLOCKS)
async def test_block(slug: str, block: PageBlock, tmp_path: Path) -> None:
    codes = await found(slug, command(block, tmp_path))
    if block.section == "Bad":
        assert slug in codes
    else:
        assert codes == set()
