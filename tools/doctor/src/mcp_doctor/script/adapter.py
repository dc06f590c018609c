"""JavaScript and TypeScript source: its tools, and what its code does."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from mcp_doctor.discover.exclusions import BUILT, Exclusion
from mcp_doctor.discover.read import Reader
from mcp_doctor.discover.tree import Excluded
from mcp_doctor.facts.code import StdoutWrite
from mcp_doctor.facts.source import LanguageFacts
from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.script.behaviour import imported_modules, sdk_uses, stdout_writes, transports
from mcp_doctor.script.evaluate import ScriptEvaluator
from mcp_doctor.script.idioms import classes, objects, registered
from mcp_doctor.script.repository import ScriptRepository
from mcp_doctor.script.scan import ScriptScan
from mcp_doctor.syntax.found import Found, FoundTool
from mcp_doctor.syntax.selection import ANYTHING, joined, with_words

LANGUAGE = "typescript"
SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx")
_TOOL_WORDS = re.compile(
    rb"Tool|\.tool\(|\btools\b|\bmcp\b|modelcontextprotocol|fastmcp|input_?[sS]chema|toolName|StdioServer|serveStdio"
)
_CODE_WORDS = re.compile(rb"\bconsole\.|process\.stdout")


def analyse(reader: Reader) -> LanguageFacts | None:
    """Read the files of a tree; what a build made is read only where the sources hold no tool."""
    paths = [path for path in reader.tree.files if path.endswith(SUFFIXES)]
    if not paths:
        return None
    known = frozenset(paths)
    built = [path for path in paths if _is_built(path) and not _has_twin(path, known)]
    sources = [path for path in paths if not _is_built(path)]
    facts = _analyse(reader, sources)
    left = {path for path in paths if _is_built(path)} - (set() if facts.tools else set(built))
    reader.unread += [Excluded(path, Exclusion.BUILT) for path in sorted(left)]
    return facts if facts.tools or not built else _analyse(reader, [*built, *sources])


def _is_built(path: str) -> bool:
    return any(part in BUILT for part in PurePosixPath(path).parts[:-1])


def _has_twin(path: str, known: frozenset[str]) -> bool:
    """Tell whether a file of CommonJS form lies beside the same one as a module."""
    pure = PurePosixPath(path)
    if pure.suffix == ".cjs" and any(str(pure.with_suffix(suffix)) in known for suffix in (".js", ".mjs")):
        return True
    names = [("esm" if part == "cjs" else part) for part in pure.parts]
    twin = PurePosixPath(*names)
    return "cjs" in pure.parts and any(str(twin.with_suffix(suffix)) in known for suffix in (".js", ".mjs"))


def _analyse(reader: Reader, paths: Sequence[str]) -> LanguageFacts:
    evaluator = ScriptEvaluator(ScriptRepository(paths, reader.module))
    scan = ScriptScan(evaluator, with_words(reader, paths, _TOOL_WORDS))
    found = list(_found(scan))
    if any(isinstance(one, Unresolved) for one in found):
        scan = ScriptScan(evaluator, with_words(reader, paths, ANYTHING))
        found = list(_found(scan))
    tools = [one for one in found if isinstance(one, FoundTool)]
    return LanguageFacts(
        LANGUAGE,
        tools=tuple(one.tool for one in tools),
        unresolved=tuple(one for one in found if isinstance(one, Unresolved)),
        writes=tuple(_writes(reader, paths, scan, tools)),
        uses=tuple(sdk_uses(scan)),
        transports=transports(scan),
    )


def _writes(
    reader: Reader, paths: Sequence[str], scan: ScriptScan, tools: Sequence[FoundTool]
) -> Iterator[StdoutWrite]:
    """Look for writes in what the server imports, and in what may start it."""
    if tools:
        noisy = with_words(reader, paths, _CODE_WORDS)
        modules = joined(scan.modules, noisy, imported_modules(scan, tools))
        yield from stdout_writes(ScriptScan(scan.evaluator, modules), tools)


def _found(scan: ScriptScan) -> Iterator[Found]:
    """Find what is registered, then what is only data and was not found before."""
    found = _once(registered.recognise(scan))
    found += objects.recognise(scan, _names(found))
    found += classes.recognise(scan, _names(found))
    yield from _in_loops(scan, found)


def _names(found: Sequence[Found]) -> frozenset[str]:
    return frozenset(one.tool.name for one in found if isinstance(one, FoundTool))


def _in_loops(scan: ScriptScan, found: Sequence[Found]) -> Iterator[Found]:
    """Resolve registrations in loops by the shape of what they read; what it fits is known then."""
    named = set(_names(found))
    sites = {site.place: site for site in registered.sites(scan)}
    sites |= {site.place: site for site in objects.sites(scan)}
    for one in found:
        site = sites.get(one.place) if isinstance(one, Unresolved) else None
        shape = objects.shape_at(scan, site) if site is not None else None
        fitting = list(objects.of_shape(scan, shape)) if shape is not None else []
        if not fitting:
            yield one
        for tool in fitting:
            if tool.tool.name not in named:
                named.add(tool.tool.name)
                yield tool


def _once(found: Iterator[Found]) -> list[Found]:
    seen: dict[object, Found] = {}
    for one in found:
        key = (one.tool.name, one.tool.place.file) if isinstance(one, FoundTool) else one.place
        seen.setdefault(key, one)
    return list(seen.values())
