"""What the blocks of rules say of built facts, for the tests of single conditions."""

from collections.abc import Iterator
from typing import Any

from mcp_check_core.model.finding import Finding
from mcp_stdio_guard.rules.declare import Abstention, Block
from tools.stdio_guard.tests.built import findings


def one(block: Block[Any], facts: object) -> Finding:
    """Give the only finding."""
    (finding,) = findings(block, facts)
    return finding


def told(block: Block[Any], facts: object) -> set[tuple[str, str | None, str]]:
    """Give code, kind and severity of each finding."""
    return {(one.rule_id.partition("/")[2], one.kind, one.severity.value) for one in findings(block, facts)}


def reasons(block: Block[Any], facts: object) -> dict[str, str]:
    """Give the reason of each rule that abstained."""
    return {one.rule.partition("/")[2]: one.reason for one in _abstentions(block, facts)}


def codes_of(block: Block[Any]) -> set[str]:
    """Give the codes of a block."""
    return {declared.rule.slug for declared in block.declared}


def _abstentions(block: Block[Any], facts: object) -> Iterator[Abstention]:
    return (judged for judged in block.judge(facts) if isinstance(judged, Abstention))
