"""What calls in JavaScript and TypeScript are worth: their parts, or their result where that is plain."""

from typing import TYPE_CHECKING

from mcp_doctor.script.bindings import FUNCTIONS
from mcp_doctor.script.members import returned_expression
from mcp_doctor.script.zod import CONVERTERS
from mcp_doctor.syntax.nodes import field
from mcp_doctor.syntax.texts import joined, part_of
from mcp_doctor.syntax.values import (
    Call,
    Constant,
    Definition,
    Fields,
    Free,
    Items,
    Member,
    Partial,
    Site,
    Unknown,
    Value,
    as_string,
)

if TYPE_CHECKING:
    from mcp_doctor.script.evaluate import Evaluation

_PLAIN_TEXT = frozenset({"trim", "trimStart", "trimEnd", "toString", "replace", "replaceAll"})


def call(run: "Evaluation", site: Site, depth: int) -> Value:
    """Evaluate a call to its result, where that is plain, else to its parts."""
    callee = run.child(site, "constructor" if site.node.type == "new_expression" else "function", depth)
    arguments = field(site.node, "arguments")
    args: list[Value] = []
    complete = True
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "spread_element":
            complete = False
        elif child.type != "comment":
            args.append(run.value(site.module, child, depth))
    made = Call(callee, tuple(args), (), site, complete)
    return made if site.node.type == "new_expression" else _worth(run, made, depth)


def _worth(run: "Evaluation", made: Call, depth: int) -> Value:
    """Follow calls whose result is plain: methods of texts and lists, small functions, `Object.freeze`."""
    callee = made.callee
    if (
        isinstance(callee, Member)
        and isinstance(callee.base, Constant | Partial)
        and callee.name in _PLAIN_TEXT
    ):
        content = callee.base.text if isinstance(callee.base, Partial) else str(callee.base.value)
        whole = isinstance(callee.base, Constant) and callee.name.startswith("trim")
        return Constant(content.strip(), made.site) if whole else Partial(content, made.site)
    if isinstance(callee, Member) and isinstance(callee.base, Items):
        return _of_list(callee.base, callee.name, made)
    if (
        isinstance(callee, Member)
        and callee.name in ("freeze", "values", "fromEntries")
        and isinstance(callee.base, Free)
    ):
        return _of_object(callee.name, made)
    if isinstance(callee, Definition) and not callee.is_class and callee.name not in CONVERTERS:
        returned = returned_expression(callee.site.node)
        if returned is not None and callee.site.node.type in FUNCTIONS:
            inner = run.within(run.bind(callee.site, made.args, depth))
            value = inner.value(callee.site.module, returned, depth + 3)
            run.steps = inner.steps
            if not isinstance(value, Unknown):
                return value
    return made


def _of_list(base: Items, method: str, made: Call) -> Value:
    if method == "join" and base.items:
        between = as_string(made.args[0]) if made.args else ","
        parts = [part for item in base.items for part in (between, part_of(item))][1:]
        return joined(parts if base.complete else [*parts, None], made.site)
    if method == "concat":
        lists = [one for one in made.args if isinstance(one, Items)]
        items = (*base.items, *(item for one in lists for item in one.items))
        return Items(items, made.site, base.complete and len(lists) == len(made.args))
    if method in ("filter", "slice", "sort", "flat"):
        return Items(base.items, made.site, complete=False)
    return made


def _of_object(method: str, made: Call) -> Value:
    first = made.args[0] if made.args else None
    if method == "freeze" and first is not None:
        return first
    if method == "values" and isinstance(first, Fields):
        return Items(tuple(value for _, value in first.entries), made.site, first.complete)
    return made
