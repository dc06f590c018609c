"""How much work a schema asks for on one value: references can make that exponential.

`allOf`, `anyOf`, `$ref` and the like apply further schemas to the same value. A definition that refers twice
to the next one, which refers twice to the next, asks for 2ⁿ evaluations in n lines. Walking into properties
and items costs nothing here, since it uses up the value.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from mcp_check_core.judges.shape import children
from mcp_check_core.model.json_value import Json

IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
IN_PLACE = ("not", "if", "then", "else")
IN_PLACE_MAPS = ("dependentSchemas", "dependencies")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


def in_place_cost(root: Json, bound: int) -> int:
    """Count the evaluations that the costliest subschema asks for on one value; stops above `bound`.

    A reference back to a schema that is being evaluated counts once. The schema's depth must be bounded
    before; the walk itself keeps a stack of its own.
    """
    known: dict[int, int] = {}
    worst = 0
    stack = [root]
    while stack:
        schema = stack.pop()
        if isinstance(schema, dict):
            worst = max(worst, _cost(root, schema, known, bound))
            if worst > bound:
                return worst
        stack.extend(children(schema))
    return worst


def _cost(root: Json, start: dict[str, Json], known: dict[int, int], bound: int) -> int:
    """Add up in post-order; `known` maps a subschema's identity to its cost, 1 while it is being added up."""
    work: list[tuple[dict[str, Json], bool]] = [(start, False)]
    while work:
        schema, counted = work.pop()
        if counted:
            below = sum(known[id(child)] for child in _applied(root, schema))
            known[id(schema)] = min(1 + below, bound + 1)
        elif id(schema) not in known:
            known[id(schema)] = 1
            work.append((schema, True))
            work.extend((child, False) for child in _applied(root, schema))
    return known[id(start)]


def _applied(root: Json, schema: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """Yield the schemas that are applied to the same value as this one."""
    for keyword in IN_PLACE_LISTS:
        branches = schema.get(keyword)
        if isinstance(branches, list):
            yield from (branch for branch in branches if isinstance(branch, dict))
    for keyword in IN_PLACE:
        branch = schema.get(keyword)
        if isinstance(branch, dict):
            yield branch
    for keyword in IN_PLACE_MAPS:
        named = schema.get(keyword)
        if isinstance(named, dict):
            yield from (branch for branch in named.values() if isinstance(branch, dict))
    for keyword in REFERENCES:
        target = resolve_local(root, schema.get(keyword))
        if isinstance(target, dict):
            yield target


def resolve_local(root: Json, reference: Json) -> Json:
    """Find what a reference within the document (`#`, `#/a/b`) points at; None where there is nothing.

    Anchors and references to other documents give None: they are the validator's business.
    """
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    here: Json = root
    for part in reference[2:].split("/"):
        token = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(here, dict) and token in here:
            here = here[token]
        elif isinstance(here, list) and token.isascii() and token.isdigit() and int(token) < len(here):
            here = here[int(token)]
        else:
            return None
    return here
