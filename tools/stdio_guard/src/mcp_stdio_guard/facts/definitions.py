"""What of a run is compared with other runs, free of order."""

import hashlib
from collections import Counter

from mcp_check_core.model.json_value import canonical_json
from mcp_check_core.model.tool import ToolDefinition
from mcp_stdio_guard.facts.run import TOOLS_LIST, RunFacts


def tool_counts(run: RunFacts) -> Counter[str] | None:
    """Count the tools by name; None where they were not all listed."""
    listing = run.listing(TOOLS_LIST)
    return Counter(tool.label for tool in run.tools) if listing is not None and listing.complete else None


def definition_digests(run: RunFacts) -> dict[str, str] | None:
    """Give a digest for each name; of tools that share one, over all their definitions in any order."""
    if tool_counts(run) is None:
        return None
    by_name: dict[str, list[str]] = {}
    for tool in run.tools:
        by_name.setdefault(tool.label, []).append(_digest(tool))
    return {name: found[0] if len(found) == 1 else " ".join(sorted(found)) for name, found in by_name.items()}


def list_counts(run: RunFacts) -> dict[str, int]:
    """Count the items of each list but that of tools, as far as it was read whole."""
    return {
        listing.method: len(listing.items)
        for listing in run.lists
        if listing.complete and listing.method != TOOLS_LIST
    }


def _digest(tool: ToolDefinition) -> str:
    return hashlib.sha256(canonical_json(tool.raw)).hexdigest()[:16]
