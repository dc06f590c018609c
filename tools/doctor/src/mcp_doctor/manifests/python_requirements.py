"""What a Python project requires: its manifests, or the metadata of an installed package."""

import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator
from email.parser import BytesParser
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from mcp_check_core.model.json_value import Json
from mcp_doctor.facts.requirement import PYPI, Declared

LARGEST = 2**20
_SETUP_LIST = re.compile(r"install_requires\s*=\s*\[(.*?)\]", re.DOTALL)
_QUOTED = re.compile(r"""["']([^"'\n]{1,200})["']""")
_CARET = re.compile(r"\^\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?\S*")


def python_requirements(root: Path) -> list[Declared]:
    """Read the manifests at a root; of installed or unpacked packages their metadata."""
    found: list[Declared] = []
    for name, read in (
        ("pyproject.toml", _pyproject),
        ("setup.cfg", _setup_cfg),
        ("setup.py", _setup_py),
        ("requirements.txt", _lines),
        ("requirements.in", _lines),
    ):
        content = _bytes(root / name)
        if content is not None:
            found += _declared(name, content, read(content))
    if not found:
        for path in sorted([*root.glob("*.dist-info/METADATA"), *root.glob("PKG-INFO")]):
            content = _bytes(path)
            if content is not None:
                found += _declared(path.relative_to(root).as_posix(), content, _metadata(content))
    return found


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else None
    except OSError:
        return None


def _declared(file: str, content: bytes, lines: Iterable[str]) -> Iterator[Declared]:
    text = content.decode("utf-8", "replace")
    for line in lines:
        try:
            requirement = Requirement(line.split(" #")[0].strip())
        except InvalidRequirement:
            continue
        if requirement.marker is not None and "extra" in str(requirement.marker):
            continue
        yield Declared(
            PYPI, canonicalize_name(requirement.name), str(requirement.specifier), file, _line(text, line)
        )


def _line(text: str, wanted: str) -> int | None:
    name = re.split(r"[\[<>=!~; ]", wanted.strip(), maxsplit=1)[0]
    pattern = re.compile(rf"""(?:^|["'\s:]){re.escape(name)}(?=[\s\["'<>=!~;,]|$)""", re.IGNORECASE)
    for number, line in enumerate(text.splitlines(), start=1):
        if pattern.search(line) and not line.lstrip().lower().startswith(("name", "#", "keywords")):
            return number
    return None


def _pyproject(content: bytes) -> Iterator[str]:
    try:
        document: dict[str, Json] = tomllib.loads(content.decode("utf-8", "replace"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    project = document.get("project")
    dependencies = project.get("dependencies") if isinstance(project, dict) else None
    yield from (one for one in dependencies if isinstance(one, str)) if isinstance(dependencies, list) else ()
    tool = document.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    older = poetry.get("dependencies") if isinstance(poetry, dict) else None
    for name, wanted in older.items() if isinstance(older, dict) else ():
        versions = wanted.get("version") if isinstance(wanted, dict) else wanted
        yield f"{name}{_poetry(versions)}" if isinstance(versions, str) else name


def _poetry(versions: str) -> str:
    """Write a caret range of Poetry as bounds."""
    match = _CARET.fullmatch(versions.strip())
    if match is not None:
        major = int(match[1])
        upper = f"{major + 1}" if major else f"0.{int(match[2] or 0) + 1}"
        return f">={versions.strip()[1:].strip()},<{upper}"
    if versions.strip() == "*":
        return ""
    return versions if versions.strip()[:1] in "<>=!~" else f"=={versions.strip()}"


def _setup_cfg(content: bytes) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(content.decode("utf-8", "replace"))
    except configparser.Error:
        return
    yield from parser.get("options", "install_requires", fallback="").splitlines()


def _setup_py(content: bytes) -> Iterator[str]:
    match = _SETUP_LIST.search(content.decode("utf-8", "replace"))
    yield from _QUOTED.findall(match[1]) if match else ()


def _lines(content: bytes) -> Iterator[str]:
    for line in content.decode("utf-8", "replace").splitlines():
        bare = line.split("#")[0].split(" --")[0].strip().rstrip("\\").strip()
        if bare and not bare.startswith("-"):
            yield bare


def _metadata(content: bytes) -> Iterator[str]:
    yield from BytesParser().parsebytes(content, headersonly=True).get_all("Requires-Dist", [])
