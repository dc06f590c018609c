"""Files that lie in the package of a tool, read without running any of its code."""

from functools import cache
from importlib.machinery import ModuleSpec
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec, module_from_spec

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule


class NotInstalled(LookupError):  # noqa: N818 - it says what is missing, as KeyError does
    """A tool's package, or a file that it should hold, is not there; the message is one sentence."""


def read_text(module: str, *parts: str) -> str:
    """Read a text file of a top-level package that is not imported. Raises NotInstalled."""
    spec = _spec(module)
    place: Traversable = files(module_from_spec(spec)).joinpath(*parts)
    try:
        return place.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise NotInstalled(f"the package {module} holds no {'/'.join(parts)}") from None


def read_schema(module: str) -> dict[str, Json]:
    """Read the schema that a tool publishes. Raises NotInstalled where there is none that can be read."""
    return _read_object(module, "schema.json")


def read_rule_file(module: str) -> tuple[Rule, ...]:
    """Read the rules that a tool declares. Raises NotInstalled where there are none that can be read."""
    from mcp_check_core.report.rule_file import RULE_FILE, read_rules  # noqa: PLC0415 - not every command

    try:
        return read_rules(_read_object(module, RULE_FILE))
    except ValueError as problem:
        raise NotInstalled(f"the {RULE_FILE} of {module} cannot be read: {problem}") from problem


def _read_object(module: str, name: str) -> dict[str, Json]:
    from mcp_check_core.report.json_format import DocumentError, load_document  # noqa: PLC0415 - orjson

    text = read_text(module, name)
    try:
        return load_document(text.encode(), max_bytes=2**24, max_depth=200)
    except DocumentError as problem:
        raise NotInstalled(f"the {name} of {module} cannot be read: {problem}") from problem


@cache
def _spec(module: str) -> ModuleSpec:
    spec = find_spec(module)
    if spec is None or spec.loader is None:
        raise NotInstalled(f"the package {module} is not installed")
    return spec
