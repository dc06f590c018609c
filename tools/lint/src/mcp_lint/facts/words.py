"""Words: of names in any style, and of texts in any script."""

import re
from math import ceil

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
_WORD = re.compile(r"\w[\w'’./:@#&+-]*")
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese are written without spaces between words."""


def name_parts(name: str) -> tuple[str, ...]:
    """Split a name such as `get_userById` at its joints, in lower case."""
    return tuple(part.lower() for part in _PARTS.findall(name))


def count_words(text: str) -> int:
    """Count the words of a text; two characters of a script without spaces count as one word."""
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))) + ceil(unspaced / 2)
