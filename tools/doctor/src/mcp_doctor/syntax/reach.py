"""Whether a statement is reached: from it back through its callers to a tool, a start or an import."""

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from mcp_doctor.facts.code import Reach
from mcp_doctor.syntax.found import FoundTool
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, text
from mcp_doctor.syntax.nodes import field as child
from mcp_doctor.syntax.values import Definition, Free, Member, Site, Value

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_VISITED = 400
_MOST_STEPS = 8
_HTTP = re.compile(r"http|sse\b|web|port\b|uvicorn", re.IGNORECASE)
_STDIO = re.compile(r"stdio", re.IGNORECASE)
_NEGATED = re.compile(r"!=|\bnot\b|^!|\(!")
_PROGRAM = re.compile(r"__name__|require\.main|import\.meta")
_HELP = re.compile(r"help|version|usage|status|\btest|login|auth|setup|install|list", re.IGNORECASE)


class Callers(Protocol):
    """What a scan of one language answers."""

    def calls(self, *names: str) -> Iterator[Site]:
        """Give the calls of functions of these names."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a language writes what matters here: node types, and statements that end the program."""

    functions: frozenset[str]
    conditionals: frozenset[str]
    blocks: frozenset[str]
    exits: re.Pattern[str]
    name_of: Callable[["Node"], str]
    blocking: bool
    """Whether serving keeps the function that starts it until the end."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How a statement is reached: when, in a call of which tools (none: of any), through which functions."""

    reach: Reach
    tools: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


@dataclass(slots=True)
class Reaching:
    """Answers for one language.

    `starts` are the calls that begin to serve, `imported` the modules that the server imports, `handlers`
    functions that handle calls of any tool.
    """

    scan: Callers
    target: Callable[[Site], Value]
    syntax: Syntax
    tools: Sequence[FoundTool]
    starts: Sequence[Site]
    imported: frozenset[str]
    handlers: Sequence[Site] = ()
    _definitions: dict[str, int] = field(default_factory=dict)

    def reached(self, site: Site) -> Reached | None:
        """Say how a statement is reached, the worst way first: in calls, at the start, at import."""
        ways = list(self._ways(site))
        tools = tuple(sorted({name for way in ways for name in way.tools}))
        for reach in (Reach.CALL, Reach.START, Reach.IMPORT):
            way = next((one for one in ways if one.reach is reach), None)
            if way is not None:
                return Reached(reach, tools if reach is Reach.CALL else (), way.steps)
        return None

    def _ways(self, site: Site) -> Iterator[Reached]:
        """Go from a statement to its callers; `quiet` once only a call of a tool can still count."""
        pending: deque[tuple[Site, tuple[str, ...], bool]] = deque([(site, (), False)])
        seen: set[tuple[str, int, bool]] = set()
        while pending and len(seen) < _MOST_VISITED:
            at, steps, quiet = pending.popleft()
            handler = self._handler(at)
            if handler is not None:
                yield Reached(Reach.CALL, handler, steps)
                continue
            quiet = quiet or self._is_over(at) or _http_only(at.node, self.syntax)
            if not quiet:
                yield from self._ends(at, steps)
            function = self.function(at)
            if function is None or len(steps) >= _MOST_STEPS:
                continue
            name, key = self.syntax.name_of(function), (at.module.path, function.start_byte, quiet)
            if key in seen or _http_name(name):
                continue
            seen.add(key)
            for caller in self._callers(Site(at.module, function), name):
                pending.append((caller, (name, *steps), quiet))

    def _ends(self, at: Site, steps: tuple[str, ...]) -> Iterator[Reached]:
        if self._before_start(at):
            yield Reached(Reach.START, (), steps)
        elif (
            self.function(at) is None and at.module.path in self.imported and not _is_program(at, self.syntax)
        ):
            yield Reached(Reach.IMPORT, (), steps)

    def _handler(self, at: Site) -> tuple[str, ...] | None:
        names = [one.tool.name for one in self.tools if one.function and _within(at, one.function)]
        if names:
            return tuple(names)
        return () if any(_within(at, handler) for handler in self.handlers) else None

    def function(self, at: Site) -> "Node | None":
        """Give the innermost function around a node."""
        return next((one for one in ancestors(at.node) if one.type in self.syntax.functions), None)

    def _before_start(self, at: Site) -> bool:
        """Tell whether a function that starts the server runs this, before it serves or while it does."""
        function = self.function(at)
        for start in self.starts:
            same = start.module is at.module and self.function(start) == function
            if same and (not self.syntax.blocking or at.node.start_byte < start.node.start_byte):
                return True
        return False

    def _callers(self, function: Site, name: str) -> Iterator[Site]:
        if not name:
            return
        for call in self.scan.calls(name):
            target = self.target(call)
            if isinstance(target, Definition):
                if target.site.node == function.node or (target.is_class and _within(function, target.site)):
                    yield call
            elif isinstance(target, Member) and not isinstance(target.base, Free) and len(name) > 8:
                yield call

    def _is_over(self, at: Site) -> bool:
        """Tell whether the program, or the function that starts it, ends right behind a statement."""
        node = at.node
        for above in ancestors(at.node):
            if above.type in self.syntax.blocks:
                later = above.named_children[_index(above, node) + 1 :]
                if any(self.syntax.exits.match(text(one)[:60]) for one in later):
                    return above.parent is not None and above.parent.type not in self.syntax.functions
                if above.parent is not None and above.parent.type in self.syntax.functions:
                    return False
            if above.type in self.syntax.functions:
                return False
            node = above
        return False


def _index(block: "Node", node: "Node") -> int:
    return next(
        (number for number, one in enumerate(block.named_children) if one == node), len(block.named_children)
    )


def _within(inner: Site, outer: Site) -> bool:
    return (
        inner.module is outer.module
        and outer.node.start_byte <= inner.node.start_byte
        and inner.node.end_byte <= outer.node.end_byte
    )


def _http_name(name: str) -> bool:
    return bool(_HTTP.search(name)) and not _STDIO.search(name)


def _is_program(at: Site, syntax: Syntax) -> bool:
    """Tell whether a statement runs only where its module is the program, not where it is imported."""
    return any(
        above.type in syntax.conditionals and _PROGRAM.search(text(child(above, "condition"))[:200])
        for above in ancestors(at.node)
    )


def _http_only(node: "Node", syntax: Syntax) -> bool:
    """Tell whether a condition lets a statement run only where the server speaks HTTP, or prints help."""
    inner = node
    for above in ancestors(node):
        if above.type in syntax.functions:
            return False
        if above.type in syntax.conditionals:
            condition = text(child(above, "condition"))[:400]
            otherwise = inner.type == "else_clause" or child(above, "alternative") == inner
            if _excludes_stdio(condition, otherwise=otherwise):
                return True
        inner = above
    return False


def _excludes_stdio(condition: str, *, otherwise: bool) -> bool:
    negated = bool(_NEGATED.search(condition))
    if _STDIO.search(condition):
        return negated != otherwise
    if _HTTP.search(condition) or _HELP.search(condition):
        return negated == otherwise
    return False


def import_closure(
    first: Sequence[Module], imports: Callable[[Module], Iterator[Module]]
) -> Sequence[Module]:
    """Give modules and all that they import, at any distance."""
    pending, seen = list(first), {module.path: module for module in first}
    while pending:
        for module in imports(pending.pop()):
            if module.path not in seen:
                seen[module.path] = module
                pending.append(module)
    return list(seen.values())
