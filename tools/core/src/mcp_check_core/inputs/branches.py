"""Schemas of which one must hold: anyOf, oneOf, and the two ways through if/then/else."""

from dataclasses import dataclass

from mcp_check_core.inputs.limits import BRANCHES, Budget, CannotMakeError
from mcp_check_core.inputs.resolve import Schema, merge, resolve
from mcp_check_core.inputs.schema_parts import is_null
from mcp_check_core.model.json_value import Json, json_type


@dataclass(frozen=True, slots=True)
class Branches:
    """The branches to try in order; `rest` is what holds beside them."""

    schemas: tuple[Json, ...]
    rest: Schema
    root: Json
    budget: Budget

    def merged(self, number: int) -> Schema:
        """Combine a branch with what holds beside it. Raises CannotMakeError."""
        return merge(self.rest, resolve(self.schemas[number], self.root, self.budget), self.budget)


def branch_schemas(schema: Schema, root: Json, budget: Budget, shift: int) -> Branches | None:
    """Give the branches of a resolved schema, the one that `shift` picks first, null last; None without any.

    Raises CannotMakeError where they are no list of schemas.
    """
    name = next((name for name in ("anyOf", "oneOf") if name in schema), None)
    if name is not None:
        rest = {key: member for key, member in schema.items() if key != name}
        return Branches(_turned(schema[name], name, shift), rest, root, budget)
    if "if" not in schema:
        return None
    rest = {key: member for key, member in schema.items() if key not in ("if", "then", "else")}
    ways: list[Json] = [
        {"allOf": [schema["if"], schema.get("then", True)]},
        {"allOf": [schema.get("else", True)]},
    ]
    return Branches(_turned(ways, "if", shift), rest, root, budget)


def _turned(branches: Json, name: str, shift: int) -> tuple[Json, ...]:
    if not isinstance(branches, list) or not branches:
        seen = "empty" if branches == [] else json_type(branches)
        raise CannotMakeError(f"its {name} is {seen}, not a list of schemas")
    first = shift % len(branches)
    return tuple(sorted((*branches[first:], *branches[:first]), key=is_null)[:BRANCHES])
