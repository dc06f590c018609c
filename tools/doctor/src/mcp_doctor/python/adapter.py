"""Python source: its tools, and what its code does."""

import re
from collections.abc import Iterator, Sequence

from mcp_doctor.discover.read import Reader
from mcp_doctor.facts.code import StdoutWrite
from mcp_doctor.facts.source import LanguageFacts
from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.python.behaviour import bare_catches, imported_modules, stdout_writes, transports
from mcp_doctor.python.evaluate import PythonEvaluator
from mcp_doctor.python.idioms import decorated, low_level, registered
from mcp_doctor.python.mounts import prefixed
from mcp_doctor.python.repository import PythonRepository
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.python.sdk_use import sdk_uses
from mcp_doctor.syntax.found import Found, FoundTool
from mcp_doctor.syntax.selection import ANYTHING, joined, with_words

LANGUAGE = "python"
SUFFIXES = (".py", ".pyw")
_TOOL_WORDS = re.compile(
    rb"@[\w.]*tool|\.tool\b|Tool\(|\bToolAnnotations\b|add_tool|register_tool|\bmcp\b|mcp_types|fastmcp|input_?[sS]chema"
)
_CODE_WORDS = re.compile(rb"\bp?print\(|\becho\(|stdout")
_CATCH_WORDS = re.compile(rb"\bexcept\s*:")


def analyse(reader: Reader) -> LanguageFacts | None:
    """Read all Python files of a tree; None where there are none."""
    paths = [path for path in reader.tree.files if path.endswith(SUFFIXES)]
    if not paths:
        return None
    evaluator = PythonEvaluator(PythonRepository(paths, reader.module))
    scan = PythonScan(evaluator, with_words(reader, paths, _TOOL_WORDS))
    named = list(_found(scan))
    if any(isinstance(one, Unresolved) for one in named):
        scan = PythonScan(evaluator, with_words(reader, paths, ANYTHING))
        named = list(_found(scan))
    tools = [one for one in named if isinstance(one, FoundTool)]
    catching = with_words(reader, paths, _CATCH_WORDS)
    return LanguageFacts(
        LANGUAGE,
        tools=tuple(one.tool for one in tools),
        unresolved=tuple(one for one in named if isinstance(one, Unresolved)),
        writes=tuple(_writes(reader, paths, scan, tools)),
        catches=tuple(bare_catches(catching, tools)),
        uses=tuple(sdk_uses(scan)),
        transports=transports(scan),
    )


def _found(scan: PythonScan) -> Iterator[Found]:
    found = [*decorated.recognise(scan), *registered.recognise(scan), *low_level.recognise(scan)]
    yield from prefixed(scan, _distinct(found))


def _writes(
    reader: Reader, paths: Sequence[str], scan: PythonScan, tools: Sequence[FoundTool]
) -> Iterator[StdoutWrite]:
    """Look for writes in what the server imports, and in what may start it."""
    if tools:
        noisy = with_words(reader, paths, _CODE_WORDS)
        modules = joined(scan.modules, noisy, imported_modules(scan, tools))
        yield from stdout_writes(PythonScan(scan.evaluator, modules), tools)


def _distinct(found: list[Found]) -> Iterator[Found]:
    """Leave out what two idioms found at one place."""
    seen: set[object] = set()
    for one in found:
        key = (one.tool.name, one.tool.place) if isinstance(one, FoundTool) else one.place
        if key not in seen:
            seen.add(key)
            yield one
