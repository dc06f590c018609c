"""All rules of guard, and the blocks in which they are judged."""

from collections.abc import Sequence

from mcp_check_core.model.rule import Rule
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.facts.versions import VersionOffer
from mcp_stdio_guard.rules import (
    capability_lists,
    drift,
    ending,
    initialize_answer,
    json_rpc_ids,
    json_rpc_messages,
    operations,
    python_buffering,
    server_messages,
    start,
    stderr_volume,
    stdout_lines,
    tool_listing,
    tool_schemas,
    version_offers,
)
from mcp_stdio_guard.rules.declare import Block, Declared

OF_A_RUN: tuple[Block[RunFacts], ...] = (
    start.BLOCK,
    initialize_answer.BLOCK,
    stdout_lines.BLOCK,
    json_rpc_messages.BLOCK,
    json_rpc_ids.BLOCK,
    server_messages.BLOCK,
    capability_lists.BLOCK,
    tool_listing.BLOCK,
    tool_schemas.BLOCK,
    operations.BLOCK,
    ending.BLOCK,
    stderr_volume.BLOCK,
    python_buffering.BLOCK,
)
"""Judged after each run."""

OF_OFFERS: Block[Sequence[VersionOffer]] = version_offers.BLOCK
OF_ALL_RUNS: Block[Sequence[RunFacts]] = drift.BLOCK

DECLARED: tuple[Declared, ...] = (
    *(declared for block in OF_A_RUN for declared in block.declared),
    *OF_OFFERS.declared,
    *OF_ALL_RUNS.declared,
)
RULES: tuple[Rule, ...] = tuple(declared.rule for declared in DECLARED)


def declared_of(rule_id: str) -> Declared:
    """Find the declaration of a rule by its id. Raises KeyError."""
    return _BY_ID[rule_id]


_BY_ID = {declared.rule.id: declared for declared in DECLARED}
