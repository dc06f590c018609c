"""The official servers at pinned versions: what we say of them has been read by hand and is true."""

from collections.abc import Callable

import pytest

from tests.end_to_end.running import run

GOLDEN = {
    # 13 tools to a client that declares nothing; 4 are not annotated read-only.
    "everything": ("SHIP", "MEDIUM", 69.2, 0),
    # Create, add and delete are no readers: 3 of its 9 tools may be called.
    "memory": ("SHIP", "LOW", 33.3, 0),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str, node_server: Callable[[str], list[str]]) -> None:
    ran = run("mcp-trust-check", "--json", "--", *node_server(name), limit=110)
    document = ran.document
    decision, confidence, covered, findings = GOLDEN[name]
    assert document["decision"] == decision
    assert document["confidence"]["level"] == confidence  # type: ignore[index]
    assert document["coveragePercent"] == covered
    assert len(document["findings"]) == findings  # type: ignore[arg-type]
    assert ran.left == ()
