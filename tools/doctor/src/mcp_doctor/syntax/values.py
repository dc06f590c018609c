"""What an expression is worth as far as its text tells, in one form for all languages.

A value that cannot be told is `Unknown`, never a guess. Each value knows the site that it was read from.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.facts.place import Place
from mcp_doctor.facts.tool_decl import NO_TEXT, UNKNOWN_TEXT, Text
from mcp_doctor.syntax.nodes import place

if TYPE_CHECKING:
    from tree_sitter import Node

    from mcp_check_core.model.json_value import Json
    from mcp_doctor.syntax.module import Module

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Site:
    """A node in its module."""

    module: "Module"
    node: "Node"

    @property
    def place(self) -> Place:
        """Where it stands."""
        return place(self.module.path, self.node)


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal, or what literals were joined to."""

    value: Scalar
    site: Site


@dataclass(frozen=True, slots=True)
class Partial:
    """A text of which only parts are known."""

    text: str
    site: Site


@dataclass(frozen=True, slots=True)
class Items:
    """A list, tuple, set or array; not `complete` where something else was spread into it."""

    items: tuple["Value", ...]
    site: Site
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Fields:
    """A dictionary or object; a later entry of one name counts."""

    entries: tuple[tuple[str, "Value"], ...]
    site: Site
    complete: bool = True

    def get(self, name: str) -> "Value | None":
        """Give the value of a name, None where it has none."""
        return next((value for key, value in reversed(self.entries) if key == name), None)


@dataclass(frozen=True, slots=True)
class Call:
    """A call (or `new`) that was not followed further."""

    callee: "Value"
    args: tuple["Value", ...]
    keywords: tuple[tuple[str, "Value"], ...]
    site: Site
    complete: bool = True

    def keyword(self, *names: str) -> "Value | None":
        """Give the value of the first of these keywords that is there."""
        return next((value for name in names for key, value in self.keywords if key == name), None)


@dataclass(frozen=True, slots=True)
class Member:
    """An attribute of something that is not known further."""

    base: "Value"
    name: str
    site: Site


@dataclass(frozen=True, slots=True)
class External:
    """A name from outside the repository, dotted: `mcp.types.Tool`; `zod#z` in JavaScript."""

    name: str
    site: Site


@dataclass(frozen=True, slots=True)
class Free:
    """A name without a known value: a parameter of a function, a loop variable, a global."""

    name: str
    site: Site


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or class of the repository; its node is the definition."""

    name: str
    site: Site
    is_class: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """What cannot be told, and why."""

    reason: str
    site: Site


Value: TypeAlias = (
    Constant | Partial | Items | Fields | Call | Member | External | Free | Definition | Unknown
)


def dotted(value: Value) -> str:
    """Write a chain of names with dots, the empty text for anything else."""
    parts: list[str] = []
    while isinstance(value, Member):
        parts.append(value.name)
        value = value.base
    if not isinstance(value, External | Free | Definition):
        return ""
    return ".".join([value.name, *reversed(parts)])


def as_text(value: Value | None) -> Text:
    """Take a value for a text of a declaration."""
    match value:
        case None | Constant(None):
            return NO_TEXT
        case Constant(str(known)):
            return Text(known)
        case Partial(known):
            return Text(known, whole=False)
    return UNKNOWN_TEXT


def as_string(value: Value | None) -> str | None:
    """Give a text that is wholly known, else None."""
    return value.value if isinstance(value, Constant) and isinstance(value.value, str) else None


def as_json(value: Value | None) -> "Json":
    """Give what is known of a value as JSON; what is not known is left out, or None."""
    match value:
        case Constant(known):
            return known
        case Items(items):
            return [as_json(item) for item in items]
        case Fields(entries):
            return {name: as_json(member) for name, member in entries}
    return None


def is_known(value: Value | None) -> bool:
    """Tell whether a value is known in full."""
    match value:
        case Constant():
            return True
        case Items(items):
            return value.complete and all(is_known(item) for item in items)
        case Fields(entries):
            return value.complete and all(is_known(member) for _, member in entries)
    return False
