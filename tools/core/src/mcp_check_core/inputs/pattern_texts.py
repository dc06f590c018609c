"""Make texts that a pattern matches, in bounded steps; the validator has the last word on each."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from mcp_check_core.inputs.limits import STRING_CHARACTERS, CannotMakeError
from mcp_check_core.inputs.patterns import (
    PATTERN_CHARACTERS,
    Alternatives,
    Characters,
    Part,
    Repetition,
    Sequence,
    read_pattern,
)
from mcp_check_core.judges.schema import Judgement, SchemaValidator, compile_schema

_STEPS = 200_000
_SPARES = (3, 0, 1, 2, 7, 15)
"""Characters over the least length that repetitions may use, in the order in which they are tried."""
_USUAL = 26
"""Of the characters of a class, how many of the most usual ones are drawn from."""
_BREAKERS = (" ", "!", "~", "a", "A", "0", "-", "sample text", "\u00e9", "\n", "{}", "")
"""What is put for, before and behind a matching text to make one that does not match."""


@dataclass(frozen=True, slots=True)
class PatternJudge:
    """A pattern that judges texts in linear time; it never matches where it cannot be used."""

    validator: SchemaValidator

    def matches(self, text: str) -> bool:
        """Tell whether the pattern is found in a text."""
        return self.validator.judge(text) is Judgement.VALID


def pattern_judge(pattern: str) -> PatternJudge:
    """Compile a pattern; one that is too long to be read is not compiled either."""
    if len(pattern) > PATTERN_CHARACTERS:
        problem = f"its pattern is longer than {PATTERN_CHARACTERS} characters"
        return PatternJudge(SchemaValidator(None, None, problem=problem))
    return PatternJudge(compile_schema({"pattern": pattern}))


def matching_text(pattern: str, least: int, most: float, random: Random) -> str:
    """Make a text of `least` to `most` characters that a pattern matches. Raises CannotMakeError."""
    judge = pattern_judge(pattern)
    if not judge.validator.judges:
        raise CannotMakeError(judge.validator.problem or f"its pattern {pattern[:100]!r} is none")
    part = read_pattern(pattern)
    if part.least > STRING_CHARACTERS:
        raise CannotMakeError(f"its pattern asks for more than {STRING_CHARACTERS} characters")
    for text in _candidates(part, least, most, random):
        if least <= len(text) <= most and judge.matches(text):
            return text
    raise CannotMakeError(f"no text of ours keeps to its pattern {pattern[:100]!r} and its length")


def breaking_text(pattern: str, good: str, least: int, most: float) -> str | None:
    """Change a text that matches into one that does not, within the same lengths; None if none is found."""
    judge = pattern_judge(pattern)
    if not judge.validator.judges:
        return None
    tried = (
        text
        for mark in _BREAKERS
        for text in (good + mark, mark + good, mark, mark * max(least, 1), good[1:])
    )
    return next((text for text in tried if least <= len(text) <= most and not judge.matches(text)), None)


def _candidates(part: Part, least: int, most: float, random: Random) -> Iterator[str]:
    needed = max(least - part.least, 0)
    for spare in _SPARES:
        if part.least + needed + spare <= most or spare == 0:
            text = _Sampler(random).text(part, needed + spare)
            yield text
            if len(text) < least:
                padding = "a" * (least - len(text))
                yield from (text + padding, padding + text)


@dataclass(slots=True)
class _Sampler:
    """Makes one text; `spare` is how many characters it may still use beyond the least."""

    random: Random
    steps: int = _STEPS
    spare: int = 0

    def text(self, part: Part, spare: int) -> str:
        self.spare = spare
        return "".join(self.pieces(part))

    def pieces(self, part: Part) -> Iterator[str]:
        self.steps -= 1
        if self.steps < 0:
            raise CannotMakeError("its pattern takes too many steps to make a text")
        match part:
            case Characters(choices=choices):
                yield self.random.choice(choices[:_USUAL])
            case Sequence(parts=parts):
                for inner in parts:
                    yield from self.pieces(inner)
            case Alternatives(parts=branches):
                fitting = [branch for branch in branches if branch.least <= part.least + self.spare]
                chosen = self.random.choice(fitting)
                self.spare -= chosen.least - part.least
                yield from self.pieces(chosen)
            case Repetition():
                yield from self.repeated(part)

    def repeated(self, part: Repetition) -> Iterator[str]:
        count = self.count(part)
        if isinstance(part.part, Characters):
            yield "".join(self.random.choices(part.part.choices[:_USUAL], k=count))
            return
        for _ in range(count):
            yield from self.pieces(part.part)

    def count(self, part: Repetition) -> int:
        """Choose how often: as often as it must be, and as the spare characters allow."""
        unit = part.part.least
        if unit == 0:
            return min(1, part.low if part.high is None else part.high)
        more = self.spare // unit
        if part.high is not None:
            more = min(more, max(part.high - part.low, 0))
        self.spare -= more * unit
        return part.low + more
