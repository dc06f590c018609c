"""What a call asked for, as far as it bears on judging the answer."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from mcp_check_core.judges.folding import fold
from mcp_check_core.judges.shape import children
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition

_TEXT_BOUND = 4_000
"""Characters of one description or argument that are looked at."""
_ARGUMENT_BOUND = 200
"""Strings within the arguments that are looked at."""
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^a-zA-Z0-9]+")
_FILE_ARGUMENT = re.compile(r"[^\s:]+\.[a-z0-9]{1,10}")


@dataclass(frozen=True, slots=True)
class CallContext:
    """What the caller wanted.

    `about_failures`: errors, logs, tests or apologies are the subject, so their words in an answer are data.
    `document`: the folded name of the file that was asked for, None where none was.
    `fiction`: a story or poem was asked for.
    `transforms`: the caller's words come back as others.
    `reads`: the tool says, or its name says, that it reads, so nothing is no answer.
    `arguments`: the strings that the caller sent, folded.
    """

    about_failures: bool
    document: str | None
    fiction: bool
    transforms: bool
    reads: bool
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    failures: re.Pattern[str]
    failures_in_tool: re.Pattern[str]
    fiction: re.Pattern[str]
    transformation: re.Pattern[str]
    document_parameters: frozenset[str]
    listing: frozenset[str]
    reading: frozenset[str]
    writing: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Subject:
    failures: bool
    fiction: bool
    transformation: bool


def read_context(tool: ToolDefinition, arguments: Mapping[str, Json]) -> CallContext:
    """Read the tool's name and description, and the arguments of the call."""
    words = _words()
    name_words = tuple(_WORD_START.sub(" ", (tool.name or "")[:200]).casefold().split())
    subject = _subject(name_words, (tool.description or "")[:_TEXT_BOUND])
    sent = tuple(fold(text, _TEXT_BOUND) for text in _strings(arguments))
    return CallContext(
        about_failures=subject.failures or any(words.failures.search(text) for text in sent),
        document=None
        if words.listing.intersection(name_words)
        else _document(arguments, words.document_parameters),
        fiction=subject.fiction,
        transforms=subject.transformation,
        reads=_reads(tool, name_words, words),
        arguments=sent,
    )


@lru_cache(maxsize=256)
def _subject(name_words: tuple[str, ...], description: str) -> _Subject:
    """Say what a tool is about; kept for the tools that are called again and again."""
    words = _words()
    about = f"{' '.join(name_words)} {fold(description, _TEXT_BOUND)}"
    return _Subject(
        failures=words.failures_in_tool.search(about) is not None,
        fiction=words.fiction.search(about) is not None,
        transformation=words.transformation.search(about) is not None,
    )


def _reads(tool: ToolDefinition, name_words: tuple[str, ...], words: _Words) -> bool:
    hint = tool.annotations.get("readOnlyHint")
    if isinstance(hint, bool):
        return hint
    if words.writing.intersection(name_words):
        return False
    return bool(words.reading.intersection(name_words))


def _document(arguments: Mapping[str, Json], parameters: frozenset[str]) -> str | None:
    for name, value in list(arguments.items())[:_ARGUMENT_BOUND]:
        if isinstance(value, str) and name.casefold() in parameters:
            return fold(value, _TEXT_BOUND)
    for text in _strings(arguments):
        if len(text) < 400 and "/" in text and _FILE_ARGUMENT.fullmatch(text.casefold()):
            return fold(text, _TEXT_BOUND)
    return None


def _strings(value: Mapping[str, Json]) -> Iterator[str]:
    """Yield the first strings anywhere in the arguments."""
    stack: list[Json] = [dict(value)]
    seen = found = 0
    while stack and found < _ARGUMENT_BOUND and seen < 10 * _ARGUMENT_BOUND:
        item = stack.pop()
        seen += 1
        if isinstance(item, str):
            found += 1
            yield item
        elif isinstance(item, dict | list):
            stack.extend(list(children(item))[:_ARGUMENT_BOUND])


@cache
def _words() -> _Words:
    text = files(__package__).joinpath("data/disguise/context.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return _Words(
        failures=re.compile("|".join(data["failures"]["anywhere"])),
        failures_in_tool=re.compile("|".join(data["failures"]["in_tool"])),
        fiction=re.compile("|".join(data["fiction"]["in_tool"])),
        transformation=re.compile("|".join(data["transformation"]["in_tool"])),
        document_parameters=frozenset(data["document"]["parameters"]),
        listing=frozenset(data["document"]["not_in_name"]),
        reading=frozenset(data["verbs"]["reading"]),
        writing=frozenset(data["verbs"]["writing"]),
    )
