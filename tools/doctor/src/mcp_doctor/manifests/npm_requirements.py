"""What a Node project requires: the dependencies of package.json."""

import json
from pathlib import Path

from mcp_doctor.facts.requirement import NPM, Declared
from mcp_doctor.manifests.python_requirements import LARGEST

_FILES = ("package.json", "package/package.json")


def npm_requirements(root: Path) -> list[Declared]:
    """Read package.json at a root, or in an unpacked package; nothing where it is missing or broken."""
    for name in _FILES:
        path = root / name
        try:
            content = path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else None
        except OSError:
            content = None
        if content is not None:
            return _declared(name, content)
    return []


def _declared(file: str, content: bytes) -> list[Declared]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return []
    wanted = document.get("dependencies") if isinstance(document, dict) else None
    lines = content.decode("utf-8", "replace").splitlines()
    return [
        Declared(NPM, name, versions, file, _line(lines, name))
        for name, versions in (wanted.items() if isinstance(wanted, dict) else ())
        if isinstance(versions, str)
    ]


def _line(lines: list[str], name: str) -> int | None:
    return next((number for number, line in enumerate(lines, start=1) if f'"{name}"' in line), None)
