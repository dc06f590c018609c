"""JSON values that cannot be changed, so that no rule can change what another one reads."""

from typing import NoReturn

from mcp_check_core.model.json_value import Json


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("definitions are read alone")


class FrozenObject(dict[str, Json]):
    """An object that cannot be changed; to every reader it is a dict."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class FrozenArray(list[Json]):
    """An array that cannot be changed; to every reader it is a list."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = pop = clear = sort = reverse = _refuse


def frozen(value: Json) -> Json:
    """Copy a value into one that cannot be changed. Its depth must be bounded before."""
    if isinstance(value, dict):
        return FrozenObject((name, frozen(member)) for name, member in value.items())
    return FrozenArray(frozen(item) for item in value) if isinstance(value, list) else value


def thawed(value: Json) -> Json:
    """Copy a value into plain dicts and lists, for a library that takes no others."""
    if isinstance(value, dict):
        return {name: thawed(member) for name, member in value.items()}
    return [thawed(item) for item in value] if isinstance(value, list) else value
