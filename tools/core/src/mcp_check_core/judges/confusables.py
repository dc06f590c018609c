"""Letters of other scripts that look like Latin ones, and names that mix them."""

import tomllib
import unicodedata
from functools import cache
from importlib.resources import files

_LOOKALIKE_SCRIPTS = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "LATIN SMALL LETTER ALPHA")
_STYLED = ("FULLWIDTH LATIN", "MATHEMATICAL")


def latin_skeleton(text: str) -> str:
    """Write look-alikes as the Latin letters that they look like."""
    return text if text.isascii() else text.translate(_table())


def is_homoglyph_name(name: str) -> bool:
    """Whether a name can pass for another: Latin mixed with look-alikes, all look-alikes, or styled letters.

    Names in one script of their own, and Latin beside Chinese, Japanese or Korean, are honest. So is Latin
    beside a word in another script (`get_погода`), if that word has a letter that no Latin one looks like.
    """
    if name.isascii():
        return False
    if any(_name_of(character).startswith(_STYLED) for character in name):
        return True
    return any(_is_homoglyph_word(word) for word in _words(name))


def _is_homoglyph_word(word: str) -> bool:
    foreign = [character for character in word if _name_of(character).startswith(_LOOKALIKE_SCRIPTS)]
    if not foreign:
        return False
    if any(character.isascii() and character.isalpha() for character in word):
        return True
    return len(word) > 1 and all(character.isascii() or character in _letters() for character in word)


def _words(name: str) -> list[str]:
    return "".join(character if character.isalnum() else " " for character in name).split()


def _name_of(character: str) -> str:
    return unicodedata.name(character, "")


@cache
def _table() -> dict[int, str]:
    text = files(__package__).joinpath("data/hidden/confusables.toml").read_text(encoding="utf-8")
    letters = tomllib.loads(text)["letters"]
    return {ord(other): latin for latin, others in letters.items() for other in others}


@cache
def _letters() -> frozenset[str]:
    return frozenset(map(chr, _table()))
