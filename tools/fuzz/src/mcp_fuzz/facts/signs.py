"""What the text of an error shows: a validation message, an unhandled exception, the environment.

The samples behind these patterns are the messages of the SDKs and frameworks that servers are built on
(Python SDK 1 and 2, fastmcp 2 to 4, TypeScript SDK 1 and 2, pydantic, zod, ajv, Go, Rust, C# and Java ones).
Each pattern is bounded, so that reading is linear in the text.
"""

import re
from enum import StrEnum

READ_CHARACTERS = 20_000
"""Characters at the start of an error text that are read for signs."""


class Sign(StrEnum):
    """What an error text shows."""

    VALIDATION = "validation"
    TRACE = "trace"
    HIDDEN = "hidden"
    NETWORK = "network"
    CREDENTIAL = "credential"
    RATE_LIMIT = "rate limit"


_NETWORK = re.compile(
    r"""ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|getaddrinfo
    |name\ or\ service\ not\ known|temporary\ failure\ in\ name\ resolution|nodename\ nor\ servname
    |name\ resolution\ error|failed\ to\ resolve|no\ such\ host|could\ not\ resolve\ host
    |connection\ refused|network\ is\ unreachable|no\ route\ to\ host|max\ retries\ exceeded
    |all\ connection\ attempts\ failed|cannot\ connect\ to\ host|\bfetch\ failed\b|dns\ error""",
    re.IGNORECASE | re.VERBOSE,
)
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
    |invalid\ arguments\ for\ tool|invalid\ (?:request\ )?param(?:eter)?s
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
_RATE_LIMIT = re.compile(r"rate.?limit(?:ed|s)?\b|too many requests|quota exceeded|\b429\b", re.IGNORECASE)
_KEY = r"(?:api[\ _-]?key|(?:access|api|auth|bearer)[\ _-]?token|credentials?)"
_CREDENTIAL = re.compile(
    rf"""\b401\b|\bunauthori[sz]ed\b|\bunauthenticated\b
    |authentication\ (?:is\ )?(?:required|failed)|not\ (?:logged\ in|authenticated)|bad\ credentials
    |(?:missing|invalid|no|unset|required|provide|set|without)\ (?:\w{{1,40}}\ ){{0,3}}{_KEY}
    |{_KEY}\ (?:\w{{1,40}}\ ){{0,3}}(?:missing|required|invalid|not\ (?:set|found|provided|configured))
    |(?-i:\b[A-Z][A-Z0-9_]{{2,60}})\ (?:environment\ variable|env\ var|is\ not\ set|must\ be\ set)""",
    re.IGNORECASE | re.VERBOSE,
)


def read_sign(text: str) -> Sign | None:
    """Read what an error text shows, None where it is an error like any other.

    A network that cannot be reached is seen first, since its exception is often printed whole; a printed
    stack next, since it may end in a validation message; then validation, then the words of an exception.
    """
    head = text[:READ_CHARACTERS]
    if _NETWORK.search(head):
        return Sign.NETWORK
    if _DUMP.search(head):
        return Sign.TRACE
    if _VALIDATION.search(head):
        return Sign.VALIDATION
    if _ACCIDENT.search(head):
        return Sign.TRACE
    if _is_hidden(head):
        return Sign.HIDDEN
    if _RATE_LIMIT.search(head):
        return Sign.RATE_LIMIT
    return Sign.CREDENTIAL if _CREDENTIAL.search(head) else None


def _is_hidden(text: str) -> bool:
    """Whether the text says no more than that something failed: nothing follows the tool's name."""
    line = text.strip()
    if len(line) > 400 or "\n" in line or not _HIDDEN.fullmatch(line):
        return False
    _, colon, rest = line.removeprefix("Error:").partition(": ")
    return not colon or bool(_HIDDEN.fullmatch(rest))
