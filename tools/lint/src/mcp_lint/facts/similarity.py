"""How alike names and descriptions of tools are: TF-IDF, and an index of what is worth comparing."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.verbs import GETTING, deed_of
from mcp_lint.facts.words import name_parts

_WORD = re.compile(r"[^\W\d_]{2,30}|[0-9]{1,4}|[\u3040-\u30ff\u4e00-\u9fff]")
_READ = 4_000
"""Characters of a description that are compared."""
_NEIGHBOURS = 12
"""Of many tools under one term, each is compared with so many that follow it by name."""
_MANY = 6
"""Names from which on a part that most have tells nothing."""
_STOP = frozenset(
    {
        "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "for", "from", "has", "if",
        "in", "into", "is", "it", "its", "not", "of", "on", "or", "that", "the", "their", "them",
        "then", "this", "to", "tool", "use", "used", "using", "when", "which", "will", "with",
        "you", "your",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Profile:
    """What is compared of a tool: the parts of its name, what its description speaks of, its weighted terms.

    `sequence` is the name in order. The weights of `terms` make a vector of length 1.
    """

    sequence: tuple[str, ...]
    name: frozenset[str]
    spoken: frozenset[str]
    terms: Mapping[str, float]


def profiles(tools: Sequence[ToolDefinition]) -> list[Profile]:
    """Weigh the terms of each tool by how rare they are among the tools of the server."""
    names = [tuple(map(_stem, name_parts(tool.name or ""))) for tool in tools]
    common = _common(names)
    spoken = [_spoken(tool) for tool in tools]
    counts = [Counter((*name, *said)) for name, said in zip(names, spoken, strict=True)]
    spread = Counter(term for each in counts for term in each)
    rarity = {term: 1 + math.log((1 + len(tools)) / (1 + count)) for term, count in spread.items()}
    made = []
    for name, said, each in zip(names, spoken, counts, strict=True):
        weights = {term: (1 + math.log(count)) * rarity[term] for term, count in each.items()}
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        parts = name[name[:1] in common : len(name) - (name[-1:] in common)]
        parts = tuple("get" if part in GETTING else part for part in parts)
        terms = {term: weight / length for term, weight in weights.items()}
        made.append(Profile(parts, frozenset(parts), frozenset(said), terms))
    return made


def cosine(one: Profile, other: Profile) -> float:
    """Compare the texts of two tools: 0 for nothing in common, 1 for the same words."""
    few, many = sorted((one.terms, other.terms), key=len)
    return sum(weight * many.get(term, 0.0) for term, weight in few.items())


def affinity(one: Profile, other: Profile) -> float:
    """Compare the names of two tools: the parts that they share, of all parts of both."""
    shared = len(one.name & other.name)
    together = len(one.name) + len(other.name) - shared
    return shared / together if together else 0.0


def refines(one: Profile, other: Profile) -> bool:
    """Whether one name is the other with at most one word more, which is no verb."""
    few, many = sorted((one.name, other.name), key=len)
    more = many - few - _STOP
    return few <= many and len(more) <= 1 and all(deed_of(word) is None for word in more)


def told_apart(one: Profile, other: Profile) -> bool:
    """Whether each tool speaks of a part of its own name of which the other speaks nowhere.

    So is a pair that goes two ways, `km_to_miles` and `miles_to_km`.
    """
    if one.name == other.name:
        return one.sequence != other.sequence and "to" in one.name
    mine = (one.name - other.name) & one.spoken
    theirs = (other.name - one.name) & other.spoken
    return bool(mine - other.terms.keys()) and bool(theirs - one.terms.keys())


def candidates(made: Sequence[Profile], order: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the pairs whose names share a part or whose texts are the same, each once, the lower place first.

    Where very many do, each is taken with its next neighbours in `order` alone, so that the work stays
    near-linear.
    """
    index: dict[str | frozenset[str], list[int]] = defaultdict(list)
    for place, profile in enumerate(made):
        keys: list[str | frozenset[str]] = [*sorted(profile.name), profile.spoken]
        for key in keys:
            index[key].append(place)
    seen: set[tuple[int, int]] = set()
    for alike in index.values():
        places = sorted(alike, key=lambda place: (order[place], place))
        for at, place in enumerate(places):
            for other in places[at + 1 : at + 1 + _NEIGHBOURS]:
                pair = (min(place, other), max(place, other))
                if pair not in seen:
                    seen.add(pair)
                    yield pair


def _common(names: Sequence[tuple[str, ...]]) -> frozenset[tuple[str, ...]]:
    """Give what more than half of many names begin or end with, a prefix or a version; verbs stay."""
    if len(names) < _MANY:
        return frozenset()
    counts = Counter(end for name in names for end in {name[:1], name[-1:]} if len(name) > 1)
    usual = {end for end, count in counts.items() if 2 * count > len(names)}
    return frozenset(end for end in usual if deed_of(end[0]) is None)


def _spoken(tool: ToolDefinition) -> list[str]:
    text = (tool.description or "")[:_READ].lower()
    return [_stem(word) for word in _WORD.findall(text) if word not in _STOP]


def _stem(word: str) -> str:
    """Take the plural off a word."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
