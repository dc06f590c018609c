"""Which of the tools that are new is one that is gone under another name."""

import re
from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher

from mcp_check_core.judges.canonical import canonical_definition
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.model.tool import ToolDefinition

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_]+")
_CANDIDATES = 20
"""Gone tools that are compared with one new tool."""
_POSTINGS = 200
"""A word in more names than this says nothing."""
_NAME_ALIKE = 0.5
_DEFINITION_ALIKE = 0.7
_TELLING = 60
"""Bytes of a nameless definition above which equality is no accident."""


def find_renames(gone: Sequence[ToolDefinition], new: Sequence[ToolDefinition]) -> dict[int, int]:
    """Map places in `new` to places in `gone`: equal definitions first, then similar ones with similar names.

    Near-linear: equal definitions meet by hash, similar ones by the words of their names.
    """
    pairs = _same_definition(gone, new)
    taken = set(pairs.values())
    index: dict[str, list[int]] = defaultdict(list)
    for place, tool in enumerate(gone):
        if place not in taken:
            for word in _name_words(tool):
                index[word].append(place)
    words = [_text_words(tool) for tool in gone]
    for place, tool in enumerate(new):
        if place in pairs:
            continue
        found = _most_alike(tool, gone, words, _candidates(tool, index, taken))
        if found is not None:
            pairs[place] = found
            taken.add(found)
    return pairs


def _same_definition(gone: Sequence[ToolDefinition], new: Sequence[ToolDefinition]) -> dict[int, int]:
    by_body: dict[bytes, list[int]] = defaultdict(list)
    for place, tool in enumerate(gone):
        by_body[_body(tool)].append(place)
    pairs: dict[int, int] = {}
    for place, tool in enumerate(new):
        body = _body(tool)
        waiting = by_body.get(body, [])[:_CANDIDATES]
        if not waiting:
            continue
        best = max(waiting, key=lambda other: _name_likeness(tool, gone[other]))
        if len(body) >= _TELLING or _name_likeness(tool, gone[best]) >= _NAME_ALIKE:
            pairs[place] = best
            by_body[body].remove(best)
    return pairs


def _candidates(tool: ToolDefinition, index: dict[str, list[int]], taken: set[int]) -> list[int]:
    shared: dict[int, int] = defaultdict(int)
    for word in _name_words(tool):
        postings = index.get(word, [])
        if len(postings) <= _POSTINGS:
            for place in postings:
                if place not in taken:
                    shared[place] += 1
    return sorted(shared, key=lambda place: (-shared[place], place))[:_CANDIDATES]


def _most_alike(
    tool: ToolDefinition, gone: Sequence[ToolDefinition], words: Sequence[frozenset[str]], places: list[int]
) -> int | None:
    own = _text_words(tool)
    scored = [(_overlap(own, words[place]), _name_likeness(tool, gone[place]), -place) for place in places]
    fit = [score for score in scored if score[0] >= _DEFINITION_ALIKE and score[1] >= _NAME_ALIKE]
    return -max(fit)[2] if fit else None


def _body(tool: ToolDefinition) -> bytes:
    form = canonical_definition(tool.raw)
    body: Json = (
        {key: value for key, value in form.items() if key != "name"} if isinstance(form, dict) else form
    )
    return canonical_json(body)


def _name_likeness(left: ToolDefinition, right: ToolDefinition) -> float:
    return SequenceMatcher(
        None, left.label.casefold()[:128], right.label.casefold()[:128], autojunk=False
    ).ratio()


def _name_words(tool: ToolDefinition) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(tool.label))


def _text_words(tool: ToolDefinition) -> frozenset[str]:
    described = _WORD.findall((tool.description or "")[:4_000])
    return frozenset(word.casefold() for word in described) | {
        f"={name}" for name in list(tool.properties)[:200]
    }


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    union = len(left | right)
    return len(left & right) / union if union else 0.0
