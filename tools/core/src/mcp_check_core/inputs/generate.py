"""Make a value that keeps to a schema, and note the places in it whose schema is known.

Bounded whatever the schema: levels, steps and characters are counted, and a schema for which there is no
value within them gives a reason. The final word on a value has the validator (see `arguments`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from mcp_check_core.inputs.advice import Advice, Hint, enumerated, fits
from mcp_check_core.inputs.arrays import ArrayPlan, distinct, plan_array, same
from mcp_check_core.inputs.branches import branch_schemas
from mcp_check_core.inputs.filling import Fill, Slot, Source
from mcp_check_core.inputs.limits import (
    OBJECT_MEMBERS,
    PATTERN_STEPS,
    VALUE_LEVELS,
    Budget,
    CannotMakeError,
    SpentError,
    weight,
)
from mcp_check_core.inputs.numbers import make_number
from mcp_check_core.inputs.objects import free_names, member_schema, size_of, still_needed
from mcp_check_core.inputs.places import Path, dotted
from mcp_check_core.inputs.resolve import Schema, reference, resolve
from mcp_check_core.inputs.schema_parts import (
    additional_of,
    has_default,
    kind_to_make,
    properties_of,
    required_of,
    types_of,
    undescribed,
)
from mcp_check_core.inputs.texts import make_text
from mcp_check_core.inputs.words import words
from mcp_check_core.model.json_value import Json

_OPTIONAL_LEVELS = 4
"""Levels down to which optional properties are filled in."""
_DISTINCT_TRIES = 20
_PLACE = 100
"""Characters of the name of a place in a reason."""
_PAGING = frozenset(("cursor", "token", "after", "before"))


@dataclass(slots=True)
class Maker:
    """Makes one value.

    `shift` turns the branches of anyOf and oneOf, so that another one comes first; `sparse` makes only those
    items that must be there.
    """

    root: Json
    random: Random
    fill: Fill
    advice: Advice
    shift: int = 0
    sparse: bool = False
    budget: Budget = field(default_factory=Budget)
    level: int = 0
    slots: list[Slot] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    advised: bool = False

    def make(self, schema: Json, path: Path, refs: tuple[str, ...], required: bool = True) -> Json:
        """Make a value and note its slot before those within it. Raises CannotMakeError with the reason."""
        if len(path) > VALUE_LEVELS:
            raise CannotMakeError(f"it is nested deeper than {VALUE_LEVELS} levels")
        inner = self._inner(schema, refs)
        place = len(self.slots)
        stated = resolve(schema, self.root, self.budget)
        value, settled = self._settled(stated, path, inner)
        self.slots.insert(place, Slot(path, required, types_of(settled), settled, stated))
        return value

    def _settled(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> tuple[Json, Schema]:
        """Make a value for a resolved schema, with the first of its branches that can be made."""
        if len(refs) + len(path) + self.level > 2 * VALUE_LEVELS:
            raise CannotMakeError(f"its branches are nested deeper than {VALUE_LEVELS} levels")
        self.level += 1
        try:
            return self._branched(schema, path, refs)
        finally:
            self.level -= 1

    def _branched(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> tuple[Json, Schema]:
        self.budget.step()
        branches = branch_schemas(schema, self.root, self.budget, self.shift)
        if branches is None:
            return self._value(schema, path, refs), schema
        reason = CannotMakeError("none of its branches can be made")
        for number, branch in enumerate(branches.schemas):
            try:
                merged = branches.merged(number)
                return self._kept(lambda: self._settled(merged, path, self._inner(branch, refs)))  # noqa: B023
            except SpentError:
                raise
            except CannotMakeError as problem:
                reason = problem
        raise reason

    def _kept(self, make: Callable[[], tuple[Json, Schema]]) -> tuple[Json, Schema]:
        """Make a value; where it cannot be made, forget the places that were noted for it."""
        slots, sources = len(self.slots), len(self.sources)
        try:
            return make()
        except CannotMakeError:
            del self.slots[slots:]
            del self.sources[sources:]
            raise

    def _inner(self, schema: Json, refs: tuple[str, ...]) -> tuple[str, ...]:
        target = reference(schema)
        if target is None:
            return refs
        if len(refs) >= VALUE_LEVELS:
            raise CannotMakeError("it refers to itself without end")
        return (*refs, target)

    def _value(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> Json:
        hint = self._hint(schema, path)
        if hint is not None:
            self.budget.spend(weight(hint.value))
            self.sources.append(Source(path, hint.source))
            return hint.value
        match kind_to_make(schema, arguments=not path):
            case "array":
                return self._array(schema, path, refs)
            case "object":
                return self._object(schema, path, refs)
            case kind:
                value = self._scalar(kind, schema)
        self.sources.append(Source(path, f"schema: {kind}"))
        return value

    def _scalar(self, kind: str, schema: Schema) -> Json:
        match kind:
            case "string":
                self.budget.step(PATTERN_STEPS if "pattern" in schema else 1)
                text = make_text(schema, self.random)
                self.budget.spend(len(text))
                return text
            case "integer" | "number":
                return make_number(schema, self.random, whole=kind == "integer")
            case "boolean":
                return self.random.choice((True, False))
            case _:
                return None

    def _hint(self, schema: Schema, path: Path) -> Hint | None:
        """Give the value that the schema prescribes (const, enum), or the first fitting one that is advised.

        Objects with properties are made all the same, so that their properties can be tested.
        """
        if "const" in schema:
            return Hint(schema["const"], "const")
        if "enum" in schema:
            members = enumerated(schema)
            advised = (hint for hint in self.advice(path, schema) if not isinstance(hint.value, dict | list))
            wanted = next((hint for hint in advised if hint.value in members), None)
            return wanted or Hint(self.random.choice(members), "enum")
        if not path or ("properties" in schema and self.fill is not Fill.DEFAULTS):
            return None
        for hint in self.advice(path, schema):
            self.advised = True
            self.budget.step(PATTERN_STEPS if "pattern" in schema else 1)
            if fits(schema, hint.value):
                return hint
        return None

    def _object(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> Json:
        """Make what is required, and by the fill what is optional."""
        properties, required = properties_of(schema), required_of(schema)
        if len(required) > OBJECT_MEMBERS:
            raise CannotMakeError(f"it requires more than {OBJECT_MEMBERS} properties")
        least, most = size_of(schema)
        must = set(required)
        value: dict[str, Json] = {}
        for name in (*(name for name in properties if name in must), *undescribed(required, properties)):
            value[name] = self._property(member_schema(schema, name), name, path, refs, True)
        if len(path) < _OPTIONAL_LEVELS:
            self._optional(self._wanted(schema, properties, must, path), schema, value, path, refs, most)
        while (needed := still_needed(schema, value)) is not None:
            value[needed] = self._property(member_schema(schema, needed), needed, path, refs, True)
        for name in free_names(schema, value, least, self.root, self.random, self.budget):
            value[name] = self._property(member_schema(schema, name), name, path, refs, False)
        return value

    def _wanted(
        self, schema: Schema, properties: Mapping[str, Json], must: set[str], path: Path
    ) -> Sequence[str]:
        """List the optional properties that the fill asks for.

        Where the least did not keep to the schema, constants are added: they tell branches of a oneOf apart.
        """
        optional = [name for name in properties if name not in must][:OBJECT_MEMBERS]
        constants = [name for name in optional if self.shift and _is_constant(properties[name])]
        match self.fill:
            case Fill.MINIMAL:
                return constants
            case Fill.TYPICAL:
                texts = [name for name in optional if _is_asked(name, properties[name])]
                return constants if must or path else [*texts[:1], *constants]
            case Fill.DEFAULTS:
                return [name for name in optional if has_default(properties[name]) or name in constants]
        if not properties and path and isinstance(additional_of(schema), dict):
            return free_names(schema, {}, 1, self.root, self.random, self.budget)
        return optional

    def _optional(
        self,
        names: Sequence[str],
        schema: Schema,
        value: dict[str, Json],
        path: Path,
        refs: tuple[str, ...],
        most: float,
    ) -> None:
        for name in names:
            member = member_schema(schema, name)
            if len(value) >= most or reference(member) in refs:
                continue
            slots, sources = len(self.slots), len(self.sources)
            try:
                value[name] = self._property(member, name, path, refs, False)
            except SpentError:
                raise
            except CannotMakeError as problem:
                del self.slots[slots:]
                del self.sources[sources:]
                self.left_out.append(str(problem))

    def _property(self, schema: Json, name: str, path: Path, refs: tuple[str, ...], required: bool) -> Json:
        self.budget.spend(len(name))
        try:
            return self.make(schema, (*path, name), refs, required)
        except SpentError:
            raise
        except CannotMakeError as problem:
            if problem.placed:
                raise
            place = dotted((*path, name))
            raise CannotMakeError(f"{place[-_PLACE:]}: {problem}", placed=True) from None

    def _array(self, schema: Schema, path: Path, refs: tuple[str, ...]) -> Json:
        plan = plan_array(schema)
        again = reference(plan.rest) in refs and not plan.first
        wanted = plan.least if again or self.sparse else plan.wanted
        made: list[Json] = []
        for number in range(wanted):
            made.append(self._item(plan, number, made, (*path, number), refs))
        return distinct(made) if plan.unique else made

    def _item(
        self, plan: ArrayPlan, number: int, made: list[Json], path: Path, refs: tuple[str, ...]
    ) -> Json:
        """Make an item; where all must differ, one that is not there yet, if a few tries find it."""
        schema = plan.item(number)
        slots, sources = len(self.slots), len(self.sources)
        for _ in range(_DISTINCT_TRIES if plan.unique else 1):
            del self.slots[slots:]
            del self.sources[sources:]
            item = self.make(schema, path, refs)
            if not plan.unique or not any(same(item, other) for other in made):
                break
        return item


def _is_constant(schema: Json) -> bool:
    return isinstance(schema, dict) and "const" in schema


def _is_asked(name: str, schema: Json) -> bool:
    """Whether a property is a text that says what is asked for, and not where a listing goes on."""
    goes_on = bool(_PAGING.intersection(words(name)[-1:]))
    return isinstance(schema, dict) and "string" in types_of(schema) and not goes_on
