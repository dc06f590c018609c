"""Servers mounted in others: the prefix that their tools get."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mcp_doctor.facts.place import Place
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.syntax.found import Found, FoundTool
from mcp_doctor.syntax.values import Call, Value, as_string

_METHODS = ("mount", "import_server")
_PREFIX = ("prefix", "namespace")


def prefixed(scan: PythonScan, found: Iterable[Found]) -> Iterator[Found]:
    """Put the prefix of a mounted server before the names of its tools."""
    prefixes = dict(_prefixes(scan))
    for one in found:
        prefix = prefixes.get(one.server) if isinstance(one, FoundTool) and one.server is not None else None
        if isinstance(one, FoundTool) and prefix:
            yield replace(one, tool=replace(one.tool, name=f"{prefix}_{one.tool.name}"))
        else:
            yield one


def _prefixes(scan: PythonScan) -> Iterator[tuple[Place, str]]:
    for site in scan.calls(*_METHODS):
        call = scan.evaluator.value(site.module, site.node)
        if not isinstance(call, Call):
            continue
        given: list[Value] = [*call.args, *(value for _, value in call.keywords)]
        server = next((value for value in given if isinstance(value, Call)), None)
        prefix = as_string(call.keyword(*_PREFIX)) or next(filter(None, map(as_string, call.args)), None)
        if server is not None and prefix:
            yield server.site.place, prefix
