"""Characters that a model reads and a person does not see: tags, direction controls, zero widths."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from mcp_check_core.model.finding import Severity

_RUNS = re.compile(
    "(?P<tag>[\U000e0000-\U000e007f]+)"
    "|(?P<bidi>[\u202a-\u202e\u2066-\u2069])"
    "|(?P<zero>[\u200b-\u200f\u2060-\u2065\ufeff\u180e\u00ad\u034f\u115f\u1160\u3164\uffa0\u061c]+)"
    "|(?P<selector>[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,})"
    "|(?P<escape>\x1b[^\n]?|\x9b)"
    "|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c-\x9f]+)"
    "|(?P<padding>[ \t\u00a0\u2000-\u200a\u3000]{200,}+|[\r\n]{100,}+)"
)
_FLAG_TAGS = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")
_JOINERS = frozenset("\u200c\u200d")
_MARKS = frozenset("\u200e\u200f\u061c")
_JOINING_SCRIPTS = (
    "ARABIC", "SYRIAC", "MONGOLIAN", "NKO", "HEBREW", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN",
    "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA",
    "MALAYALAM", "SINHALA", "BALINESE", "JAVANESE",
)  # fmt: skip
_WIDE = " " * 200
_BITS_MIN = 16
"""Zero-width characters in a run that are read as bits."""
_NEAR = 40
_READ = 4_000
"""Characters of one run that are decoded."""


@dataclass(frozen=True, slots=True)
class HiddenRun:
    """A run of hidden characters: where it stands, and what it says where it can be decoded."""

    kind: str
    severity: Severity
    start: int
    end: int
    decoded: str | None = None


def hidden_runs(text: str) -> Iterator[HiddenRun]:
    """Yield the runs in their order; linear in the text."""
    if text.isascii() and text.isprintable() and _WIDE not in text:
        return
    for found in _RUNS.finditer(text):
        run = _judge(text, found)
        if run is not None:
            yield run


def _judge(text: str, found: re.Match[str]) -> HiddenRun | None:
    start, end, piece = found.start(), found.end(), found.group()[:_READ]
    match found.lastgroup:
        case "tag":
            if start > 0 and text[start - 1] == "\U0001f3f4" and _FLAG_TAGS.fullmatch(piece):
                return None
            return HiddenRun("tag-characters", Severity.ERROR, start, end, _decode_tags(piece))
        case "bidi":
            return HiddenRun("bidi-control", Severity.ERROR, start, end, f"U+{ord(piece):04X}")
        case "zero":
            return _judge_zero_width(text, start, end, piece)
        case "selector":
            decoded = _decode_selectors(piece)
            severity = Severity.ERROR if decoded else Severity.WARNING
            return HiddenRun("variation-selectors", severity, start, end, decoded)
        case "escape":
            return HiddenRun("ansi-escape", Severity.WARNING, start, end)
        case "control":
            return HiddenRun("ansi-escape", Severity.WARNING, start, end, f"U+{ord(piece[0]):04X}")
        case _:
            shown = text[end : end + 1].strip()
            return HiddenRun("padding", Severity.WARNING, start, end) if shown else None


def _judge_zero_width(text: str, start: int, end: int, piece: str) -> HiddenRun | None:
    decoded = _decode_bits(piece) if len(piece) >= _BITS_MIN else None
    if decoded:
        return HiddenRun("zero-width", Severity.ERROR, start, end, decoded)
    if end - start == 1 and _belongs(piece, text, start):
        return None
    return HiddenRun("zero-width", Severity.WARNING, start, end)


def _belongs(character: str, text: str, start: int) -> bool:
    """Whether a single one does its job: joins emoji, shapes or breaks words of a script that needs it."""
    if character in _MARKS:
        around = text[max(0, start - _NEAR) : start + _NEAR]
        return any(unicodedata.bidirectional(each) in {"R", "AL"} for each in around)
    before, after = text[max(0, start - 1) : start], text[start + 1 : start + 2]
    if character == "\u200d" and before and after and _is_emoji_part(before) and _is_emoji_part(after):
        return True
    if character in _JOINERS or character in "\u200b\u180e\u2060":
        return _in_joining_script(before) and _in_joining_script(after)
    return False


def _is_emoji_part(character: str) -> bool:
    return unicodedata.category(character) in {"So", "Sk", "Sm"} or character in "\ufe0f\u20e3"


def _in_joining_script(character: str) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith(_JOINING_SCRIPTS)


def _decode_tags(piece: str) -> str:
    return "".join(chr(ord(each) - 0xE0000) for each in piece if 0xE0020 <= ord(each) <= 0xE007E)


def _decode_selectors(piece: str) -> str | None:
    """Read selectors as bytes (1 to 16 are 0 to 15, the supplement goes on), if they make text."""
    data = bytes(ord(each) - 0xFE00 if each <= "\ufe0f" else ord(each) - 0xE0100 + 16 for each in piece)
    for start in (0, 1):
        decoded = _readable(data[start:])
        if decoded:
            return decoded
    return None


def _decode_bits(piece: str) -> str | None:
    """Read a run of two kinds of zero-width characters as bits of bytes, both ways round."""
    kinds = sorted(set(piece))
    if len(kinds) != 2:
        return None
    for zero in kinds:
        bits = "".join("0" if each == zero else "1" for each in piece)
        whole = len(bits) - len(bits) % 8
        decoded = _readable(bytes(int(bits[at : at + 8], 2) for at in range(0, whole, 8)))
        if decoded:
            return decoded
    return None


def _readable(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if len(text) >= 3 and all(each.isprintable() or each in "\n\t" for each in text) else None
