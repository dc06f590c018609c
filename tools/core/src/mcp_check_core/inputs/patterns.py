"""Read a regular expression of a schema into parts that texts can be made of.

Only what makes a text is kept: characters, sequences, alternatives, repetitions. Anchors and word borders
have no width; the text that is made is judged by the validator afterwards. Nothing here matches, so nothing
backtracks. Syntax: ECMA-262, as JSON Schema asks for.
"""

from dataclasses import dataclass, field

from mcp_check_core.inputs.limits import CannotMakeError

PATTERN_CHARACTERS = 10_000
"""Length of a pattern that is read."""
_GROUPS = 40
"""Groups within groups."""
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_WORD = _LOWER + _DIGITS + _LOWER.upper() + "_"
_PLAIN = _WORD + "-. /:@#$%&+=,;!?'\"()[]{}<>*|\\^~`"
_SPACE = " \t\n\r\f\v"
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "0": "\0"}
_PROPERTIES = {
    "L": _LOWER + _LOWER.upper(),
    "Ll": _LOWER,
    "Lu": _LOWER.upper(),
    "N": _DIGITS,
    "Nd": _DIGITS,
    "P": "-.,:;!?",
    "Zs": " ",
}
_PROPERTIES |= {"Letter": _PROPERTIES["L"], "Alphabetic": _PROPERTIES["L"], "Number": _DIGITS}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a pattern; `least` is the length of the shortest text for it."""

    least: int = 0


@dataclass(frozen=True, slots=True)
class Characters(Part):
    """One of these characters, the most usual first."""

    choices: str = ""


@dataclass(frozen=True, slots=True)
class Sequence(Part):
    """Parts one after the other."""

    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternatives(Part):
    """One of these parts."""

    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Repetition(Part):
    """A part from `low` to `high` times; without a high end where it is None."""

    part: Part = field(default_factory=Part)
    low: int = 0
    high: int | None = None


def read_pattern(pattern: str) -> Part:
    """Read a pattern. Raises CannotMakeError where no text can be made from it."""
    if len(pattern) > PATTERN_CHARACTERS:
        raise CannotMakeError(f"its pattern is longer than {PATTERN_CHARACTERS} characters")
    reader = _Reader(pattern)
    part = reader.alternatives(0)
    if reader.rest:
        raise reader.unusable("closes a group that is not open")
    return part


def _characters(choices: str) -> Characters:
    if not choices:
        raise CannotMakeError("its pattern has a class that no usual character is in")
    return Characters(1, choices)


def _without(excluded: str) -> str:
    return "".join(character for character in _PLAIN if character not in excluded)


@dataclass(slots=True)
class _Reader:
    """Reads from left to right; `at` is the position of the next character."""

    pattern: str
    at: int = 0

    @property
    def rest(self) -> bool:
        return self.at < len(self.pattern)

    def unusable(self, how: str) -> CannotMakeError:
        return CannotMakeError(f"its pattern {self.pattern[:100]!r} {how}")

    def take(self, text: str) -> bool:
        """Go past a text if it is next."""
        if self.pattern.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def next(self) -> str:
        if not self.rest:
            raise self.unusable("ends too early")
        self.at += 1
        return self.pattern[self.at - 1]

    def until(self, end: str) -> str:
        """Take what comes before `end`, and `end` itself."""
        stop = self.pattern.find(end, self.at)
        if stop < 0:
            raise self.unusable("ends too early")
        taken, self.at = self.pattern[self.at : stop], stop + len(end)
        return taken

    def alternatives(self, level: int) -> Part:
        if level > _GROUPS:
            raise self.unusable(f"has more than {_GROUPS} groups within each other")
        branches = [self.sequence(level)]
        while self.take("|"):
            branches.append(self.sequence(level))
        if len(branches) == 1:
            return branches[0]
        return Alternatives(min(branch.least for branch in branches), tuple(branches))

    def sequence(self, level: int) -> Part:
        parts: list[Part] = []
        while self.rest and self.pattern[self.at] not in "|)":
            parts.append(self.repeated(self.atom(level)))
        return Sequence(sum(part.least for part in parts), tuple(parts))

    def repeated(self, part: Part) -> Part:
        found = self.quantifier()
        while found is not None:
            low, high = found
            part = Repetition(part.least * low, part, low, high)
            found = None if self.take("?") or self.take("+") else self.quantifier()
        return part

    def quantifier(self) -> tuple[int, int | None] | None:
        for mark, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(mark):
                return bounds
        close = self.pattern.find("}", self.at)
        if not self.pattern.startswith("{", self.at) or close < 0:
            return None
        low, comma, high = self.pattern[self.at + 1 : close].partition(",")
        if not low.isdecimal() or not (high == "" or high.isdecimal()):
            return None
        if max(len(low), len(high)) > 9:
            raise self.unusable("repeats too often")
        self.at = close + 1
        if not comma:
            return int(low), int(low)
        return int(low), int(high) if high else None

    def atom(self, level: int) -> Part:
        character = self.next()
        match character:
            case "(":
                return self.group(level)
            case "[":
                return _characters(self.character_class())
            case "\\":
                return self.escape()
            case "^" | "$":
                return Sequence()
            case ".":
                return _characters(_PLAIN)
            case _:
                return _characters(character)

    def group(self, level: int) -> Part:
        if any(self.take(mark) for mark in ("?=", "?!", "?<=", "?<!", "?>")):
            raise self.unusable("looks around, which is not supported")
        if self.take("?<") or self.take("?P<"):
            self.until(">")
        elif self.take("?"):
            while self.rest and self.pattern[self.at] not in ":)":
                self.at += 1
            self.take(":")
        part = self.alternatives(level + 1)
        if not self.take(")"):
            raise self.unusable("does not close a group")
        return part

    def escape(self) -> Part:
        if self.take("b") or self.take("B") or self.take("A") or self.take("z"):
            return Sequence()
        if self.rest and self.pattern[self.at] in "123456789k":
            raise self.unusable("refers back to a group, which is not supported")
        return _characters(self.escaped())

    def escaped(self) -> str:
        """Give the characters that an escape stands for; its backslash is behind us."""
        letter = self.next()
        if letter.lower() in _CLASSES:
            members = _CLASSES[letter.lower()]
            return members if letter.islower() else _without(members)
        if letter in "pP":
            name = self.until("}").removeprefix("{").rpartition("=")[2] if self.take("{") else self.next()
            members = _PROPERTIES.get(name, "")
            return members if letter == "p" else _without(members)
        if letter in "xu":
            return self.code_point(2 if letter == "x" else 4)
        if letter == "c":
            return chr(ord(self.next()) % 32)
        return _CONTROLS.get(letter, letter)

    def code_point(self, digits: int) -> str:
        if self.take("{"):
            text = self.until("}")
        else:
            text = self.pattern[self.at : self.at + digits]
            self.at += digits
        try:
            return chr(int(text, 16))
        except (ValueError, OverflowError):
            raise self.unusable("has an escape that is no character") from None

    def character_class(self) -> str:
        negated = self.take("^")
        members: list[str] = []
        first = True
        while first or not self.take("]"):
            first = False
            start = self.member()
            if self.pattern.startswith("-", self.at) and not self.pattern.startswith("-]", self.at):
                self.at += 1
                members.append(_range(start, self.member()))
            else:
                members.append(start)
        chosen = "".join(members)
        return _without(chosen) if negated else _usual_first(chosen)

    def member(self) -> str:
        character = self.next()
        return self.escaped() if character == "\\" else character


def _range(start: str, end: str) -> str:
    """Give the usual characters of a range, or its first one where there are none."""
    if len(start) != 1 or len(end) != 1:
        return start + "-" + end
    within = "".join(character for character in _PLAIN if start <= character <= end)
    return within or start


def _usual_first(characters: str) -> str:
    usual = "".join(character for character in _PLAIN if character in characters)
    return usual + "".join(dict.fromkeys(other for other in characters if other not in _PLAIN))[:100]
