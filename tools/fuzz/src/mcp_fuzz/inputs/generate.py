"""Make a value that keeps to a schema, and note the places in it whose schema is known.

Bounded whatever the schema: levels, steps and characters are counted, and a schema for which there is no
value within them gives a reason. The final word on a value has the judge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random

from mcp_check_core.model.json_value import Json, json_type
from mcp_fuzz.inputs.limits import (
    ARRAY_ITEMS,
    BRANCHES,
    OBJECT_MEMBERS,
    VALUE_LEVELS,
    Budget,
    CannotMakeError,
    SpentError,
    weight,
)
from mcp_fuzz.inputs.parts import (
    Path,
    additional_of,
    distinct,
    has_default,
    is_null,
    is_of_types,
    items_of,
    kind_to_make,
    properties_of,
    required_of,
    types_of,
    undescribed,
)
from mcp_fuzz.inputs.resolve import Schema, merge, reference, resolve
from mcp_fuzz.inputs.scalars import make_number, make_string, size_bound

_OPTIONAL_LEVELS = 4
"""Levels down to which optional properties are filled in."""


class Fill(Enum):
    """How much of an object is filled in, and with what.

    `defaults` sends each default that is not null; the other two prefer an example, then a default.
    """

    MINIMAL = auto()
    FULL = auto()
    DEFAULTS = auto()


@dataclass(frozen=True, slots=True)
class Slot:
    """A property in a made value: where it is, the JSON types of its schema (empty if it names none)."""

    path: Path
    required: bool
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A value with its slots in the order in which they were made."""

    value: Json
    slots: tuple[Slot, ...] = ()
    left_out: tuple[str, ...] = ()


def make_arguments(root: Json, random: Random, fill: Fill, shift: int = 0) -> Made:
    """Make the arguments of a tool, always an object. Raises CannotMakeError with the reason.

    `shift` turns the branches of anyOf and oneOf, so that another one comes first.
    """
    maker = _Maker(root, random, fill, shift)
    value, _ = maker.make(root, (), ())
    if not isinstance(value, dict):
        raise CannotMakeError(f"arguments are an object, and its schema wants {json_type(value)}")
    return Made(value, tuple(maker.slots), tuple(maker.left_out))


@dataclass(slots=True)
class _Maker:
    root: Json
    random: Random
    fill: Fill
    shift: int
    budget: Budget = field(default_factory=Budget)
    level: int = 0
    slots: list[Slot] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def make(self, schema: Json, path: Path, refs: tuple[str, ...]) -> tuple[Json, Schema]:
        """Make a value and give it with the schema that it was made from."""
        if len(path) > VALUE_LEVELS:
            raise CannotMakeError(f"it is nested deeper than {VALUE_LEVELS} levels")
        target = reference(schema)
        inner = refs if target is None else (*refs, target)
        if len(inner) > VALUE_LEVELS:
            raise CannotMakeError("it refers to itself without end")
        return self._settled(resolve(schema, self.root, self.budget), path, inner)

    def _settled(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> tuple[Json, Schema]:
        """Make a value for a resolved schema, with the first branch of anyOf or oneOf that can be made."""
        if len(refs) + len(path) + self.level > 2 * VALUE_LEVELS:
            raise CannotMakeError(f"its branches are nested deeper than {VALUE_LEVELS} levels")
        self.level += 1
        try:
            return self._branched(schema, path, refs)
        finally:
            self.level -= 1

    def _branched(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> tuple[Json, Schema]:
        self.budget.step()
        name = next((name for name in ("anyOf", "oneOf") if name in schema), None)
        if name is None:
            return self._value(schema, path, refs), schema
        rest = {key: member for key, member in schema.items() if key != name}
        reason = CannotMakeError(f"none of the branches of its {name} can be made")
        for branch in self._turned(schema[name], name):
            mark = len(self.slots)
            try:
                merged = merge(rest, resolve(branch, self.root, self.budget))
                return self._settled(merged, path, self._inner(branch, refs))
            except SpentError:
                raise
            except CannotMakeError as problem:
                reason = problem
                del self.slots[mark:]
        raise reason

    def _turned(self, branches: Json, name: str) -> list[Json]:
        """Order branches: the one that `shift` picks first, null last."""
        if not isinstance(branches, list) or not branches:
            seen = "empty" if branches == [] else json_type(branches)
            raise CannotMakeError(f"its {name} is {seen}, not a list of schemas")
        first = self.shift % len(branches)
        return sorted((*branches[first:], *branches[:first]), key=is_null)[:BRANCHES]

    def _inner(self, branch: Json, refs: tuple[str, ...]) -> tuple[str, ...]:
        target = reference(branch)
        if target is None:
            return refs
        if len(refs) >= VALUE_LEVELS:
            raise CannotMakeError("it refers to itself without end")
        return (*refs, target)

    def _value(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> Json:
        for known in self._known(schema, path):
            self.budget.spend(weight(known))
            return known
        match kind_to_make(schema, path):
            case "string":
                text = make_string(schema, self.random)
                self.budget.spend(len(text))
                return text
            case "integer":
                return make_number(schema, self.random, whole=True)
            case "number":
                return make_number(schema, self.random, whole=False)
            case "boolean":
                return self.random.choice((True, False))
            case "array":
                return self._array(schema, path, refs)
            case "object":
                return self._object(schema, path, refs)
            case _:
                return None

    def _known(self, schema: Schema, path: Path) -> list[Json]:
        """Give the value that a schema states itself: const, enum, example, default.

        Objects with properties are made all the same, so that their properties can be tested.
        """
        if "const" in schema:
            return [schema["const"]]
        if "enum" in schema:
            return [self._member(schema["enum"], types_of(schema))]
        examples, default = schema.get("examples"), schema.get("default")
        if not path or ("properties" in schema and self.fill is not Fill.DEFAULTS):
            return []
        if self.fill is Fill.DEFAULTS and default is not None:
            return [default]
        if isinstance(examples, list) and examples:
            return [examples[0]]
        return [] if default is None else [default]

    def _member(self, enum: Json, kinds: tuple[str, ...]) -> Json:
        if not isinstance(enum, list) or not enum:
            raise CannotMakeError(f"its enum is {'empty' if enum == [] else json_type(enum)}")
        fitting = [item for item in enum[:ARRAY_ITEMS] if not kinds or is_of_types(item, kinds)]
        return self.random.choice(fitting or enum[:1])

    def _object(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> Json:
        """Make what is required, and by the fill what is optional."""
        properties, required = properties_of(schema), required_of(schema)
        if len(required) > OBJECT_MEMBERS:
            raise CannotMakeError(f"it requires more than {OBJECT_MEMBERS} properties")
        value: dict[str, Json] = {}
        for name in (*(name for name in properties if name in required), *undescribed(required, properties)):
            value[name] = self._property(properties.get(name, additional_of(schema)), name, path, refs, True)
        if self.fill is not Fill.MINIMAL and len(path) < _OPTIONAL_LEVELS:
            self._optional(properties, required, value, path, refs)
        self._fill_up(schema, value)
        return value

    def _optional(
        self,
        properties: Mapping[str, Json],
        required: Sequence[str],
        value: dict[str, Json],
        path: Path,
        refs: tuple[str, ...],
    ) -> None:
        for name in [name for name in properties if name not in required][:OBJECT_MEMBERS]:
            if self.fill is Fill.DEFAULTS and not has_default(properties[name]):
                continue
            if reference(properties[name]) in refs:
                continue
            mark = len(self.slots)
            try:
                value[name] = self._property(properties[name], name, path, refs, False)
            except CannotMakeError as problem:
                del self.slots[mark:]
                self.left_out.append(str(problem))

    def _property(self, schema: Json, name: str, path: Path, refs: tuple[str, ...], required: bool) -> Json:
        place = len(self.slots)
        self.budget.spend(len(name))
        try:
            value, settled = self.make(schema, (*path, name), refs)
        except SpentError:
            raise
        except CannotMakeError as problem:
            raise CannotMakeError(f"{name[:100]}: {problem}"[:300]) from None
        self.slots.insert(place, Slot((*path, name), required, types_of(settled)))
        return value

    def _fill_up(self, schema: Schema, value: dict[str, Json]) -> None:
        least = size_bound(schema, "minProperties", 0)
        if least > OBJECT_MEMBERS:
            raise CannotMakeError(
                f"it needs {least} properties, and {OBJECT_MEMBERS} are the most that is sent"
            )
        for number in range(int(least) - len(value)):
            value[f"extra{number + 1}"] = "sample"

    def _array(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> Json:
        least, most = size_bound(schema, "minItems", 0), size_bound(schema, "maxItems", ARRAY_ITEMS)
        if least > ARRAY_ITEMS:
            raise CannotMakeError(f"it needs {least} items, and {ARRAY_ITEMS} are the most that is sent")
        if least > most:
            raise CannotMakeError("its minItems is above its maxItems")
        rest, first = items_of(schema)
        wanted = max(int(least), min(1, int(most)), min(len(first), int(most)))
        if reference(rest) in refs and not first:
            wanted = int(least)
        made: list[Json] = []
        for number in range(wanted):
            item = first[number] if number < len(first) else rest
            made.append(self.make(item, (*path, number), refs)[0])
        return distinct(made) if schema.get("uniqueItems") is True else made
