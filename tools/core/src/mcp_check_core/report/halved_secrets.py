"""Parts of secrets that are left where a text was cut through one."""

import re
from bisect import bisect_left
from collections.abc import Mapping

_CUT_MARK = re.compile(
    r"(?P<end>… \[first \d+ of \d+ (?:characters|bytes)\])|\[last \d+ of \d+ (?:characters|bytes)\] …"
)
"""What `mcp_check_core.model.bounds` writes behind a beginning, and before an end."""
_SHORTEST = 3
_LONGEST = 4096


class HalvedSecrets:
    """Finds beginnings of secrets before the mark of a cut, and ends of them behind one."""

    def __init__(self, marks: Mapping[str, str]) -> None:
        """Take what stands for each form of each secret."""
        self._beginnings = _Sorted(marks)
        self._ends = _Sorted({form[::-1]: mark[::-1] for form, mark in marks.items()})

    def hidden(self, text: str) -> str:
        """Replace each such part by the mark of its secret."""
        if " of " not in text:
            return text
        pieces: list[str] = []
        at, fresh = 0, False
        for cut in _CUT_MARK.finditer(text):
            pieces += [self._piece(text[at : cut.start()], fresh, cut["end"] is not None), cut[0]]
            at, fresh = cut.end(), cut["end"] is None
        return "".join([*pieces, self._piece(text[at:], fresh, False)])

    def _piece(self, text: str, cut_before: bool, cut_behind: bool) -> str:
        if cut_behind:
            text = self._beginnings.without_beginning(text)
        return self._ends.without_beginning(text[::-1])[::-1] if cut_before else text


class _Sorted:
    """Secrets in order, so that one that begins with a given part is found by bisection."""

    def __init__(self, marks: Mapping[str, str]) -> None:
        self._marks = marks
        self._forms = sorted(marks)

    def without_beginning(self, text: str) -> str:
        """Replace the longest end of a text with which a secret begins."""
        for start in range(max(0, len(text) - _LONGEST), len(text) - _SHORTEST + 1):
            part = text[start:]
            nearest = bisect_left(self._forms, part)
            if nearest < len(self._forms) and self._forms[nearest].startswith(part):
                return text[:start] + self._marks[self._forms[nearest]]
        return text
