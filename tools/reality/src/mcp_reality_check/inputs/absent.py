"""Arguments that ask a tool for something that cannot exist."""

from collections.abc import Iterator

from mcp_check_core.inputs.arguments import InputSchema, Made
from mcp_check_core.inputs.filling import Slot
from mcp_check_core.inputs.places import pointer, replaced
from mcp_check_core.inputs.words import path_words, singular
from mcp_check_core.judges.schema import Judgement
from mcp_check_core.model.json_value import Json
from mcp_reality_check.facts.call import Input

SOURCE = "cannot exist"
_NAMING = ("id", "uuid", "guid", "key", "slug", "name", "path", "file", "filename", "uri", "url", "symbol")
"""Last words of the names of properties that say which thing is meant, the surest first."""
_TEXT = "no-such-thing-7c1f0e5b"
_UUID = "00000000-dead-4000-8000-00000000dead"
_URL = "https://no-such-host-7c1f0e5b.invalid/"
_NUMBER = 987_654_321
_BY_FORMAT = {"uuid": _UUID, "uri": _URL, "url": _URL}


def absent_input(inputs: InputSchema, made: Made) -> Input | None:
    """Change what a call asks for into something that cannot exist; None where no argument names a thing.

    What comes out is valid by the schema.
    """
    for slot in sorted((slot for slot in made.slots if _names_a_thing(slot)), key=_rank):
        for value in _candidates(slot):
            arguments = replaced(made.value, slot.path, value)
            if isinstance(arguments, dict) and inputs.judge(arguments) is Judgement.VALID:
                return Input(arguments, {pointer(slot.path): SOURCE})
    return None


def _names_a_thing(slot: Slot) -> bool:
    """Whether a place holds a free text or a number that says which thing is meant."""
    closed = "enum" in slot.schema or "const" in slot.schema
    return bool(slot.path) and not closed and _word(slot) in _NAMING


def _rank(slot: Slot) -> tuple[bool, int]:
    return not slot.required, _NAMING.index(_word(slot))


def _word(slot: Slot) -> str:
    found = path_words(slot.path)
    return singular(found[-1]) if found else ""


def _candidates(slot: Slot) -> Iterator[Json]:
    if "string" in slot.types or not slot.types:
        form = slot.schema.get("format")
        if isinstance(form, str) and form in _BY_FORMAT:
            yield _BY_FORMAT[form]
        if _word(slot) in ("uri", "url"):
            yield _URL
        yield _TEXT
        yield str(_NUMBER)
        yield _UUID
    if "integer" in slot.types or "number" in slot.types:
        yield _NUMBER
