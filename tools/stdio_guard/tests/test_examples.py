"""The examples of the rules, on pages and as cases, run as far as each rule needs."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import PageBlock
from mcp_stdio_guard.engine.offers import offer_versions
from mcp_stdio_guard.plan import Plan, RequestPlan
from mcp_stdio_guard.registry import OF_A_RUN, OF_ALL_RUNS, OF_OFFERS
from tests.rules.block_commands import server_command
from tests.rules.examples import examples_test
from tools.stdio_guard.tests.harness import QUICK, connector, gather

SLOW = {"slow-startup": replace(QUICK, startup_s=15.0)}


def fired(rule: Rule, block: PageBlock, folder: Path) -> set[str]:
    """Give the ids of the rules that find something; a block of source is a command line."""
    argv = shlex.split(block.text) if block.kind == "source" else server_command(block, folder)
    return anyio.run(_found, rule.slug, argv)


async def _found(slug: str, argv: Sequence[str]) -> set[str]:
    limits = SLOW.get(slug, QUICK)
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
    return {one.rule_id for one in judged if isinstance(one, Finding)}


test_example = examples_test("guard", fired)
