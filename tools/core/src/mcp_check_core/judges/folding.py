"""Make texts comparable: width, case, quotation marks, dashes, white space and invisible characters."""

import re
import unicodedata

_MARKS = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201b": "'",
        "\u02bc": "'",
        "\u00b4": "'",
        "`": "'",
        "\u2032": "'",
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2212": "-",
    }
)
_BLANK = re.compile(r"[^\S\n]+")
_AROUND_LINE_END = re.compile(r" ?\n ?")


def is_invisible(character: str) -> bool:
    """Whether a character takes part in no visible text: formats, zero-width spaces, variation selectors."""
    return (
        unicodedata.category(character) == "Cf"
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
        or character in "\u115f\u1160\u3164\uffa0\u034f"
    )


def without_invisible(text: str) -> str:
    """Leave out what cannot be seen."""
    if text.isascii():
        return text
    return "".join(character for character in text if not is_invisible(character))


def fold(text: str, bound: int) -> str:
    """Fold the first `bound` characters: NFKC, no case, straight apostrophes, single spaces, lines kept.

    The result may be shorter or, by NFKC, longer than what went in, and is cut to `bound` again.
    """
    visible = without_invisible(text[:bound]).translate(_MARKS).replace("\r\n", "\n").replace("\r", "\n")
    folded = unicodedata.normalize("NFKC", visible)[:bound].casefold()
    return _AROUND_LINE_END.sub("\n", _BLANK.sub(" ", folded)).strip()
