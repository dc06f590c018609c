"""Arguments for a tool: made from its input schema, judged by the validator, or why there are none."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from mcp_check_core.inputs.advice import Advice, Hint, defaults, stated
from mcp_check_core.inputs.filling import Fill, Slot, Source
from mcp_check_core.inputs.generate import Maker
from mcp_check_core.inputs.limits import SCHEMA_VALUES, Budget, CannotMakeError, SpentError
from mcp_check_core.inputs.places import Path, dotted
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.judges.schema import Judgement, SchemaValidator, compile_schema
from mcp_check_core.judges.shape import nodes
from mcp_check_core.model.json_value import Json, json_type

_SHIFTS = 4
"""Turns of the branches of anyOf, oneOf and if that are tried until the schema is kept to."""


@dataclass(frozen=True, slots=True)
class InputSchema:
    """An input schema that is ready to judge and to make arguments from.

    `problem` says in a few words why it cannot judge, None where it can.
    """

    schema: Json
    validator: SchemaValidator
    problem: str | None

    def judge(self, arguments: Json) -> Judgement:
        """Say whether arguments fit."""
        return self.validator.judge(arguments)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How arguments are made; `seed` and the schema alone decide on them.

    `advice` gives the values to prefer, None what the schema states itself.
    """

    fill: Fill = Fill.FULL
    seed: str = "0"
    advice: Advice | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """Arguments, with their slots and the source of each value in the order in which they were made.

    `judgement` is valid, or not-judgeable where the schema cannot judge. `left_out` says which optional
    properties could not be made.
    """

    value: dict[str, Json]
    judgement: Judgement
    slots: tuple[Slot, ...] = ()
    sources: tuple[Source, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def input_source(self) -> dict[str, Json]:
        """Say for each place, named as people do (`filter.tags[0]`), where its value comes from."""
        return {dotted(source.path): source.source for source in self.sources}


@dataclass(frozen=True, slots=True)
class NotMade:
    """There are no arguments, or none within bounds; `reason` says why in a few words."""

    reason: str


def read_input_schema(schema: Json) -> InputSchema:
    """Take the input schema of a tool, whatever it is. Never raises."""
    if nodes(schema, SCHEMA_VALUES) > SCHEMA_VALUES:
        problem = f"the input schema holds more than {SCHEMA_VALUES} values"
        return InputSchema(schema, SchemaValidator(None, None, problem=problem), problem)
    validator = compile_schema(schema)
    return InputSchema(schema, validator, _problem(schema, validator))


def make_arguments(inputs: InputSchema, recipe: Recipe) -> Made | NotMade:
    """Make arguments that the schema does not refuse. Never raises.

    A schema that is no object gives a call without arguments. What is advised may break the schema as a
    whole; then it is made without advice, and with other branches.
    """
    schema = inputs.schema if isinstance(inputs.schema, dict | bool) else {}
    budget = Budget()
    reason = "what could be made does not keep to the whole schema"
    for shift in range(_SHIFTS):
        for advice in (_advice(recipe), _none):
            try:
                made, advised = _make(schema, recipe, advice, shift, budget, inputs)
            except SpentError as problem:
                return NotMade(str(problem))
            except CannotMakeError as problem:
                reason, made, advised = str(problem), None, True
            if made is not None:
                return made
            if not advised:
                break
    return NotMade(reason)


def _make(
    schema: Json, recipe: Recipe, advice: Advice, shift: int, budget: Budget, inputs: InputSchema
) -> tuple[Made | None, bool]:
    """Make arguments once: None where the schema refuses them; and whether advice was asked for a value."""
    budget.characters = Budget().characters
    maker = Maker(
        schema, Random(_seed(recipe, shift)), recipe.fill, advice, shift, shift == _SHIFTS - 1, budget
    )
    value = maker.make(schema, (), ())
    if not isinstance(value, dict):
        raise CannotMakeError(f"arguments are an object, and its schema wants {json_type(value)}")
    judgement = inputs.judge(value)
    if judgement is Judgement.INVALID:
        return None, maker.advised
    found = Made(value, judgement, tuple(maker.slots), tuple(maker.sources), tuple(maker.left_out))
    return found, maker.advised


def _seed(recipe: Recipe, shift: int) -> str:
    """Give each try after the first a seed of its own, so that it does not draw the same values again."""
    return f"{recipe.seed}/{shift}" if shift else recipe.seed


def _advice(recipe: Recipe) -> Advice:
    if recipe.advice is not None:
        return recipe.advice
    return defaults if recipe.fill is Fill.DEFAULTS else stated


def _none(_path: Path, _schema: Schema) -> Iterator[Hint]:
    return iter(())


def _problem(schema: Json, validator: SchemaValidator) -> str | None:
    if validator.judges:
        return None
    if schema is None:
        return "there is no input schema"
    if not isinstance(schema, dict | bool):
        return f"the input schema is {json_type(schema)}, not an object"
    if validator.faults:
        fault = validator.faults[0]
        return f"the input schema breaks its dialect at {fault.pointer or '/'}: {fault.message}"
    return f"the input schema cannot judge: {validator.problem}"
