"""The text of JavaScript string literals and templates."""

import re

_ESCAPE = re.compile(r"\\(\r?\n|u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_LARGEST = 0x10FFFF


def unescape(content: str) -> str:
    """Replace the escapes of a literal."""
    return _ESCAPE.sub(_replaced, content) if "\\" in content else content


def _replaced(match: re.Match[str]) -> str:
    body = match[1]
    if body in _SIMPLE:
        return _SIMPLE[body]
    if len(body) > 1 and body[0] in "ux":
        number = int(body[1:].strip("{}"), 16)
        return chr(number) if number <= _LARGEST else match[0]
    return body
