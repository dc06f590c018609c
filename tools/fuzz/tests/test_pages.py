"""The page of each rule: its form, and its examples, which are run."""

from importlib.resources import files

import pytest

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import PageBlock, check_page, page_blocks, page_of
from mcp_fuzz.registry import RULES

from .conftest import Fuzz, found

LIMITS = ("--startup-timeout", "10s")
SHORT = ("--timeout", "300ms")
"""For the server that does not answer; the others may take their time."""


def block(rule: Rule, section: str) -> PageBlock:
    (only,) = [block for block in page_blocks(page_of("mcp_fuzz", rule)) if block.section == section]
    return only


def test_rules_and_pages_agree() -> None:
    folder = files("mcp_fuzz").joinpath("rules")
    pages = {page.name for page in folder.iterdir() if page.name.endswith(".md")}
    assert pages == {f"{rule.slug}.md" for rule in RULES if rule.id.startswith("fuzz/")}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_the_form_of_a_page(rule: Rule) -> None:
    assert check_page(page_of("mcp_fuzz", rule)) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_the_bad_example_fires_and_the_good_one_does_not(rule: Rule, fuzz: Fuzz) -> None:
    limits = (*LIMITS, *SHORT) if rule.id == "fuzz/timeout" else LIMITS
    bad = fuzz(block(rule, "Bad").text, *limits)
    assert rule.id in {name.partition("@")[0] for name in found(bad)}
    good = fuzz(block(rule, "Good").text, *LIMITS)
    assert found(good, info=True) == set()
    assert good["status"] == "pass"
