"""S6: the definitions take much of a model's context before anything is asked."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Severity
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.tokens import CHARACTERS_A_TOKEN, estimate_tokens
from mcp_lint.rules.declare import PROVEN, Judged, Judgement, declare

MANY_TOKENS = 10_000
TOO_MANY_TOKENS = 25_000
_COSTLIEST = 5

RULE = declare(
    "S6",
    "The definitions take much of the model's context",
    Severity.ERROR,
    Category.EFFICIENCY,
    references=("dbt-labs/dbt-mcp issue 178",),
)


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the size of all definitions together."""
    costs = {tool.label: estimate_tokens(tool.raw) for tool in definitions.tools}
    total = sum(costs.values())
    if total <= MANY_TOKENS:
        return
    severe = total > TOO_MANY_TOKENS
    costliest = sorted(costs.items(), key=lambda cost: (-cost[1], cost[0]))[:_COSTLIEST]
    share = ", ".join(f"{label} {tokens:,}" for label, tokens in costliest)
    yield RULE.finding(
        f"All {len(costs)} definitions together take about {total:,} tokens of every session, "
        f"over {TOO_MANY_TOKENS if severe else MANY_TOKENS:,}.",
        severity=Severity.ERROR if severe else Severity.WARNING,
        hint=f"Shorten the costliest first ({share}), or serve fewer tools by default.",
        evidence={
            "tokens": total,
            "charactersPerToken": CHARACTERS_A_TOKEN,
            "costliest": [{"tool": label, "tokens": tokens} for label, tokens in costliest],
        },
        certainty=PROVEN,
    )


JUDGED = Judged(RULE, judge)
