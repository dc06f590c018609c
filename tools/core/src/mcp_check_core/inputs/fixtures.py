"""The fixtures file: known-good (and known-bad) calls that a user lists for a server.

    {"version": 1, "probes": [
        {"tool": "read_file", "label": "a note", "args": {"path": "${FIXTURES_DIR}/note.txt"},
         "expect_error": false, "allow_destructive": false, "skip": false}
    ]}

`${FIXTURES_DIR}` in a text is the folder of the file, `${NAME}` a variable of the environment, `$${` is `${`
itself. What is read keeps the placeholders; values of variables come in when a call is made and nowhere else.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_check_core.inputs.places import Path, pointer
from mcp_check_core.judges.shape import depth
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, json_type

FIXTURES_DIR = "FIXTURES_DIR"
VERSION = 1
MAX_BYTES = 4 * 1024 * 1024
MAX_PROBES = 10_000
_LEVELS = 60
_FLAGS = ("expect_error", "allow_destructive", "skip")
_KEYS = ("tool", "label", "args", *_FLAGS)
_PLACEHOLDER = re.compile(r"\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{")


class FixturesError(Exception):
    """A fixtures file cannot be used; the message is one line that says where in it and why."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One call. `number` counts from 0 as in the file; `args` keep their placeholders."""

    number: int
    tool: str
    args: Mapping[str, Json] = field(default_factory=dict)
    label: str = ""
    expect_error: bool = False
    allow_destructive: bool = False
    skip: bool = False


@dataclass(frozen=True, slots=True)
class Fixtures:
    """The calls of a file in their order."""

    probes: tuple[Probe, ...]

    def values(self, environ: Mapping[str, str]) -> tuple[str, ...]:
        """Give the values of the variables that the file names: what must not be seen in any output."""
        names = {name for probe in self.probes for name in _names(dict(probe.args))} - {FIXTURES_DIR}
        return tuple(environ[name] for name in sorted(names) if name in environ)


def read_fixtures(data: bytes) -> Fixtures:
    """Read the content of a fixtures file. Raises FixturesError."""
    document = _document(data)
    if not isinstance(document, dict):
        raise FixturesError(f"it is {json_type(document)}, not an object with version and probes")
    _known(document, ("version", "probes"), ())
    version = document.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise FixturesError(f"/version: it must be {VERSION}")
    probes = document.get("probes")
    if not isinstance(probes, list):
        raise FixturesError("/probes: it must be an array")
    if len(probes) > MAX_PROBES:
        raise FixturesError(f"/probes: there are {len(probes)}, and {MAX_PROBES} are the most that is read")
    return Fixtures(tuple(_probe(item, number) for number, item in enumerate(probes)))


def expand(probe: Probe, environ: Mapping[str, str], folder: str) -> dict[str, Json]:
    """Put values in for the placeholders of a call. Raises FixturesError for a variable that is not set.

    `folder` is the absolute path of the file's folder. The message never shows a value.
    """
    known = {**environ, FIXTURES_DIR: folder}
    place: Path = ("probes", probe.number, "args")
    return {name: _expanded(member, known, (*place, name)) for name, member in probe.args.items()}


def escaped(text: str) -> str:
    """Write a text so that nothing in it is a placeholder."""
    return text.replace("${", "$${")


def _document(data: bytes) -> Json:
    if len(data) > MAX_BYTES:
        raise FixturesError(f"it holds {len(data)} bytes, and {MAX_BYTES} are the most that is read")
    try:
        document: Json = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_no_number
        )
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        raise FixturesError(f"{place}: it is no JSON ({problem.msg})") from None
    except UnicodeDecodeError as problem:
        raise FixturesError(f"byte {problem.start}: it is not UTF-8") from None
    except ValueError:
        raise FixturesError("it holds a number that is too long to read") from None
    except RecursionError:
        raise FixturesError(f"it is nested deeper than {_LEVELS} levels") from None
    if depth(document, _LEVELS) > _LEVELS:
        raise FixturesError(f"it is nested deeper than {_LEVELS} levels")
    return document


def _object(members: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, member in members:
        if name in found:
            raise FixturesError(f"the key {cut_text(name, 80)!r} is given twice in one object")
        found[name] = member
    return found


def _no_number(text: str) -> Json:
    raise FixturesError(f"{text} is no number in JSON")


def _probe(item: Json, number: int) -> Probe:
    place: Path = ("probes", number)
    if not isinstance(item, dict):
        raise FixturesError(f"{pointer(place)}: it must be an object, and is {json_type(item)}")
    _known(item, _KEYS, place)
    tool, args, label = item.get("tool"), item.get("args", {}), item.get("label", "")
    if not isinstance(tool, str) or not tool:
        raise FixturesError(f"{pointer((*place, 'tool'))}: it must be the name of a tool")
    if not isinstance(args, dict):
        raise FixturesError(f"{pointer((*place, 'args'))}: it must be an object, and is {json_type(args)}")
    if not isinstance(label, str):
        raise FixturesError(f"{pointer((*place, 'label'))}: it must be a text, and is {json_type(label)}")
    _names(args, (*place, "args"))
    expect_error, allow_destructive, skip = (_flag(item, name, place) for name in _FLAGS)
    return Probe(number, tool, args, label or tool, expect_error, allow_destructive, skip)


def _flag(item: dict[str, Json], name: str, place: Path) -> bool:
    value = item.get(name, False)
    if not isinstance(value, bool):
        raise FixturesError(f"{pointer((*place, name))}: it must be true or false, and is {json_type(value)}")
    return value


def _known(item: dict[str, Json], keys: tuple[str, ...], place: Path) -> None:
    for name in item:
        if name not in keys:
            where = f"{pointer(place)}: " if place else ""
            raise FixturesError(
                f"{where}the key {cut_text(name, 80)!r} is not known; there are {', '.join(keys)}"
            )


def _names(value: Json, place: Path = ()) -> set[str]:
    """List the variables in all texts. Raises FixturesError for a placeholder that is not one."""
    if isinstance(value, dict):
        return {name for key, member in value.items() for name in _names(member, (*place, key))}
    if isinstance(value, list):
        return {name for number, item in enumerate(value) for name in _names(item, (*place, number))}
    if not isinstance(value, str):
        return set()
    names: set[str] = set()
    for match in _PLACEHOLDER.finditer(value):
        if match[0] == "${":
            raise FixturesError(f"{pointer(place)}: '${{' is not followed by a name and '}}'; write '$${{'")
        if match[1] is not None:
            names.add(match[1])
    return names


def _expanded(value: Json, known: Mapping[str, str], place: Path) -> Json:
    if isinstance(value, dict):
        return {name: _expanded(member, known, (*place, name)) for name, member in value.items()}
    if isinstance(value, list):
        return [_expanded(item, known, (*place, number)) for number, item in enumerate(value)]
    if not isinstance(value, str):
        return value

    def put(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return "${"
        if name not in known:
            raise FixturesError(f"{pointer(place)}: the variable {name!r} is not set")
        return known[name]

    return _PLACEHOLDER.sub(put, value)
