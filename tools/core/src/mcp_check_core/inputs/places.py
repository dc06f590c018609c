"""Places in a value: name them, take them out, put another value there."""

from mcp_check_core.model.json_value import Json

Path = tuple[str | int, ...]
"""The way to a place in a value: names of properties and positions in arrays."""


def pointer(path: Path) -> str:
    """Write a path as a JSON pointer (RFC 6901)."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def dotted(path: Path) -> str:
    """Write a path as people do: `filter.tags[0].name`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def at(value: Json, path: Path) -> Json:
    """Give what stands at a path. Raises KeyError for a path that is not there."""
    for part in path:
        value = _member(value, part)
    return value


def without(value: Json, path: Path) -> Json:
    """Copy a value without one member of an object in it. Raises KeyError for a path that is not there."""
    if isinstance(value, dict) and len(path) == 1:
        return {name: member for name, member in value.items() if name != path[0]}
    return _changed(value, path, without(_member(value, path[0]), path[1:]))


def replaced(value: Json, path: Path, new: Json) -> Json:
    """Copy a value with another one at a path. Raises KeyError for a path that is not there."""
    if not path:
        return new
    return _changed(value, path, new if len(path) == 1 else replaced(_member(value, path[0]), path[1:], new))


def _changed(value: Json, path: Path, new: Json) -> Json:
    if isinstance(value, dict):
        return {name: new if name == path[0] else member for name, member in value.items()}
    if isinstance(value, list):
        return [new if number == path[0] else item for number, item in enumerate(value)]
    raise KeyError(path[0])


def _member(value: Json, part: str | int) -> Json:
    if isinstance(value, dict) and isinstance(part, str):
        return value[part]
    if isinstance(value, list) and isinstance(part, int):
        return value[part]
    raise KeyError(part)
