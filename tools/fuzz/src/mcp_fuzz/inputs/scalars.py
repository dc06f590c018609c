"""Strings and numbers that keep to a schema."""

import math
from collections.abc import Mapping
from random import Random

from mcp_check_core.model.json_value import Json
from mcp_fuzz.inputs.judge import matches
from mcp_fuzz.inputs.limits import STRING_CHARACTERS, CannotMakeError

Schema = Mapping[str, Json]

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
}
"""A value for each format; addresses and names are those that are kept for documentation."""
_PATTERN_SAMPLES = (
    *("a", "A", "1", "0", "ab", "AB", "Ab", "abc", "ABC", "123", "a1", "A1", "sample", "Sample", "SAMPLE"),
    *("a-b", "a_b", "a.b", "a/b", "a:b", "a b", "A-1", "ABC-123", "#1", "@a", "/a", "./a", "~/a"),
    *("a.txt", "a.png", "a.json", "a.md", "a.csv", "a.html", "a.xlsx"),
    *("10", "1234", "12345", "123456", "1234567890", "1.5", "1.0.0", "v1.0.0", "1h", "5m", "10s", "100%"),
    *("en", "en-US", "USD", "us-east-1", "owner/name", "a@b.co", "true", "#a1b2c3", "00:00", "10:30:00"),
    *("a" * 8, "a" * 16, "a" * 20, "a" * 24, "a" * 32, "a" * 40, "a" * 64, "A" * 10, "0" * 8, "0" * 12),
    *("+15550100000", "2026-01", "2026", "arn:aws:iam::123456789012:role/sample", "i-0123456789abcdef0"),
    *("sha256:" + "a" * 64, "0x" + "a" * 40, "PRJ-1", "C0123456789", "U0123456789", "file:///sample"),
    *FORMATS.values(),
)


def make_string(schema: Schema, random: Random) -> str:
    """Make a string for format, pattern and length bounds. Raises CannotMakeError."""
    least, most = size_bound(schema, "minLength", 0), size_bound(schema, "maxLength", math.inf)
    if least > STRING_CHARACTERS:
        raise CannotMakeError(
            f"it needs {least} characters, and {STRING_CHARACTERS} are the most that is sent"
        )
    if least > most:
        raise CannotMakeError("its minLength is above its maxLength")
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        return _for_pattern(pattern, int(least), most)
    form = schema.get("format")
    text = FORMATS.get(form, "") if isinstance(form, str) else ""
    return _sized(text or random.choice(WORDS), int(least), most)


def _sized(text: str, least: int, most: float) -> str:
    if len(text) < least:
        return (text * (least // len(text) + 1))[:least]
    return text[: int(most)] if len(text) > most else text


def _for_pattern(pattern: str, least: int, most: float) -> str:
    """Look for a sample that the pattern matches, stretched to the least length where it is too short."""
    tried = (
        text for sample in _PATTERN_SAMPLES for text in dict.fromkeys((sample, _sized(sample, least, most)))
    )
    for text in tried:
        if least <= len(text) <= most and matches(text, pattern):
            return text
    raise CannotMakeError(f"no sample of ours matches its pattern {pattern[:100]!r}")


def size_bound(schema: Schema, name: str, default: float) -> float:
    """Read a bound that counts something; the default where it is absent or no whole number."""
    value = schema.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or value < 0:  # noqa: PLR0124 - NaN
        return default
    return value


def make_number(schema: Schema, random: Random, *, whole: bool) -> int | float:
    """Make a number within the bounds and on the multiple of a schema. Raises CannotMakeError."""
    try:
        return _number(schema, random, whole)
    except (OverflowError, ZeroDivisionError, ValueError) as problem:
        raise CannotMakeError("its bounds cannot be calculated with") from problem


def _number(schema: Schema, random: Random, whole: bool) -> int | float:
    least, most = _least(schema, whole), _most(schema, whole)
    step = _bound(schema, "multipleOf", 1 if whole else 0)
    if least > most:
        raise CannotMakeError("its least value is above its greatest")
    wanted: int | float = random.randint(1, 9)
    if not least <= wanted <= most:
        wanted = least if least > wanted else most
    if step > 0:
        wanted = _on_step(wanted, step, least)
    if whole:
        wanted = math.ceil(wanted)
    if not least <= wanted <= most:
        raise CannotMakeError("no number lies within its bounds and on its multiple")
    return wanted


def _on_step(wanted: float, step: float, least: float) -> int | float:
    down = math.floor(wanted / step) * step
    return down if down >= least else math.ceil(wanted / step) * step


def _least(schema: Schema, whole: bool) -> float:
    least = _bound(schema, "minimum", -math.inf)
    open_end = schema.get("exclusiveMinimum")
    if open_end is True:
        return _above(least, whole)
    return max(least, _above(_bound(schema, "exclusiveMinimum", -math.inf), whole))


def _most(schema: Schema, whole: bool) -> float:
    most = _bound(schema, "maximum", math.inf)
    open_end = schema.get("exclusiveMaximum")
    if open_end is True:
        return -_above(-most, whole)
    return min(most, -_above(-_bound(schema, "exclusiveMaximum", math.inf), whole))


def _above(bound: float, whole: bool) -> float:
    """Give a value a little above an open bound."""
    if math.isinf(bound):
        return bound
    if whole:
        return math.floor(bound) + 1
    return bound + max(abs(bound) * 1e-6, 1e-6)


def _bound(schema: Schema, name: str, default: float) -> float:
    value = schema.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - NaN
        return default
    return value
