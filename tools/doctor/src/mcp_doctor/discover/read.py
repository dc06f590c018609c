"""Files as UTF-8, whatever their encoding."""

import codecs
import re
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from mcp_doctor.discover.exclusions import Exclusion
from mcp_doctor.discover.tree import Excluded, Tree
from mcp_doctor.syntax.grammars import GRAMMARS, parse
from mcp_doctor.syntax.module import Module

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_COOKIE = re.compile(rb"^[ \t\f]*#.{0,200}?coding[:=][ \t]*([-\w.]{1,40})")


def as_utf8(data: bytes) -> bytes | None:
    """Give the text of a file as UTF-8, or None where it is no text.

    What is not UTF-8 is read by its mark, its coding comment, or else as Latin-1.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[3:] if encoding == "utf-8" else _decoded(data, encoding)
    if b"\0" in data[:100_000]:
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _decoded(data, _declared(data))
    return data


def _declared(data: bytes) -> str:
    for line in data.split(b"\n", 2)[:2]:
        match = _COOKIE.match(line)
        if match is not None:
            name = match[1].decode("ascii", "replace")
            try:
                info = codecs.lookup(name)
            except LookupError:
                return "latin-1"
            return info.name if info._is_text_encoding else "latin-1"  # noqa: SLF001 - the documented way for codecs of text is this mark
    return "latin-1"


def _decoded(data: bytes, encoding: str) -> bytes | None:
    try:
        return data.decode(encoding, "replace").encode("utf-8", "replace")
    except (LookupError, ValueError):
        return None


class StoppedError(Exception):
    """Reading was stopped from outside; nothing more can be had of this reader."""


@dataclass(slots=True)
class Reader:
    """Reads and parses the files of a tree, each at most once; what cannot be read is noted and is None."""

    tree: Tree
    unread: list[Excluded] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    _stopped: Event = field(default_factory=Event)
    _texts: dict[str, bytes | None] = field(default_factory=dict)
    _modules: dict[str, Module | None] = field(default_factory=dict)

    def stop(self) -> None:
        """Let whoever reads in another thread end at the next file with StoppedError; what was read stays."""
        self._stopped.set()

    def check(self) -> None:
        """Raise StoppedError where reading was stopped."""
        if self._stopped.is_set():
            raise StoppedError

    def kept(self, path: str) -> bytes | None:
        """Give the text of a file that was read and not let go, None for any other."""
        return self._texts.get(path)

    def text(self, path: str) -> bytes | None:
        """Give a file of the tree as UTF-8. Raises StoppedError."""
        self.check()
        if path in self._texts:
            return self._texts[path]
        try:
            content = as_utf8((self.tree.root / Path(path)).read_bytes())
            why = Exclusion.BINARY
        except OSError:
            content, why = None, Exclusion.UNREADABLE
        if content is None:
            self.unread.append(Excluded(path, why))
        self._texts[path] = content
        return content

    def forget(self, path: str) -> None:
        """Let go of the text of a file that is of no more use."""
        self._texts.pop(path, None)

    def module(self, path: str) -> Module | None:
        """Give a file of the tree parsed. Raises StoppedError."""
        self.check()
        if path not in self._modules:
            source = self.text(path)
            self._modules[path] = None if source is None else self._parsed(path, source)
        return self._modules[path]

    def _parsed(self, path: str, source: bytes) -> Module:
        grammar = GRAMMARS[Path(path).suffix.lower()]
        module = Module(path, grammar, parse(grammar, source), source)
        if module.root.has_error:
            self.broken.append(path)
        return module
