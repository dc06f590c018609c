"""Wordings of refusals, errors and placeholders, read from one data file a language."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mcp_check_core.judges.folding import fold

LANGUAGES = ("common", "en", "es", "fr", "de", "pt", "zh", "ja")
HEAD = 900
"""Characters of an answer that wordings are looked for in."""
START = 200
"""A refusal has to start within so many characters."""
_SENTENCE_END = re.compile(r"[.!?](?: |\n\n?)|[。]\n{0,2}|,\n\n")
_LEADING = re.compile(r"[^\w\"'“”«»‹›„‘’「」『』(\[<#|>{\\/—–+=@$%-]*")  # noqa: RUF001 - quotation marks
_EMPHASIS = re.compile(r"\*\*|__")
_END = r"[.!。…]{0,3}"


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording: `expression` is matched where `place` says; samples that must and must not match."""

    id: str
    language: str
    kind: str
    place: str
    heuristic: bool
    expression: re.Pattern[str]
    match: tuple[str, ...]
    miss: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A wording that was found; `start` counts in the folded head."""

    wording: Wording
    start: int


def fold_head(text: str) -> str:
    """Fold the beginning of an answer, without the marks and emphasis that stand before its first word."""
    folded = _EMPHASIS.sub("", fold(text, HEAD))
    return folded[_leading(folded) :]


def search(head: str, *, whole: bool) -> Iterator[Hit]:
    """Yield the wordings in a folded head. `whole` says that the head is all of the answer."""
    starts = tuple(_starts(head))
    for wording in wordings():
        if wording.place == "whole":
            if whole and wording.expression.fullmatch(head):
                yield Hit(wording, 0)
            continue
        places = starts if wording.place in {"sentence", "opened"} else (0,)
        for start in places:
            if wording.expression.match(head, start):
                yield Hit(wording, start)
                break


def _leading(folded: str) -> int:
    found = _LEADING.match(folded)
    return found.end() if found else 0


def _starts(head: str) -> Iterator[int]:
    """Yield where sentences of the opening start, up to a line break that does not end a sentence."""
    yield 0
    for end in _SENTENCE_END.finditer(head, 0, START):
        before = head[: end.start()]
        if "\n" in before.replace(",\n\n", "").strip() and "\n\n" not in before:
            return
        yield end.end()


@cache
def wordings() -> tuple[Wording, ...]:
    """Read all languages, in the order of `LANGUAGES`."""
    return tuple(wording for language in LANGUAGES for wording in _language(language))


def _language(language: str) -> Iterator[Wording]:
    text = files(__package__).joinpath(f"data/disguise/{language}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    parts = _parts(data.get("parts", {}))
    opening, closing = data["opening"], data["closing"]
    opened = f"(?:(?:{'|'.join(opening['any']) or '(?!)'}){opening['joint']})"
    closed = f"(?: ?(?:{'|'.join(closing['any']) or '(?!)'}){_END})"
    for entry in data["pattern"]:
        core = _fill(entry["expression"], parts)
        yield Wording(
            id=entry["id"],
            language=language,
            kind=entry["kind"],
            place=entry["place"],
            heuristic=entry.get("certainty") == "heuristic",
            expression=re.compile(_placed(entry["place"], core, opened, closed)),
            match=tuple(entry["match"]),
            miss=tuple(entry["miss"]),
        )


def _placed(place: str, core: str, opened: str, closed: str) -> str:
    match place:
        case "opened":
            return f"{opened}{{1,3}}(?:{core})"
        case "sentence":
            return f"{opened}{{0,3}}(?:{core})"
        case "whole":
            return rf"{opened}{{0,3}}(?:error ?: ?)?(?:{core}){_END}(?:\n{{0,2}}{closed}){{0,2}}"
        case _:
            return core


def _parts(data: dict[str, Any]) -> dict[str, str]:
    return {name: str(expression) for name, expression in data.items()}


def _fill(expression: str, parts: dict[str, str]) -> str:
    """Put the parts in; a part may name another."""
    for _ in range(2):
        for name, part in parts.items():
            expression = expression.replace(f"{{{name}}}", part)
    return expression
