"""Values just outside and just inside of the constraints on texts."""

from collections.abc import Mapping
from random import Random

from mcp_check_core.inputs.edge import Edge
from mcp_check_core.inputs.limits import STRING_CHARACTERS, CannotMakeError
from mcp_check_core.inputs.pattern_texts import breaking_text
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import size_bound
from mcp_check_core.inputs.texts import length_bounds, make_text, sized
from mcp_check_core.model.json_value import Json

_BROKEN_FORMATS: Mapping[str, tuple[str, ...]] = {
    "date": ("2026-13-45", "yesterday"),
    "date-time": ("2026-01-15T99:99:99Z", "yesterday at noon"),
    "time": ("99:99:99Z", "noon"),
    "duration": ("one hour",),
    "email": ("not an address", "someone@"),
    "idn-email": ("not an address",),
    "hostname": ("-not a host-", "a..b"),
    "ipv4": ("999.0.2.1", "not an address"),
    "ipv6": ("2001:zz::1", "not an address"),
    "uri": ("not a uri", "://"),
    "uuid": ("3f2b8c1e-5a47-4d09-9c36", "not a uuid"),
    "json-pointer": ("no~pointer~", "sample"),
    "regex": ("((",),
}


def min_length(schema: Schema, base: Json, random: Random) -> Edge:
    """Make a text one character too short, and one just long enough."""
    least, _ = length_bounds(schema)
    if least == 0:
        return Edge("minLength", reason="every text has at least no characters")
    return Edge("minLength", _texts(schema, base, least - 1, random), _texts(schema, base, least, random)[:1])


def max_length(schema: Schema, base: Json, random: Random) -> Edge:
    """Make a text one character too long, and one just short enough."""
    most = size_bound(schema, "maxLength", STRING_CHARACTERS)
    if most >= STRING_CHARACTERS:
        return Edge("maxLength", reason=f"{STRING_CHARACTERS} characters are the most that is sent")
    over = _texts(schema, base, int(most) + 1, random)
    return Edge("maxLength", over, _texts(schema, base, int(most), random)[:1])


def _texts(schema: Schema, base: Json, length: int, random: Random) -> tuple[Json, ...]:
    """Make texts of one length, first one that keeps to pattern and format, where there are any."""
    plain = sized(base if isinstance(base, str) and base else "a", length, length)
    if "pattern" not in schema and "format" not in schema:
        return (plain,)
    try:
        made = make_text({**schema, "minLength": length, "maxLength": length}, random)
    except CannotMakeError:
        return (plain,)
    return tuple(dict.fromkeys(text for text in (made, plain) if len(text) == length))


def pattern(schema: Schema, base: Json, _random: Random) -> Edge:
    """Change the text until the pattern does not match it."""
    wanted = schema["pattern"]
    if not isinstance(wanted, str) or not isinstance(base, str):
        return Edge("pattern", reason="the pattern or the value that was made is no text")
    broken = breaking_text(wanted, base, *length_bounds(schema))
    if broken is None:
        return Edge("pattern", reason=f"no text of ours breaks its pattern {wanted[:100]!r}")
    return Edge("pattern", (broken,))


def form(schema: Schema, _base: Json, random: Random) -> Edge:
    """Send a text that is known to break the format."""
    named = schema["format"]
    broken = _BROKEN_FORMATS.get(named, ()) if isinstance(named, str) else ()
    if not broken:
        return Edge("format", reason=f"nothing is known to break the format {str(named)[:60]!r}")
    return Edge("format", tuple(broken), (make_text(schema, random),))
