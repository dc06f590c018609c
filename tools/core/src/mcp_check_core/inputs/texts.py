"""Strings that keep to a schema."""

import math
from random import Random

from mcp_check_core.inputs.limits import STRING_CHARACTERS, CannotMakeError
from mcp_check_core.inputs.pattern_texts import matching_text, pattern_judge
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import size_bound

WORDS = ("sample", "garden", "window", "river", "notebook", "lantern", "harbor", "meadow")
FORMATS = {
    "date": "2026-01-15",
    "date-time": "2026-01-15T10:30:00Z",
    "time": "10:30:00Z",
    "duration": "PT1H",
    "email": "someone@example.com",
    "idn-email": "someone@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/sample",
    "url": "https://example.com/sample",
    "iri": "https://example.com/sample",
    "uri-reference": "/sample",
    "iri-reference": "/sample",
    "uri-template": "/sample/{id}",
    "uuid": "3f2b8c1e-5a47-4d09-9c36-7b1e0f4a8d25",
    "json-pointer": "/sample",
    "relative-json-pointer": "0/sample",
    "regex": "^sample$",
    "byte": "c2FtcGxl",
    "binary": "c2FtcGxl",
    "json": '{"sample": 1}',
    "json-string": '{"sample": 1}',
    "path": "sample.txt",
    "file-path": "sample.txt",
    "directory-path": ".",
    "color": "#336699",
}
"""A value for each format; addresses and names are those that are kept for documentation (RFC 2606, 5737)."""
_LENGTHENED_BEHIND = ("uri", "url", "iri", "uri-reference", "iri-reference", "uri-template", "json-pointer")


def make_text(schema: Schema, random: Random) -> str:
    """Make a string for format, pattern and length bounds. Raises CannotMakeError."""
    least, most = length_bounds(schema)
    form = schema.get("format")
    known = FORMATS.get(form, "") if isinstance(form, str) else ""
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        if known and least <= len(known) <= most and pattern_judge(pattern).matches(known):
            return known
        return matching_text(pattern, least, most, random)
    if known and len(known) < least and form in _LENGTHENED_BEHIND:
        return known + "a" * (least - len(known))
    return sized(known or random.choice(WORDS), least, most)


def length_bounds(schema: Schema) -> tuple[int, float]:
    """Read the least and the most characters. Raises CannotMakeError where no such text is sent."""
    least, most = size_bound(schema, "minLength", 0), size_bound(schema, "maxLength", math.inf)
    if least > STRING_CHARACTERS:
        raise CannotMakeError(
            f"it needs {_figure(least)} characters, and {STRING_CHARACTERS} are the most that is sent"
        )
    if least > most:
        raise CannotMakeError("its minLength is above its maxLength")
    return math.ceil(least), most


def sized(text: str, least: int, most: float) -> str:
    """Repeat or cut a text that is not empty to a length within bounds."""
    if len(text) < least:
        return (text * (least // len(text) + 1))[:least]
    return text[: int(most)] if len(text) > most else text


def _figure(value: float) -> str:
    """Write a number that a stranger chose in few characters."""
    return str(value) if abs(value) < 10**15 else "over 10^15"
