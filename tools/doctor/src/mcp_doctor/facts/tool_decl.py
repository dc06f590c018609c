"""A tool as its source declares it, whatever the language and framework."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_check_core.model.json_value import Json
from mcp_doctor.facts.place import Place


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a declaration; `value` is None where there is none.

    `known` is False where it is made at run time, `whole` where only parts of it stand in the source.
    """

    value: str | None = None
    known: bool = True
    whole: bool = True

    @property
    def missing(self) -> bool:
        """Whether it is certain that there is no text, or a blank one."""
        return self.known and self.whole and not (self.value or "").strip()


NO_TEXT = Text()
UNKNOWN_TEXT = Text(known=False)


@dataclass(frozen=True, slots=True)
class Default:
    """The value that a parameter has when it is left out; `known` is False where it is made at run time."""

    value: Json = None
    known: bool = True


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool, or one member of a parameter that is an object (`name` is `outer.inner` then).

    `type` is as it is written. `nullable` says whether null is allowed, None where that cannot be told.
    `default` is None where there is none. `variadic`: `*args` or `**kwargs`.
    """

    name: str
    place: Place
    type: str | None = None
    required: bool = True
    default: Default | None = None
    nullable: bool | None = None
    description: Text = NO_TEXT
    variadic: bool = False

    @property
    def nested(self) -> bool:
        """Whether it is a member of another parameter."""
        return "." in self.name


@dataclass(frozen=True, slots=True)
class ToolDecl:
    """One tool. `complete` is False where some parameters could not be resolved.

    `handler` is the stretch of its code, where that is known. `framework` names the idiom's owner and
    `found_by` the idiom. `unresolved` names the parts that could not be read.
    """

    name: str
    place: Place
    language: str
    framework: str
    found_by: str
    title: str | None = None
    description: Text = NO_TEXT
    parameters: tuple[Parameter, ...] = ()
    complete: bool = True
    annotations: Mapping[str, Json] = field(default_factory=dict)
    handler: Place | None = None
    unresolved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A registration whose name is made at run time: where, by which idiom, and why it was not resolved."""

    place: Place
    language: str
    found_by: str
    reason: str
