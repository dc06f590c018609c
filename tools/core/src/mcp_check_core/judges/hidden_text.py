"""Judge whether a text of a server's metadata hides something or steers the model against its user."""

import base64
import binascii
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import islice

from mcp_check_core.judges.confusables import is_homoglyph_name, latin_skeleton
from mcp_check_core.judges.folding import fold, is_invisible
from mcp_check_core.judges.hidden_characters import hidden_runs
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Severity

_FINDINGS_A_KIND = 5
"""Places of one kind that are reported for one text; `count` says how many there were."""
_CONTEXT = 60
_EXCERPT = 240
_CALM_WINDOW = 120
_COMMENT = re.compile(r"(?<!`)<!--")
"""One in a code span is shown as it is."""
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{28,}={0,2}")
_ENCODED_READ = 4_000
_ENCODED_TRIES = 50
_WORDS = re.compile(r"[A-Za-z]{2,20} [A-Za-z]{1,20} [A-Za-z]{2,20}")


class HiddenKind(StrEnum):
    """What is hidden, or how the text steers."""

    TAG_CHARACTERS = "tag-characters"
    BIDI_CONTROL = "bidi-control"
    ZERO_WIDTH = "zero-width"
    VARIATION_SELECTORS = "variation-selectors"
    HTML_COMMENT = "html-comment"
    HIDDEN_MARKUP = "hidden-markup"
    ANSI_ESCAPE = "ansi-escape"
    PADDING = "padding"
    CREDENTIAL_FILE = "credential-file"
    CONCEALMENT = "concealment"
    OVERRIDE = "override"
    HOMOGLYPH_NAME = "homoglyph-name"
    ENCODED_TEXT = "encoded-text"


@dataclass(frozen=True, slots=True)
class HiddenText:
    """One place: `excerpt` is what stands around it, hidden characters written as `<U+200B>`.

    `decoded` is what hidden or encoded characters say, None where they say nothing. `start` counts characters
    of the text for what is found in it as it is, None for a phrase, which is found in its folded form.
    `count`: so many places of this kind and severity the text has.
    """

    kind: HiddenKind
    severity: Severity
    excerpt: str
    decoded: str | None = None
    start: int | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class _Place:
    kind: HiddenKind
    severity: Severity
    start: int
    end: int
    decoded: str | None = None
    in_folded: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """A steering phrase of the data file, with samples that must and must not match."""

    kind: HiddenKind
    severity: Severity
    expression: re.Pattern[str]
    calmed: re.Pattern[str] | None
    match: tuple[str, ...]
    miss: tuple[str, ...]


def judge_text(text: str) -> tuple[HiddenText, ...]:
    """List what a text hides and how it steers, the worst first. Linear in the text."""
    folded = latin_folded(text)
    places = [*_characters(text), *_comments(text), *_phrases(folded), *_encoded(text)]
    groups: dict[tuple[HiddenKind, Severity], list[_Place]] = {}
    for place in places:
        groups.setdefault((place.kind, place.severity), []).append(place)
    found = [
        HiddenText(
            kind=place.kind,
            severity=place.severity,
            excerpt=_around(folded if place.in_folded else text, place.start, place.end),
            decoded=cut_text(make_visible(place.decoded), _EXCERPT) if place.decoded else None,
            start=None if place.in_folded else place.start,
            count=len(group),
        )
        for group in groups.values()
        for place in group[:_FINDINGS_A_KIND]
    ]
    return tuple(sorted(found, key=lambda one: one.severity.rank))


def judge_name(name: str) -> tuple[HiddenText, ...]:
    """Judge the name of a tool: all of the above, and letters that look like others."""
    found = list(judge_text(name))
    if is_homoglyph_name(name):
        shown = cut_text(make_visible(name[:_EXCERPT]), _EXCERPT)
        looks_like = fold(latin_skeleton(name[:_EXCERPT]), _EXCERPT)
        found.append(HiddenText(HiddenKind.HOMOGLYPH_NAME, Severity.WARNING, shown, looks_like, 0))
    return tuple(sorted(found, key=lambda one: one.severity.rank))


def make_visible(text: str) -> str:
    """Write characters that cannot be seen as their code points."""
    return "".join(
        f"<U+{ord(each):04X}>" if is_invisible(each) or not (each.isprintable() or each in "\n\t") else each
        for each in text
    )


def _characters(text: str) -> Iterator[_Place]:
    for run in hidden_runs(text):
        yield _Place(HiddenKind(run.kind), run.severity, run.start, run.end, run.decoded)


def _comments(text: str) -> Iterator[_Place]:
    for found in _COMMENT.finditer(text):
        yield _Place(HiddenKind.HTML_COMMENT, Severity.WARNING, found.start(), found.start() + _EXCERPT)


def _phrases(folded: str) -> Iterator[_Place]:
    credential_read = False
    for phrase in phrases():
        if credential_read and phrase.kind is HiddenKind.CREDENTIAL_FILE:
            continue
        for found in phrase.expression.finditer(folded):
            severity = phrase.severity
            if phrase.calmed and phrase.calmed.search(folded, found.end(), found.end() + _CALM_WINDOW):
                severity = max(severity, Severity.WARNING, key=lambda each: each.rank)
            credential_read = credential_read or phrase.kind is HiddenKind.CREDENTIAL_FILE
            yield _Place(phrase.kind, severity, found.start(), found.end(), in_folded=True)


def latin_folded(text: str) -> str:
    """Fold a text for phrases: look-alikes are Latin, and one line break within a sentence is a space."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", fold(latin_skeleton(text), len(text)))


def _encoded(text: str) -> Iterator[_Place]:
    """Yield texts in base64 that read as words; a hint at most, since data is encoded for honest reasons."""
    for found in islice(_ENCODED.finditer(text), _ENCODED_TRIES):
        decoded = _decode(found.group()[:_ENCODED_READ])
        if decoded is not None:
            yield _Place(HiddenKind.ENCODED_TEXT, Severity.INFO, found.start(), found.end(), decoded)


def _decode(piece: str) -> str | None:
    body = piece.rstrip("=").replace("-", "+").replace("_", "/")
    whole = body[: len(body) - len(body) % 4] if len(body) % 4 == 1 else body + "=" * (-len(body) % 4)
    try:
        text = base64.b64decode(whole, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return text if text.isprintable() and _WORDS.search(text) else None


def _around(text: str, start: int, end: int) -> str:
    shown = text[max(0, start - _CONTEXT) : min(end, start + _EXCERPT) + _CONTEXT]
    return cut_text(make_visible(" ".join(shown.split(" "))), _EXCERPT + 2 * _CONTEXT)


@cache
def phrases() -> tuple[Phrase, ...]:
    """Read the phrases in the order of the data file."""
    text = files(__package__).joinpath("data/hidden/phrases.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return tuple(
        Phrase(
            kind=HiddenKind(entry["kind"]),
            severity=Severity(entry["severity"]),
            expression=re.compile(_fill(entry["expression"], data["parts"])),
            calmed=re.compile(entry["calmed"]) if entry["calmed"] else None,
            match=tuple(entry["match"]),
            miss=tuple(entry["miss"]),
        )
        for entry in data["phrase"]
    )


def _fill(expression: str, parts: dict[str, str]) -> str:
    for name, part in parts.items():
        expression = expression.replace(f"{{{name}}}", part)
    return expression
