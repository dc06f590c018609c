"""Texts that are joined of parts, some of which may not be known."""

from collections.abc import Sequence

from mcp_doctor.syntax.values import Constant, Partial, Site, Unknown, Value, as_string

LONGEST_TEXT = 200_000
"""Characters of one text that are kept."""
HOLE = "…"


def part_of(value: Value) -> str | None:
    """Give what a value adds to a text, None where that is not known in full."""
    if isinstance(value, Constant) and value.value is not None:
        return str(value.value)
    return None


def joined(parts: Sequence[str | None], site: Site) -> Value:
    """Join parts; a None stands for one that is not known."""
    text = "".join(HOLE if part is None else part for part in parts)[:LONGEST_TEXT]
    return Partial(text, site) if None in parts else Constant(text, site)


def concatenated(values: Sequence[Value], site: Site) -> Value:
    """Join values as texts; Unknown where none of them is one."""
    if not any(isinstance(value, Partial) or as_string(value) is not None for value in values):
        return Unknown("the parts are no texts", site)
    parts = [value.text if isinstance(value, Partial) else part_of(value) for value in values]
    whole = all(part is not None for part in parts) and not any(
        isinstance(value, Partial) for value in values
    )
    made = joined([part if part is not None else HOLE for part in parts], site)
    return made if whole or not isinstance(made, Constant) else Partial(str(made.value), site)
