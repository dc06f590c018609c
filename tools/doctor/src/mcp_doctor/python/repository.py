"""The Python modules of the repository, and how their imports find each other."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from mcp_doctor.syntax.module import Module

_ROOTS = ("", "src")


class PythonRepository:
    """Finds modules by dotted name; a module is parsed when it is first asked for."""

    def __init__(self, paths: Iterable[str], load: Callable[[str], Module | None]) -> None:
        self._load = load
        self._paths = frozenset(paths)
        self._by_stem: dict[str, list[PurePosixPath]] = defaultdict(list)
        for path in sorted(self._paths):
            parts = PurePosixPath(path)
            stem = parts.parent.name if parts.stem == "__init__" else parts.stem
            self._by_stem[stem].append(parts)

    def module(self, path: str) -> Module | None:
        """Give the parsed module of a path, None where it cannot be read."""
        return self._load(path)

    def find(self, source: str, importer: Module) -> Module | None:
        """Find the module that an import names; None for one from outside.

        `source` is as written, with the leading dots of a relative import.
        """
        path = (
            self._relative(source, importer) if source.startswith(".") else self._absolute(source, importer)
        )
        return None if path is None else self._load(path)

    def _relative(self, source: str, importer: Module) -> str | None:
        name = source.lstrip(".")
        folder = importer.folder
        for _ in range(len(source) - len(name) - 1):
            folder = folder.parent
        return self._at(folder, name)

    def _absolute(self, source: str, importer: Module) -> str | None:
        parts = source.split(".")
        fitting = []
        for path in self._by_stem.get(parts[-1], ()):
            own = (path.parent if path.stem == "__init__" else path.with_suffix("")).parts
            if own[-len(parts) :] == tuple(parts):
                above = PurePosixPath(*own[: -len(parts)])
                if str(above / "__init__.py") not in self._paths or above == PurePosixPath():
                    fitting.append(path)
        if not fitting:
            return None
        shared = importer.folder.parts
        return str(max(fitting, key=lambda path: (_common(path.parts, shared), -len(path.parts))))

    def _at(self, folder: PurePosixPath, name: str) -> str | None:
        target = folder.joinpath(*name.split(".")) if name else folder
        for path in (target / "__init__.py", target.with_suffix(".py") if name else target):
            if str(path) in self._paths:
                return str(path)
        return None


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
