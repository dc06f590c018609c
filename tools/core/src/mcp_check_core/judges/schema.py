"""The one constructor of JSON Schema validators.

Schemas and values are a stranger's. Patterns match in linear time, no reference leaves the document, and a
schema that cannot be judged so is "not judgeable": a third answer beside valid and invalid, never a guess.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import Any

import jsonschema_rs

from mcp_check_core.judges.schema_cost import in_place_cost
from mcp_check_core.judges.shape import depth, encodable, nodes
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, json_type

DEPTH_BOUND = 127
"""Levels of a schema, or of a value, that are judged."""
NODES_BOUND = 1_000_000
COST_BOUND = 10_000
"""Evaluations on one value that a schema may ask for (see `schema_cost`)."""
_PATTERN_BYTES = 1024 * 1024
_NO_REGEX = ' is not a "regex"'


class Dialect(StrEnum):
    """A dialect that we judge, by the URI that `$schema` names; 2020-12 where it names none."""

    DRAFT_4 = "http://json-schema.org/draft-04/schema"
    DRAFT_6 = "http://json-schema.org/draft-06/schema"
    DRAFT_7 = "http://json-schema.org/draft-07/schema"
    DRAFT_2019_09 = "https://json-schema.org/draft/2019-09/schema"
    DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"


_CLASSES: dict[Dialect, Any] = {
    Dialect.DRAFT_4: jsonschema_rs.Draft4Validator,
    Dialect.DRAFT_6: jsonschema_rs.Draft6Validator,
    Dialect.DRAFT_7: jsonschema_rs.Draft7Validator,
    Dialect.DRAFT_2019_09: jsonschema_rs.Draft201909Validator,
    Dialect.DRAFT_2020_12: jsonschema_rs.Draft202012Validator,
}


class Judgement(StrEnum):
    """What a schema says of a value."""

    VALID = "valid"
    INVALID = "invalid"
    NOT_JUDGEABLE = "not-judgeable"


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """One way in which a value breaks a schema: JSON pointers into both, the keyword, a bounded message."""

    pointer: str
    schema_pointer: str
    keyword: str
    message: str


class SchemaValidator:
    """A schema, ready to judge values.

    `faults` says where the schema breaks the rules of its own dialect (then it judges nothing). `problem`
    says in one clause why a legal schema cannot be judged by us. Where both are empty, `judge` answers.
    """

    def __init__(
        self,
        schema: Json,
        dialect: Dialect | None,
        *,
        faults: tuple[SchemaFault, ...] = (),
        problem: str | None = None,
        compiled: Any = None,  # noqa: ANN401 - the library's classes share no base
    ) -> None:
        """Hold what `compile_schema` made."""
        self.schema = schema
        self.dialect = dialect
        self.faults = faults
        self.problem = problem
        self._compiled = compiled

    @property
    def judges(self) -> bool:
        """Whether values can be judged."""
        return self._compiled is not None

    def judge(self, value: Json) -> Judgement:
        """Say whether a value fits; over the bounds of depth or size it is not judgeable. Never raises."""
        if self._compiled is None or not _fit(value):
            return Judgement.NOT_JUDGEABLE
        try:
            return Judgement.VALID if self._compiled.is_valid(value) else Judgement.INVALID
        except (ValueError, RecursionError, OverflowError):
            return Judgement.NOT_JUDGEABLE

    def explain(self, value: Json, limit: int = 10) -> tuple[SchemaFault, ...]:
        """List up to `limit` ways in which a value breaks the schema; none where it cannot be judged."""
        if self.judge(value) is not Judgement.INVALID:
            return ()
        return tuple(_faults(self._compiled.iter_errors(value), limit))


def compile_schema(schema: Json, default: Dialect = Dialect.DRAFT_2020_12) -> SchemaValidator:
    """Make a validator of a schema, whatever it is. Never raises, never loops, never asks the network."""
    if not isinstance(schema, dict | bool):
        fault = SchemaFault("", "", "type", f"a schema is an object or a boolean, not {json_type(schema)}")
        return SchemaValidator(schema, None, faults=(fault,))
    if (unfit := _unfit(schema)) is not None:
        return SchemaValidator(schema, None, problem=unfit)
    dialect = _dialect(schema, default)
    if dialect is None:
        named = schema.get("$schema") if isinstance(schema, dict) else None
        return SchemaValidator(schema, None, problem=f"its dialect {cut_text(str(named), 80)!r} is unknown")
    if faults := tuple(_faults(_meta(dialect).iter_errors(schema), 5)):
        return SchemaValidator(schema, dialect, faults=faults)
    if in_place_cost(schema, COST_BOUND) > COST_BOUND:
        problem = f"its references ask for more than {COST_BOUND} evaluations of one value"
        return SchemaValidator(schema, dialect, problem=problem)
    try:
        compiled = _CLASSES[dialect](
            schema,
            retriever=_refuse,
            pattern_options=jsonschema_rs.RegexOptions(
                size_limit=_PATTERN_BYTES, dfa_size_limit=_PATTERN_BYTES
            ),
        )
    except (ValueError, jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError) as problem:
        return SchemaValidator(schema, dialect, problem=_reason(problem))
    return SchemaValidator(schema, dialect, compiled=compiled)


def _unfit(schema: Json) -> str | None:
    if depth(schema, DEPTH_BOUND) > DEPTH_BOUND:
        return f"it is nested over {DEPTH_BOUND} levels"
    if nodes(schema, NODES_BOUND) > NODES_BOUND:
        return f"it holds more than {NODES_BOUND} values"
    return None if encodable(schema) else "it holds half of a surrogate pair"


def _fit(value: Json) -> bool:
    return (
        depth(value, DEPTH_BOUND) <= DEPTH_BOUND
        and nodes(value, NODES_BOUND) <= NODES_BOUND
        and encodable(value)
    )


def _dialect(schema: Json, default: Dialect) -> Dialect | None:
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if named is None:
        return default
    try:
        return Dialect(named.rstrip("#")) if isinstance(named, str) else None
    except ValueError:
        return None


@cache
def _meta(dialect: Dialect) -> Any:  # noqa: ANN401 - the library's classes share no base
    """Judge schemas of one dialect: by its own meta-schema, which the library brings along."""
    return _CLASSES[dialect]({"$ref": dialect.value}, retriever=_refuse, validate_formats=False)


def _refuse(uri: str) -> Json:
    raise ValueError(f"{cut_text(uri, 80)} lies outside the document")


def _reason(problem: Exception) -> str:
    """Say why a legal schema does not compile: a pattern, a reference, or the library's own words."""
    message = getattr(problem, "message", None) or str(problem)
    first = cut_text(message.splitlines()[0] if message else type(problem).__name__, 160)
    if first.endswith(_NO_REGEX):
        return f"its pattern {first.removesuffix(_NO_REGEX)} cannot be matched in linear time"
    return f"it cannot be compiled: {first}"


def _faults(errors: Iterator[Any], limit: int) -> Iterator[SchemaFault]:
    for error in islice(errors, limit):
        yield SchemaFault(
            pointer=_pointer(error.instance_path),
            schema_pointer=_pointer(error.schema_path),
            keyword=error.kind.name,
            message=cut_text(error.message, 200),
        )


def _pointer(path: list[str | int]) -> str:
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
