"""Judge how much an error text helps an agent that made a bad call."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import islice

from mcp_check_core.judges.folding import fold, without_invisible
from mcp_check_core.judges.stack_trace import stack_trace_at
from mcp_check_core.model.json_value import Json

_BOUND = 8_000
"""Characters of the error that are read."""
_NAMES_BOUND = 1_000
_TOKEN = re.compile(r"[\w$-]+")
_POINTED = re.compile(
    r"""['"`\[(./]([\w$-]{1,100})"""
    r"""|\b(?:at|for|parameter|argument|field|property|option|input|value|key)\s+([\w$-]{1,100})"""
    r"""|([\w$-]{1,100})(?=\s?[:=])"""
    r"""|^\s*([\w$-]{1,100})\s*$""",
    re.MULTILINE | re.IGNORECASE,
)
_CODE = re.compile(r"-?\d+|[^\w]+")


class HelpGrade(StrEnum):
    """From the most to the least help."""

    HELPFUL = "helpful"
    PARTIAL = "partial"
    VAGUE = "vague"
    OPAQUE = "opaque"
    STACK_TRACE = "stack-trace"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class ErrorHelp:
    """A grade and why: `reasons` are short clauses for a message."""

    grade: HelpGrade
    reasons: tuple[str, ...]

    @property
    def guides(self) -> bool:
        """Whether the text names the input or what is expected."""
        return self.grade in {HelpGrade.HELPFUL, HelpGrade.PARTIAL}


def judge_error_text(text: str, *, names: Iterable[str] = (), values: Iterable[Json] = ()) -> ErrorHelp:
    """Grade an error text.

    `names`: what was wrong in the call (parameters, an unknown tool or argument); `values`: the bad values
    that were sent. Helpful: the text names the input and what is expected. Partial: one of both. Vague: it
    says something else. Opaque: nothing but that the call failed.
    """
    read = without_invisible(text[:_BOUND]).strip()
    if not read:
        return ErrorHelp(HelpGrade.EMPTY, ("it is empty",))
    if stack_trace_at(read) is not None:
        return ErrorHelp(HelpGrade.STACK_TRACE, ("it is a stack trace",))
    kept = tuple(islice(names, _NAMES_BOUND))
    names_input = _names_input(read, kept) or _names_value(read, tuple(islice(values, _NAMES_BOUND)))
    says_expected = _texts().expected.search(fold(read, _BOUND)) is not None
    reasons = (
        "it names the input" if names_input else "it does not name the input",
        "it says what is expected" if says_expected else "it does not say what is expected",
    )
    if names_input and says_expected:
        return ErrorHelp(HelpGrade.HELPFUL, reasons)
    if _is_generic(read):
        return ErrorHelp(HelpGrade.OPAQUE, ("it says nothing but that it failed",))
    if names_input or says_expected:
        return ErrorHelp(HelpGrade.PARTIAL, reasons)
    return ErrorHelp(HelpGrade.VAGUE, reasons)


def _names_input(text: str, names: tuple[str, ...]) -> bool:
    """Whether a name stands in the text: as a word, a short one quoted, before a colon or alone in a line."""
    words = {token.casefold() for token in _TOKEN.findall(text)}
    pointed = {group.casefold() for found in _POINTED.findall(text) for group in found if group}
    for name in names:
        folded = name.casefold()
        if folded in pointed or (len(folded) > 3 and folded in words):
            return True
    return False


def _names_value(text: str, values: tuple[Json, ...]) -> bool:
    for value in values:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            shown = str(value)[:200]
            if len(shown) > 3 and shown in text:
                return True
            if shown and any(f"{mark}{shown}{mark}" in text for mark in "'\"`"):
                return True
    return False


def _is_generic(text: str) -> bool:
    """Whether nothing is left of the text without generic phrases, codes and one tool name behind them."""
    folded = fold(text, _BOUND)
    if len(folded) > 200:
        return False
    return _texts().generic.fullmatch(folded) is not None or _CODE.fullmatch(folded) is not None


@dataclass(frozen=True, slots=True)
class _Texts:
    expected: re.Pattern[str]
    generic: re.Pattern[str]


@cache
def _texts() -> _Texts:
    data = tomllib.loads(files(__package__).joinpath("data/error_help.toml").read_text(encoding="utf-8"))
    phrase = f"(?:{'|'.join(data['generic'])})"
    generic = rf"(?:{phrase}|[\s:.!,;()\[\]-]|-?\d{{1,6}}){{1,40}}(?:'?[\w.$-]{{1,128}}'?)?[.!]?"
    return _Texts(expected=re.compile("|".join(data["expected"])), generic=re.compile(generic))
