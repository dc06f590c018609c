"""Options in groups: a command takes a frozen dataclass where its options are always the same."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Any, TypeVar, get_type_hints

Result = TypeVar("Result")


def grouped(command: Callable[..., Result]) -> Callable[..., Result]:
    """Let a command take option dataclasses: each field becomes an option of its own.

    A field's annotation is `Annotated[type, typer.Option(...)]`, its default the option's; no two fields of
    one command may have the same name.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type] = {}
    plain: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if isinstance(hints[name], type) and is_dataclass(hints[name]):
            groups[name] = hints[name]
        else:
            plain.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
    options = [option for group in groups.values() for option in _options(group)]

    @wraps(command)
    def flat(**values: Any) -> Result:  # noqa: ANN401 - values of whatever options there are
        built = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return command(**built, **values)

    signature = inspect.Signature([*plain, *options])
    flat.__signature__ = signature  # type: ignore[attr-defined]
    flat.__annotations__ = {option.name: option.annotation for option in signature.parameters.values()}
    return flat


def _options(group: type) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_default(field.default, field.default_factory),
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]


def _default(default: object, factory: object) -> object:
    if default is not MISSING:
        return default
    return factory() if callable(factory) else inspect.Parameter.empty
