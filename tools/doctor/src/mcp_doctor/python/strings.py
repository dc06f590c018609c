"""The text of Python string literals."""

import re

_PREFIX = re.compile(r"[A-Za-z]*")
_ESCAPE = re.compile(
    r"\\(\r?\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.DOTALL
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": "", "\r\n": ""}
_LARGEST = 0x10FFFF


def prefix(start: str) -> str:
    """Give the letters before the quote, in lower case."""
    match = _PREFIX.match(start)
    return match[0].lower() if match else ""


def unescape(content: str) -> str:
    """Replace the escapes of a literal that is not raw; what is none stays as it is."""
    return _ESCAPE.sub(_replaced, content) if "\\" in content else content


def _replaced(match: re.Match[str]) -> str:
    body = match[1]
    if body in _SIMPLE:
        return _SIMPLE[body]
    if body[0] in "01234567":
        return chr(int(body, 8))
    if len(body) > 1 and body[0] in "xuU":
        number = int(body[1:], 16)
        return chr(number) if number <= _LARGEST else match[0]
    return body if body in "\\'\"" else match[0]
