"""Break each stated constraint by one, and keep to it just inside: a pure function of schema and seed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from random import Random

from mcp_check_core.inputs.advice import stated
from mcp_check_core.inputs.arguments import InputSchema, Made
from mcp_check_core.inputs.arrays import same
from mcp_check_core.inputs.edge import Edge
from mcp_check_core.inputs.edges import edges
from mcp_check_core.inputs.filling import Fill, Slot
from mcp_check_core.inputs.generate import Maker
from mcp_check_core.inputs.limits import BRANCHES, Budget, CannotMakeError, weight
from mcp_check_core.inputs.places import Path, at, replaced
from mcp_check_core.judges.schema import Dialect, Judgement, compile_schema
from mcp_check_core.model.json_value import Json

VARIANTS = 1_000
"""Variants of one schema, with what could not be made."""
_WEIGHT = 200_000
"""Characters, members and items of all arguments that are judged for one schema."""
_BRANCH_STEPS = 500
_ALLOWED = "another part of the schema allows what would break it"
_REFUSED = "another part of the schema refuses what would keep to it"
_SPENT = "what is made for one schema is bounded, and that is used up"
_ANY_TYPE: tuple[Json, ...] = (12345, "sample", True, ["sample"], {"sample": 1}, None, 1.5)
_UNJUDGED_FORMATS = ("uuid", "duration")
"""Formats that are younger than the dialect that judges formats."""
_JUDGES_FORMATS = Dialect.DRAFT_7.value


class Side(StrEnum):
    """On which side of a constraint a value is."""

    INSIDE = "inside"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Variant:
    """Arguments in which the value at one path is just inside or just outside of one constraint.

    `judgement` is what the schema says of the arguments: valid inside, invalid outside, or not-judgeable
    where the schema does not judge, as with a format in a dialect that takes it as an annotation (2020-12).
    """

    path: Path
    keyword: str
    side: Side
    arguments: dict[str, Json]
    value: Json
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Unbroken:
    """A constraint of which one side could not be made, and why."""

    path: Path
    keyword: str
    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class Variants:
    """All variants of one schema in their order, and what could not be made."""

    variants: tuple[Variant, ...]
    unbroken: tuple[Unbroken, ...]


def make_variants(inputs: InputSchema, base: Made, seed: str) -> Variants:
    """Make the variants of arguments that keep to their schema. Never raises."""
    try:
        whole = weight(base.value)
    except CannotMakeError as problem:
        return Variants((), (Unbroken((), "further constraints", Side.OUTSIDE, str(problem)),))
    maker = _VariantMaker(inputs, base, Random(f"variants/{seed}"), whole)
    for slot in base.slots:
        if not any(isinstance(part, int) and part for part in slot.path):
            for edge in takewhile(lambda _: not maker.spent, maker.edges(slot)):
                maker.add(slot, edge)
        if maker.spent:
            maker.unbroken.append(Unbroken(slot.path, "further constraints", Side.OUTSIDE, _SPENT))
            break
    return Variants(tuple(maker.variants), tuple(maker.unbroken))


@dataclass(slots=True)
class _VariantMaker:
    """Makes the variants of `base`, which weighs `weight`; `left` is what all of them may still weigh."""

    inputs: InputSchema
    base: Made
    random: Random
    weight: int
    left: int = _WEIGHT
    variants: list[Variant] = field(default_factory=list)
    unbroken: list[Unbroken] = field(default_factory=list)

    @property
    def spent(self) -> bool:
        """Whether what may be made for one schema is used up."""
        return self.left < 0 or len(self.variants) + len(self.unbroken) >= VARIANTS

    def edges(self, slot: Slot) -> Iterator[Edge]:
        """Give the edges of one place; those of the arguments as a whole have no wrong type."""
        value = at(self.base.value, slot.path)
        for edge in edges(slot.schema, value, self.random):
            if slot.path or edge.keyword != "type":
                yield edge
        if not slot.path:
            return
        for keyword in ("anyOf", "oneOf"):
            if keyword in slot.stated:
                yield Edge(keyword, _ANY_TYPE, tuple(self._branches(slot, keyword)))
        if isinstance(slot.stated.get("not"), dict):
            yield Edge("not", tuple(self._made(slot.stated["not"], slot.path, 0)))

    def add(self, slot: Slot, edge: Edge) -> None:
        """Keep the first value outside that the schema refuses, and each one inside that it allows."""
        if edge.reason:
            self._fail(slot, edge, Side.OUTSIDE, edge.reason)
        elif not self._kept(slot, edge, Side.OUTSIDE, edge.outside):
            self._fail(slot, edge, Side.OUTSIDE, _ALLOWED)
        here = at(self.base.value, slot.path)
        for value in edge.inside:
            if not same(value, here) and not self._kept(slot, edge, Side.INSIDE, (value,)):
                self._fail(slot, edge, Side.INSIDE, _REFUSED)

    def _kept(self, slot: Slot, edge: Edge, side: Side, values: tuple[Json, ...]) -> bool:
        """Keep the first value that is on this side of its constraint."""
        for value in values:
            try:
                self.left -= self.weight + weight(value)
            except CannotMakeError:
                continue
            if self.spent:
                return True
            arguments = replaced(self.base.value, slot.path, value)
            judgement = self._judgement(slot, edge, side, arguments, value)
            if judgement is not None and isinstance(arguments, dict):
                self.variants.append(Variant(slot.path, edge.keyword, side, arguments, value, judgement))
                return True
        return False

    def _judgement(
        self, slot: Slot, edge: Edge, side: Side, arguments: Json, value: Json
    ) -> Judgement | None:
        """Judge arguments; None where they are on the other side than they are meant to be."""
        judgement = self.inputs.judge(arguments)
        if judgement is Judgement.NOT_JUDGEABLE:
            return judgement
        if edge.keyword == "format" and side is Side.OUTSIDE and judgement is Judgement.VALID:
            return Judgement.NOT_JUDGEABLE if _breaks_format(slot.schema["format"], value) else None
        wanted = Judgement.VALID if side is Side.INSIDE else Judgement.INVALID
        return judgement if judgement is wanted else None

    def _fail(self, slot: Slot, edge: Edge, side: Side, reason: str) -> None:
        self.unbroken.append(Unbroken(slot.path, edge.keyword, side, reason))

    def _branches(self, slot: Slot, keyword: str) -> Iterator[Json]:
        """Make a value for each branch."""
        branches = slot.stated[keyword]
        if isinstance(branches, list):
            for shift in range(min(len(branches), BRANCHES)):
                yield from self._made(dict(slot.stated), slot.path, shift)

    def _made(self, schema: Json, path: Path, shift: int) -> Iterator[Json]:
        budget = Budget(steps=_BRANCH_STEPS)
        maker = Maker(self.inputs.schema, self.random, Fill.MINIMAL, stated, shift, budget=budget)
        try:
            yield maker.make(schema, path, ())
        except CannotMakeError:
            return


def _breaks_format(form: Json, value: Json) -> bool:
    """Tell whether a value breaks a format, by a dialect in which formats are rules."""
    judge = compile_schema({"$schema": _JUDGES_FORMATS, "type": "string", "format": form})
    return form in _UNJUDGED_FORMATS or judge.judge(value) is Judgement.INVALID
