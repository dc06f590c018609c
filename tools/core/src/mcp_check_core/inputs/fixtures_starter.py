"""A fixtures file to start from: one call for each tool, skipped until somebody has looked at it."""

from collections.abc import Sequence

from mcp_check_core.inputs.arguments import Made, Recipe, make_arguments, read_input_schema
from mcp_check_core.inputs.filling import Fill
from mcp_check_core.inputs.fixtures import FIXTURES_DIR, VERSION, escaped
from mcp_check_core.inputs.places import Path, at, replaced
from mcp_check_core.inputs.realism import Realism
from mcp_check_core.inputs.words import words
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition

_SECRET = frozenset(
    ("password", "passphrase", "secret", "token", "credential", "credentials", "apikey", "auth")
)
_SECRET_PAIRS = (("api", "key"), ("access", "key"), ("private", "key"))


def starter_document(tools: Sequence[ToolDefinition]) -> dict[str, Json]:
    """Write a starter for the tools of a server: realistic arguments, and variables where a secret belongs.

    A tool without a name cannot be called and is left out; one for which no arguments can be made has none.
    """
    probes: list[Json] = [_probe(tool) for tool in tools if tool.name is not None]
    return {"version": VERSION, "probes": probes}


def is_secret(path: Path) -> bool:
    """Tell by its name whether a parameter takes a secret."""
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    found = words(name)
    return bool(_SECRET.intersection(found)) or found[-2:] in _SECRET_PAIRS


def _probe(tool: ToolDefinition) -> Json:
    made = make_arguments(read_input_schema(tool.input_schema), Recipe(Fill.TYPICAL, "0", Realism(tool)))
    probe: dict[str, Json] = {"tool": tool.name, "label": tool.label, "args": {}, "skip": True}
    if isinstance(made, Made):
        probe["args"] = _arguments(made)
    if not tool.read_only:
        probe["allow_destructive"] = False
    return probe


def _arguments(made: Made) -> Json:
    """Escape every text, and put a placeholder for secrets and for files."""
    arguments: Json = _escaped(made.value)
    for source in made.sources:
        value = at(made.value, source.path)
        if isinstance(value, str) and is_secret(source.path):
            arguments = replaced(arguments, source.path, "${" + _variable(source.path) + "}")
        elif isinstance(value, str) and source.source.startswith("name: ") and "file" in source.source:
            arguments = replaced(arguments, source.path, f"${{{FIXTURES_DIR}}}/{escaped(value)}")
    return arguments


def _escaped(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _escaped(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_escaped(item) for item in value]
    return escaped(value) if isinstance(value, str) else value


def _variable(path: Path) -> str:
    found = [word for part in path if isinstance(part, str) for word in words(part)]
    name = "_".join(found).upper()
    return name if name[:1].isalpha() else f"SECRET_{name}".rstrip("_")
