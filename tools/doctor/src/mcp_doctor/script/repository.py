"""The JavaScript and TypeScript modules of the repository, and how their imports find each other."""

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from mcp_doctor.syntax.module import Module

_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx")
_COMPILED = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}
_ALIASES = ("@/", "~/", "src/", "#")


class ScriptRepository:
    """Finds modules by specifier; a module is parsed when it is first asked for."""

    def __init__(self, paths: Iterable[str], load: Callable[[str], Module | None]) -> None:
        self._load = load
        self._paths = frozenset(paths)

    def module(self, path: str) -> Module | None:
        """Give the parsed module of a path, None where it cannot be read."""
        return self._load(path)

    def find(self, specifier: str, importer: Module) -> Module | None:
        """Find the module that an import names; None for one from outside."""
        for target in self._targets(specifier, importer):
            path = self._at(target)
            if path is not None:
                return self._load(path)
        return None

    def _targets(self, specifier: str, importer: Module) -> list[PurePosixPath]:
        if specifier.startswith("."):
            return [importer.folder / specifier]
        alias = next((one for one in _ALIASES if specifier.startswith(one)), None)
        if alias is None:
            return []
        rest = specifier.removeprefix(alias)
        folders = [importer.folder, *importer.folder.parents]
        return [folder / inner / rest for folder in folders for inner in ("src", "")]

    def _at(self, target: PurePosixPath) -> str | None:
        base = _normal(target)
        if base is None:
            return None
        candidates = [base]
        candidates += [base.with_suffix(suffix) for suffix in _COMPILED.get(base.suffix, ())]
        candidates += [base.with_name(base.name + suffix) for suffix in _SUFFIXES if base.name]
        candidates += [base / f"index{suffix}" for suffix in _SUFFIXES]
        return next((str(path) for path in candidates if str(path) in self._paths), None)


def _normal(path: PurePosixPath) -> PurePosixPath | None:
    """Resolve `.` and `..`; None for what leads out of the root."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return PurePosixPath(*parts)
