"""A parsed source file, with a memory for what is read from it again and again."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """One file: its path relative to the root, its grammar, its root node.

    `memory` holds what was derived from it, by a key of whoever derived it.
    """

    path: str
    grammar: str
    root: "Node"
    source: bytes
    memory: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def folder(self) -> PurePosixPath:
        """The folder that it lies in, relative to the root."""
        return PurePosixPath(self.path).parent
