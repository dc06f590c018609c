"""Values of options: durations, sizes, and NAME=VALUE pairs."""

import re
from collections.abc import Iterable, Mapping

from mcp_check_core.cli.errors import CommandError

_DURATION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)(ms|s|m|h)?")
_FACTORS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_SIZE = re.compile(r"([0-9]{1,12})(b|kb|kib|mb|mib|gb|gib)?", re.IGNORECASE)
_POWERS = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
}
LONGEST_S = 7 * 24 * 3600.0


def duration(text: str, option: str, *, bare_unit: str = "s") -> float:
    """Read a duration such as `500ms`, `5s`, `2m` as seconds; a bare number is in `bare_unit`.

    Raises CommandError for anything else, for zero and for more than a week.
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise CommandError(f"{option}: {text!r} is not a duration; write 500ms, 5s or 2m")
    seconds = float(match[1]) * _FACTORS[match[2] or bare_unit]
    if not 0 < seconds <= LONGEST_S:
        raise CommandError(f"{option}: {text!r} must be more than zero and at most a week")
    return seconds


def size(text: str, option: str) -> int:
    """Read a size such as `2GiB`, `64MB`, `1024` as bytes.

    Raises CommandError for anything else and for zero.
    """
    match = _SIZE.fullmatch(text.strip())
    value = int(match[1]) * _POWERS[(match[2] or "").lower()] if match else 0
    if value == 0:
        raise CommandError(f"{option}: {text!r} is not a size; write 64MiB, 2GiB or a number of bytes")
    return value


def pairs(items: Iterable[str], option: str) -> dict[str, str]:
    """Read NAME=VALUE items; the value may hold anything. Raises CommandError, which never shows a value."""
    result: dict[str, str] = {}
    for number, item in enumerate(items, start=1):
        name, equals, value = item.partition("=")
        if not equals or not name.strip() or "\0" in item:
            raise CommandError(f"{option}: item {number} is not NAME=VALUE")
        if name in result:
            raise CommandError(f"{option}: {name!r} is given twice")
        result[name] = value
    return result


def set_variables(names: Iterable[str], environment: Mapping[str, str], option: str) -> dict[str, str]:
    """Look up variables by name. Raises CommandError for one that is not set."""
    result: dict[str, str] = {}
    for name in names:
        if name not in environment:
            raise CommandError(f"{option}: the variable {name!r} is not set")
        result[name] = environment[name]
    return result
