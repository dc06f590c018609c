"""JSON pointers (RFC 6901)."""


def pointer(*parts: str | int) -> str:
    """Make a pointer of its parts."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)


def parts_of(text: str) -> tuple[str, ...]:
    """Give the parts of a pointer."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:])
