"""What a project asks its package manager for."""

from dataclasses import dataclass

PYPI = "pypi"
NPM = "npm"


@dataclass(frozen=True, slots=True)
class Declared:
    """One requirement: `versions` is as written, the empty text where any version will do.

    `package` is in the normal form of its ecosystem. `line` counts from 1, None where it is not known.
    """

    ecosystem: str
    package: str
    versions: str
    file: str
    line: int | None = None
