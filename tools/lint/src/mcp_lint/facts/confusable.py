"""Pairs of tools that an agent could take for one another, with the numbers that say so."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.overlap import both_take, shared_parameters
from mcp_lint.facts.similarity import affinity, candidates, cosine, profiles, refines, told_apart
from mcp_lint.facts.verbs import conflicting, verb_of

SAME_WORDS = 0.6
"""Cosine of the texts from which two tools say the same, where half of the parameters are shared."""
SAME_PARAMETERS = 0.5
NEAR_NAME = 0.45
"""Affinity of names below which the same words are those of a template."""
SAME_NAME = 0.4
"""Affinity of names; on the official filesystem server the gap between the classes is 0.33 to 0.50."""
LIKE_WORDS = 0.2
"""Cosine from which descriptions of tools with like names are like."""
LIKE_PARAMETERS = 0.3


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tools by label, in the order of the list, and how alike they are, 0 to 1 each.

    `vetoed`: their verbs say different deeds. `apart`: each name says what the other tool does not speak of.
    `refines`: one name is the other with a word more. `same_text`: their descriptions say the same.
    """

    one: str
    other: str
    words: float
    names: float
    parameters: float
    takes_both: bool
    vetoed: bool
    apart: bool
    refines: bool
    same_text: bool

    @property
    def confusable(self) -> bool:
        """Whether an agent could take one for the other."""
        if not self.takes_both or self.vetoed or self.apart:
            return False
        same_words = self.same_text or (self.words >= SAME_WORDS and self.names >= NEAR_NAME)
        if same_words and self.parameters >= SAME_PARAMETERS:
            return True
        same_name = self.refines and self.names >= SAME_NAME
        return same_name and self.words >= LIKE_WORDS and self.parameters >= LIKE_PARAMETERS


def pairs(tools: Sequence[ToolDefinition]) -> Iterator[Pair]:
    """Yield the pairs of tools whose names are at all like, confusable or not."""
    named = [tool for tool in tools if tool.name is not None]
    made = profiles(named)
    names = [tool.name or "" for tool in named]
    verbs = [verb_of(name) for name in names]
    for one, other in candidates(made, names):
        alike = affinity(made[one], made[other])
        same_text = bool(made[one].spoken) and made[one].spoken == made[other].spoken
        if names[one] == names[other] or (alike < SAME_NAME and not same_text):
            continue
        yield Pair(
            one=named[one].label,
            other=named[other].label,
            words=cosine(made[one], made[other]),
            names=alike,
            parameters=shared_parameters(named[one], named[other]),
            takes_both=both_take(named[one], named[other]),
            vetoed=conflicting(verbs[one], verbs[other]),
            apart=told_apart(made[one], made[other]),
            refines=refines(made[one], made[other]),
            same_text=same_text,
        )
