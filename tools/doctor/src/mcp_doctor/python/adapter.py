"""Python source: its tools, and what its code does."""

from collections.abc import Iterator

from mcp_doctor.discover.read import Reader
from mcp_doctor.facts.source import LanguageFacts
from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.python.behaviour import bare_catches, stdout_writes, transports
from mcp_doctor.python.evaluate import PythonEvaluator
from mcp_doctor.python.idioms import decorated, low_level, registered
from mcp_doctor.python.mounts import prefixed
from mcp_doctor.python.repository import PythonRepository
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.python.sdk_use import sdk_uses
from mcp_doctor.syntax.found import Found, FoundTool

LANGUAGE = "python"
SUFFIXES = (".py", ".pyw")
_TRIGGERS = (b"tool", b"Tool", b"mcp", b"print(", b"stdout", b"except")


def analyse(reader: Reader) -> LanguageFacts | None:
    """Read all Python files of a tree; None where there are none."""
    paths = [path for path in reader.tree.files if path.endswith(SUFFIXES)]
    if not paths:
        return None
    modules = []
    for path in paths:
        source = reader.text(path)
        if source is not None and any(word in source for word in _TRIGGERS):
            module = reader.module(path)
            modules += [module] if module is not None else []
        else:
            reader.forget(path)
    evaluator = PythonEvaluator(PythonRepository(paths, reader.module))
    scan = PythonScan(evaluator, modules)
    found = _distinct([*decorated.recognise(scan), *registered.recognise(scan), *low_level.recognise(scan)])
    named = list(prefixed(scan, found))
    tools = [one for one in named if isinstance(one, FoundTool)]
    return LanguageFacts(
        LANGUAGE,
        tools=tuple(one.tool for one in tools),
        unresolved=tuple(one for one in named if isinstance(one, Unresolved)),
        writes=tuple(stdout_writes(scan, tools)),
        catches=tuple(bare_catches(modules, tools)),
        uses=tuple(sdk_uses(scan)),
        transports=transports(scan),
    )


def _distinct(found: list[Found]) -> Iterator[Found]:
    """Leave out what two idioms found at one place."""
    seen: set[object] = set()
    for one in found:
        key = (one.tool.name, one.tool.place) if isinstance(one, FoundTool) else one.place
        if key not in seen:
            seen.add(key)
            yield one
