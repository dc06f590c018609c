"""Which files are parsed: those that hold a word of interest, told by a search of their bytes."""

import re
from collections.abc import Iterable, Sequence

from mcp_doctor.discover.read import Reader
from mcp_doctor.syntax.module import Module

ANYTHING = re.compile(b"")
"""In the place of words where all files are wanted: a registration may get its name in any of them."""


def with_words(reader: Reader, paths: Iterable[str], words: re.Pattern[bytes]) -> list[Module]:
    """Parse the files that hold one of the words; of the others nothing is kept."""
    found = []
    for path in paths:
        source = reader.text(path)
        if source is None:
            continue
        module = reader.module(path) if words.search(source) is not None else None
        if module is None:
            reader.forget(path)
        else:
            found.append(module)
    return found


def joined(*groups: Iterable[Module]) -> Sequence[Module]:
    """Join modules, each once, in the order of their paths."""
    found = {module.path: module for group in groups for module in group}
    return [found[path] for path in sorted(found)]
