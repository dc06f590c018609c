"""What was installed: the version of a server's package, and the libraries for the protocol beside it."""

import json
from importlib.metadata import Distribution, distributions
from pathlib import Path

from scripts.fieldwork.corpus import Entry, Registry

_NODE = ("@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "@modelcontextprotocol/core")
_PYTHON = ("fastmcp", "mcp")


def installed_version(entry: Entry, installed: Path) -> str | None:
    """Return the version of the server's package that lies there."""
    if entry.registry is Registry.NPM:
        return _node_version(installed, entry.package)
    return _python_versions(installed).get(_plain(entry.package))


def describe_sdk(entry: Entry, installed: Path) -> str:
    """Name language and protocol libraries: `node: @modelcontextprotocol/sdk 1.32.2`, `python: mcp 2.3.0`."""
    if entry.registry is Registry.NPM:
        versions = {name: _node_version(installed, name) for name in _NODE}
    else:
        found = _python_versions(installed)
        versions = {name: found.get(name) for name in _PYTHON}
    language = {Registry.NPM: "node", Registry.PYPI: "python"}[entry.registry]
    named = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    return f"{language}: {named or 'bundled/unknown'}"


def _node_version(installed: Path, package: str) -> str | None:
    path = installed / "node_modules" / package / "package.json"
    try:
        version = json.loads(path.read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return version if isinstance(version, str) else None


def _python_versions(installed: Path) -> dict[str, str]:
    folders = [str(path) for path in (installed / "venv").glob("[Ll]ib*/**/site-packages")]
    return {_plain(_name(held)): held.version for held in distributions(path=folders)}


def _name(held: Distribution) -> str:
    return held.metadata["Name"] or ""


def _plain(name: str) -> str:
    """Fold a name as the Python package index does (PEP 503)."""
    return "-".join(name.lower().replace("_", "-").replace(".", "-").split("-"))
