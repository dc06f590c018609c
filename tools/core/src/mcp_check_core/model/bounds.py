"""Cuts that keep what a stranger sent within a stated size."""

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp_check_core.model.json_value import Json

TEXT_BOUND = 400
"""Characters of one quoted text in evidence."""
ITEM_BOUND = 20
"""Items of one array, or members of one object, in evidence."""
DEPTH_BOUND = 8
"""Levels of nesting in evidence."""
TOTAL_BOUND = 8_000
"""Characters of one quoted value in evidence, with ten for each item and member."""
_NAME_BOUND = 120
_COST = 10


def cut_text(text: str, bound: int = TEXT_BOUND) -> str:
    """Shorten a text to `bound` characters and say in it how long it was."""
    if len(text) <= bound:
        return text
    return f"{text[:bound]}… [first {bound} of {len(text)} characters]"


def cut_bytes(data: bytes, bound: int = TEXT_BOUND) -> str:
    """Decode the first `bound` bytes, bad ones replaced, and say how many there were.

    A character that the cut would halve is left out.
    """
    if len(data) <= bound:
        return data.decode("utf-8", "replace")
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(data[:bound])
    return f"{text}… [first {bound} of {len(data)} bytes]"


def cut_tail(data: bytes, bound: int, total: int | None = None) -> str:
    """Decode the last `bound` bytes, bad ones replaced; where that is a part, say so and of how many.

    `total` is how many bytes there were, if `data` itself is only their end.
    """
    whole = len(data) if total is None else total
    if whole <= bound:
        return data.decode("utf-8", "replace")
    part = data[len(data) - bound :] if len(data) > bound else data
    start = next((at for at in range(min(3, len(part))) if part[at] & 0xC0 != 0x80), 0)
    return f"[last {len(part)} of {whole} bytes] …{part[start:].decode('utf-8', 'replace')}"


def cut_end(text: str, bound: int = TEXT_BOUND, lines: int = 1_000) -> str:
    """Keep the end of a text, at most `bound` characters and `lines` lines, and say in it what is missing.

    Whole lines are kept where one fits; blank ends are dropped.
    """
    body = text.rstrip()
    whole = body.splitlines()
    kept = whole[-lines:]
    while len(kept) > 1 and sum(map(len, kept)) + len(kept) - 1 > bound:
        kept = kept[1:]
    last = "\n".join(kept)
    if len(last) > bound:
        return f"[last {bound} of {len(body)} characters] …{last[-bound:]}"
    if len(kept) == len(whole):
        return last
    return f"[last {len(kept)} of {len(whole)} lines]\n{last}"


def cut_value(
    value: object, *, text: int = TEXT_BOUND, items: int = ITEM_BOUND, depth: int = DEPTH_BOUND
) -> Json:
    """Shorten a JSON value in every direction: texts, arrays, objects, nesting, and in all.

    What is left out is named in place, so that a reader never takes a part for the whole.
    """
    return _Cut(text, items, TOTAL_BOUND).value(value, depth)


@dataclass(slots=True)
class _Cut:
    """One cut through a value; `room` is how many characters are left for the rest of it."""

    text: int
    items: int
    room: int

    def value(self, value: object, depth: int) -> Json:
        if value is None or isinstance(value, bool | float):
            return value
        if isinstance(value, int):
            return _cut_integer(value)
        if isinstance(value, Mapping):
            return self._object(value, depth)
        if isinstance(value, Sequence) and not isinstance(value, str | bytes):
            return self._array(value, depth)
        return self._quoted(value if isinstance(value, str) else str(value), self.text)

    def _quoted(self, text: str, bound: int) -> str:
        cut = cut_text(text, bound)
        self.room -= len(cut)
        return cut

    def _array(self, value: Sequence[object], depth: int) -> Json:
        if depth == 0:
            return f"… [array of {len(value)}, nested too deep to show]"
        kept: list[Json] = []
        for item in value:
            if len(kept) == self.items or self.room <= 0:
                kept.append(f"… [first {len(kept)} of {len(value)} items]")
                break
            self.room -= _COST
            kept.append(self.value(item, depth - 1))
        return kept

    def _object(self, value: Mapping[object, object], depth: int) -> Json:
        if depth == 0:
            return f"… [object of {len(value)} members, nested too deep to show]"
        kept: dict[str, Json] = {}
        for position, (name, member) in enumerate(value.items()):
            if position == self.items or self.room <= 0:
                kept["…"] = f"[first {position} of {len(value)} members]"
                break
            self.room -= _COST
            kept[_free(self._quoted(str(name), _NAME_BOUND), kept)] = self.value(member, depth - 1)
        return kept


def _cut_integer(value: int) -> Json:
    """Keep an integer, but write one of more than 64 bits as a text."""
    if -(2**63) <= value < 2**64:
        return value
    bits = value.bit_length()
    return str(value) if bits <= 512 else f"integer of {bits} bits"


def _free(name: str, taken: Mapping[str, Json]) -> str:
    """Return the name, with a number where another name was cut to the same text."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free
