"""The calls to make: a pure function of definitions, options and seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from mcp_check_core.inputs.arguments import Made, Recipe, make_arguments, read_input_schema
from mcp_check_core.inputs.filling import Fill, Slot
from mcp_check_core.inputs.places import dotted, pointer, replaced, without
from mcp_check_core.inputs.wrong_types import wrong_values
from mcp_check_core.judges.schema import Judgement
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.model.tool import ToolDefinition
from mcp_fuzz.facts.case import Case, Phase, Validity
from mcp_fuzz.options import Depth

CASES_PER_TOOL = 500
_EXAMPLES = 3
"""Whole examples in a schema that are sent."""


_VALIDITY = {
    Judgement.VALID: Validity.VALID,
    Judgement.INVALID: Validity.INVALID,
    Judgement.NOT_JUDGEABLE: Validity.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Cases of a tool that were not made or not sent, and why."""

    tool: str
    cases: str
    reason: str


@dataclass(frozen=True, slots=True)
class ToolCases:
    """The cases of one tool in order, what was left out, and why its schema cannot judge (None: it can)."""

    tool: str
    cases: tuple[Case, ...]
    left_out: tuple[LeftOut, ...] = ()
    unjudged: str | None = None


def tool_cases(tool: ToolDefinition, *, seed: int, depth: Depth) -> ToolCases:
    """Make the cases of one tool. Never raises, whatever its definition holds."""
    maker = _CaseMaker(tool, seed, depth)
    valid = list(maker.valid())
    cases = [*valid, *islice(chain(maker.missing(), maker.wrong_type()), CASES_PER_TOOL)]
    if len(cases) > CASES_PER_TOOL:
        maker.leave_out("further cases", f"there are more than {CASES_PER_TOOL} for one tool")
    return ToolCases(tool.label, tuple(cases[:CASES_PER_TOOL]), tuple(maker.left_out), maker.inputs.problem)


def within(plans: Sequence[ToolCases], most: int) -> tuple[ToolCases, ...]:
    """Keep at most `most` cases in all: the first of each tool, then the second of each, and so on."""
    counts = [0] * len(plans)
    left = most
    while left > 0 and any(count < len(plan.cases) for count, plan in zip(counts, plans, strict=True)):
        for number, plan in enumerate(plans):
            if left > 0 and counts[number] < len(plan.cases):
                counts[number] += 1
                left -= 1
    return tuple(_first(plan, count) for plan, count in zip(plans, counts, strict=True))


def _first(plan: ToolCases, count: int) -> ToolCases:
    if count == len(plan.cases):
        return plan
    reason = f"{len(plan.cases) - count} of {len(plan.cases)} are over --max-calls"
    left_out = (*plan.left_out, LeftOut(plan.tool, "further cases", reason))
    return ToolCases(plan.tool, plan.cases[:count], left_out, plan.unjudged)


class _CaseMaker:
    """Makes the cases of one tool, phase by phase."""

    def __init__(self, tool: ToolDefinition, seed: int, depth: Depth) -> None:
        self.tool = tool
        self.seed = seed
        self.depth = depth
        self.inputs = read_input_schema(tool.input_schema)
        self.left_out: list[LeftOut] = []
        self.base: Made | None = None

    def leave_out(self, cases: str, reason: str) -> None:
        self.left_out.append(LeftOut(self.tool.label, cases, reason))

    def valid(self) -> Iterator[Case]:
        """Make valid calls: the least, everything, the defaults, whole examples; equal ones once."""
        seen: set[bytes] = set()
        for variant, made in self._variants():
            key = canonical_json(made.value)
            if key not in seen:
                seen.add(key)
                yield self._case(Phase.VALID, made.value, _VALIDITY[made.judgement], variant=variant)

    def missing(self) -> Iterator[Case]:
        """Leave out each required property, also in nested objects and the first items of arrays."""
        if self.base is None:
            yield from self._without_anything()
            return
        for slot in self._slots(self.base):
            if slot.required:
                yield from self._bad(Phase.MISSING, slot, without(self.base.value, slot.path))

    def wrong_type(self) -> Iterator[Case]:
        """Give each property whose schema names a type a value of another one, or of each other one."""
        if self.base is None:
            return
        for slot in self._slots(self.base):
            if not slot.types:
                continue
            found = 0
            for value in wrong_values(slot.types):
                if found and self.depth is not Depth.DEEP:
                    break
                arguments = replaced(self.base.value, slot.path, value)
                for case in self._bad(Phase.WRONG_TYPE, slot, arguments, value):
                    found += 1
                    yield case

    def _variants(self) -> Iterator[tuple[str, Made]]:
        for variant, fill in (("minimal", Fill.MINIMAL), ("full", Fill.FULL), ("defaults", Fill.DEFAULTS)):
            made = self._made(variant, fill)
            if made is not None:
                if self.base is None or variant == "full":
                    self.base = made
                yield variant, made
        for number, example in enumerate(self._examples(), start=1):
            judgement = self.inputs.judge(example)
            if judgement is not Judgement.INVALID:
                yield f"example {number}", Made(example, judgement)

    def _made(self, variant: str, fill: Fill) -> Made | None:
        """Make arguments that the schema does not refuse, or note why there are none."""
        made = make_arguments(self.inputs, Recipe(fill, f"{self.seed}/{self.tool.name}"))
        if isinstance(made, Made):
            for name in made.left_out:
                self.leave_out(f"{variant} without an optional property", name)
            return made
        if variant != "defaults":
            self.leave_out(f"valid {variant}", made.reason)
        return None

    def _judge(self, arguments: Json) -> Validity:
        return _VALIDITY[self.inputs.judge(arguments)]

    def _examples(self) -> list[dict[str, Json]]:
        schema = self.tool.input_schema
        examples = schema.get("examples") if isinstance(schema, dict) else None
        return (
            [item for item in examples[:_EXAMPLES] if isinstance(item, dict)]
            if isinstance(examples, list)
            else []
        )

    def _without_anything(self) -> Iterator[Case]:
        """Where no valid call can be made, send one without arguments all the same."""
        validity = self._judge({})
        if validity is not Validity.VALID:
            yield self._case(Phase.MISSING, {}, validity, variant="all arguments")

    def _slots(self, made: Made) -> Iterator[Slot]:
        """Give the properties outside of further array items, which show nothing new."""
        return (
            slot
            for slot in made.slots
            if slot.path
            and isinstance(slot.path[-1], str)
            and not any(isinstance(part, int) and part for part in slot.path)
        )

    def _bad(self, phase: Phase, slot: Slot, arguments: Json, sent: Json = None) -> Iterator[Case]:
        """Make a bad case, unless the schema allows it after all."""
        validity = self._judge(arguments)
        if validity is not Validity.VALID and isinstance(arguments, dict):
            yield Case(
                tool=self.tool.label,
                name=self.tool.name or "",
                phase=phase,
                arguments=arguments,
                validity=validity,
                parameter=dotted(slot.path),
                pointer=pointer(slot.path),
                wanted=slot.types,
                sent=sent,
            )

    def _case(self, phase: Phase, arguments: dict[str, Json], validity: Validity, variant: str) -> Case:
        return Case(self.tool.label, self.tool.name or "", phase, arguments, validity, variant)
