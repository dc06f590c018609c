"""What the text of an error shows: a validation message, an unhandled exception, nothing at all.

The samples behind these patterns are the messages of the SDKs and frameworks that servers are built on
(Python SDK 1 and 2, fastmcp 2 to 4, TypeScript SDK 1 and 2, pydantic, zod, ajv, Go, Rust, C# and Java ones).
Each pattern is bounded, so that reading is linear in the text.
"""

import re
from collections.abc import Iterable
from enum import StrEnum

from mcp_check_core.judges.error_help import judge_error_text
from mcp_check_core.model.json_value import Json

READ_CHARACTERS = 20_000
"""Characters at the start of an error text that are read for signs."""


class Sign(StrEnum):
    """What an error text shows; `stack` is a printed one, `exception` the words of one alone."""

    STACK = "stack"
    VALIDATION = "validation"
    EXCEPTION = "exception"
    HIDDEN = "hidden"


_DUMP = re.compile(
    r"""traceback\ \(most\ recent\ call\ last\)
    |^\s{0,40}File\ "[^"\n]{1,300}",\ line\ \d+
    |^\s{0,40}at\ [^\n]{0,300}[:(][^\n]{1,300}:\d+:\d+\)?\s*$
    |^\s{0,40}at\ [\w.$<>]{1,200}\([\w$]{1,100}\.java:\d+\)
    |^\s{0,40}at\ [\w.<>`]{1,200}\([^)\n]{0,300}\)\ in\ [^\n]{1,300}:line\ \d+
    |^goroutine\ \d+\ \[|thread\ '[^'\n]{0,100}'\ (?:\(\d+\)\ )?panicked\ at""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_VALIDATION = re.compile(
    r"""\d+\ validation\ errors?\ for\ |input\ validation\ error|\[type=\w{1,60},\ input_value=
    |invalid\ arguments\ for\ tool|invalid\ arguments:\ |invalid\ (?:request\ )?param(?:eter)?s
    |'[^'\n]{0,200}'\ is\ a\ required\ property|\ is\ not\ of\ types?\ '|is\ not\ valid\ under\ any\ of\ the
    |"code"\s*:\s*"(?:invalid_|too_|unrecognized_keys|custom)|invalid\ input:\ expected
    |expected\ \w{1,30},\ received\ |invalid\ type:\ [^\n]{1,200}expected
    |must\ have\ required\ propert
    |must\ be\ (?:a\ |an\ |of\ type\ )?(?:string|number|integer|boolean|object|array|list)
    |(?:missing|required)\ (?:required\ )?(?:argument|parameter|property|field|input)
    |missing\ field\ `|unknown\ field\ `|failed\ to\ deserialize
    |cannot\ unmarshal|unmarshal(?:ling)?\ (?:error|type)
    |(?:argument|parameter|property|field)\ ['"`]?[\w.\[\]-]{1,100}['"`]?\ (?:is\ (?:missing|required)|must\ )
    |cannot\ deserialize\ value\ of\ type|json\ value\ could\ not\ be\ converted
    |schema\ validation|does\ not\ match\ (?:the\ )?(?:input\ ?)?schema""",
    re.IGNORECASE | re.VERBOSE,
)
_ACCIDENT = re.compile(
    r"""cannot\ read\ propert(?:y|ies)\ |cannot\ set\ propert(?:y|ies)\ of\ |cannot\ destructure\ property
    |(?:undefined|null)\ is\ not\ (?:an\ object|a\ function|iterable)|\w\ is\ not\ a\ function\b
    |\w\ is\ not\ iterable\b|(?:\b|^)ReferenceError:|\ is\ not\ defined\b
    |'\w{1,100}'\ object\ (?:has\ no\ attribute|is\ not\ (?:subscriptable|iterable|callable))
    |object\ of\ type\ '\w{1,100}'\ has\ no\ len|unsupported\ operand\ type
    |can\ only\ concatenate\ \w{1,30}\ \(not\ |(?:list|string|tuple)\ indices\ must\ be
    |\b(?:list|string|tuple)\ index\ out\ of\ range|not\ supported\ between\ instances\ of
    |\b(?:Attribute|Index|Name|UnboundLocal|ZeroDivision|Recursion|Assertion)Error\b
    |\bKeyError:|NullPointerException|NullReferenceException|ClassCastException|IndexOutOfRangeException
    |object\ reference\ not\ set\ to\ an\ instance|invalid\ memory\ address\ or\ nil\ pointer
    |maximum\ call\ stack\ size|maximum\ recursion\ depth|I/O\ operation\ on\ closed\ file
    |\bdivision\ by\ zero
    |runtime\ error:\ |interface\ conversion:\ interface|called\ `\w{1,30}::unwrap\(\)`""",
    re.IGNORECASE | re.VERBOSE,
)
_HIDDEN = re.compile(
    r"""(?:mcp\ error\ -?\d+:\ )?(?:error:\ )?
    (?:error\ (?:executing|calling)\ tool\ .{1,200}?
    |an\ error\ occurred\ invoking\ '[^'\n]{1,200}'
    |an?\ (?:unexpected\ |unknown\ |internal\ )?(?:server\ )?error\ (?:has\ )?occurred
    |unexpected\ error|unknown\ error|internal(?:\ server)?\ error|something\ went\ wrong)[.!]?""",
    re.IGNORECASE | re.VERBOSE,
)
_UNFINISHED = re.compile(
    r"(?:mcp error -?\d+: )?(?:an? )?(?:error|failed|failure|exception|unable|could not|cannot)\b"
    r"(?![^:]{0,160}\b(?:following|one of|these|either)\b)[^:\n]{0,160}:\s*(?:none|null|undefined)?",
    re.IGNORECASE,
)
"""An error whose reason was to follow a colon, and did not."""
_OWN_FAULT = re.compile(
    r"\b(?:unexpected|unknown|internal|unhandled|uncaught)\ (?:server\ )?(?:error|exception)\b",
    re.IGNORECASE | re.VERBOSE,
)
"""The words with which a text lays an error to the server itself."""
_PREFIX = re.compile(r"\A(?:mcp error -?\d{1,6}:|error:|\s){1,4}", re.IGNORECASE)
_REFUSAL = re.compile(
    r"""\Ainvalid\ |\binvalid\ (?:arguments?|param|input|values?|ur[li]|path|name|id|key|option|date|query)
    |\bthere\ (?:is|are)\ no\ |\bno\ \w{1,40}\ (?:with|of|by|named|for|matche[sd])\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that refuse without saying what is expected."""


def read_sign(text: str) -> Sign | None:
    """Read what an error text shows, None where it is an error like any other.

    A printed stack is seen first, since it may end in a validation message; then validation, then the words
    of an exception.
    """
    head = text[:READ_CHARACTERS]
    if _DUMP.search(head):
        return Sign.STACK
    if _VALIDATION.search(head):
        return Sign.VALIDATION
    if _ACCIDENT.search(head):
        return Sign.EXCEPTION
    return Sign.HIDDEN if _is_hidden(head) else None


def refuses(text: str, *, names: Iterable[str] = (), values: Iterable[Json] = ()) -> bool:
    """Whether a text refuses a call in words: it says what is expected, or names what was sent.

    `names` are those of the parameters under test, `values` what was sent. The bare key of a KeyError, and a
    text that lays the error to the server itself, refuse nothing.
    """
    said = _PREFIX.sub("", text[:READ_CHARACTERS]).strip()
    if not said or _OWN_FAULT.search(said) or (said[0] == said[-1] == "'" and said.count("'") == 2):
        return False
    return _REFUSAL.search(said) is not None or judge_error_text(said, names=names, values=values).guides


def _is_hidden(text: str) -> bool:
    """Whether the text says no more than that something failed: nothing follows the tool's name."""
    line = text.strip()
    if len(line) > 400 or "\n" in line:
        return False
    if _UNFINISHED.fullmatch(line):
        return True
    if not _HIDDEN.fullmatch(line):
        return False
    _, colon, rest = line.removeprefix("Error:").partition(": ")
    return not colon or bool(_HIDDEN.fullmatch(rest))
