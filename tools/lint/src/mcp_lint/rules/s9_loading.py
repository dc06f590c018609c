"""S9: a strict client cannot load a definition, and often no other of the server either."""

from collections.abc import Iterator

from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.rules.declare import Judged, Judgement
from mcp_lint.rules.loading.entries import judge_entries
from mcp_lint.rules.loading.rule import RULE
from mcp_lint.rules.loading.schemas import judge_schemas


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the list, its entries, and the schemas of each."""
    yield from judge_entries(definitions)
    for tool in definitions.tools:
        yield from judge_schemas(tool, definitions.protocol)


JUDGED = Judged(RULE, judge, of_server=True)
