"""What calls in Python are worth: their parts, or their result where that is plain."""

from typing import TYPE_CHECKING

from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.texts import concatenated
from mcp_doctor.syntax.values import (
    Call,
    Constant,
    Definition,
    External,
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
    from tree_sitter import Node

    from mcp_doctor.python.evaluate import Evaluation

_PLAIN_TEXT = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "title", "format", "replace"})
_DEDENTING = frozenset({"textwrap.dedent", "inspect.cleandoc", "dedent", "cleandoc"})


def call(run: "Evaluation", site: Site, depth: int) -> Value:
    """Evaluate a call to its result, where that is plain, else to its parts."""
    return _worth(run, plain_call(run, site, depth), depth)


def plain_call(run: "Evaluation", site: Site, depth: int) -> Call:
    """Evaluate the parts of a call, not its result."""
    callee = run.child(site, "function", depth)
    arguments = field(site.node, "arguments")
    args: list[Value] = []
    keywords: list[tuple[str, Value]] = []
    complete = True
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "keyword_argument":
            keywords.append((text(field(child, "name")), run.child(Site(site.module, child), "value", depth)))
        elif child.type == "dictionary_splat":
            inner = run.value(site.module, child.named_children[0], depth) if child.named_children else None
            if isinstance(inner, Fields):
                keywords.extend(inner.entries)
            complete = complete and isinstance(inner, Fields) and inner.complete
        elif child.type == "list_splat":
            complete = False
        elif child.type != "comment":
            args.append(run.value(site.module, child, depth))
    return Call(callee, tuple(args), tuple(keywords), site, complete)


def _worth(run: "Evaluation", made: Call, depth: int) -> Value:
    """Follow calls whose result is plain: methods of texts, and functions that only return something."""
    callee = made.callee
    if (
        isinstance(callee, Member)
        and callee.name in _PLAIN_TEXT
        and isinstance(callee.base, Constant | Partial)
    ):
        return _text_method(callee, made)
    if (
        isinstance(callee, Member)
        and callee.name == "join"
        and as_string(callee.base) is not None
        and made.args
    ):
        parts = made.args[0].items if isinstance(made.args[0], Items) else ()
        return concatenated(parts, made.site) if parts else Partial("…", made.site)
    if isinstance(callee, External | Free) and callee.name in _DEDENTING and made.args:
        return made.args[0]
    if (
        isinstance(callee, Free)
        and callee.name in ("str", "list", "tuple", "set", "sorted")
        and len(made.args) == 1
    ):
        return made.args[0]
    if isinstance(callee, Definition) and not callee.is_class:
        returned = _returned(callee)
        if returned is not None:
            inner = run.within(run.bind(callee.site, made, depth))
            value = inner.value(callee.site.module, returned, depth + 3)
            run.steps = inner.steps
            if not isinstance(value, Unknown):
                return value
    return made


def _text_method(callee: Member, made: Call) -> Value:
    base = callee.base
    content = (
        base.text if isinstance(base, Partial) else str(base.value) if isinstance(base, Constant) else ""
    )
    if callee.name in ("format", "replace") or isinstance(base, Partial):
        return Partial(content, made.site)
    simple: str = getattr(content, callee.name)() if not made.args else content
    return Constant(simple, made.site)


def _returned(function: Definition) -> "Node | None":
    """Give what a function returns, where returning is all that it does."""
    body = field(function.site.node, "body")
    statements = [node for node in body.named_children if node.type != "comment"] if body is not None else []
    if (
        statements
        and statements[0].type == "expression_statement"
        and statements[0].named_children[:1]
        and statements[0].named_children[0].type == "string"
    ):
        statements = statements[1:]
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    return next(iter(statements[0].named_children), None)
