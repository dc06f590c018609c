"""Advice for values that are well-formed and cannot exist: an honest answer refuses them or finds nothing."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_check_core.inputs.advice import Hint
from mcp_check_core.inputs.harvest import is_reusable
from mcp_check_core.inputs.places import Path
from mcp_check_core.inputs.realism import Realism
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import is_of_types, types_of
from mcp_check_core.inputs.words import path_words
from mcp_check_core.model.json_value import Json

SOURCE = "cannot exist"
_WORD = "no-such-thing-8c1f4e"
_BY_FORMAT: dict[str, Json] = {
    "uuid": "00000000-0000-4000-8000-00008c1f4e00",
    "uri": "https://no-such-host.example.com/no-such-thing-8c1f4e",
    "email": "no-such-person-8c1f4e@example.com",
}
_BY_WORD: dict[str, Json] = {
    **dict.fromkeys(("uuid", "guid"), _BY_FORMAT["uuid"]),
    **dict.fromkeys(("url", "uri", "link", "href"), _BY_FORMAT["uri"]),
    "email": _BY_FORMAT["email"],
    **dict.fromkeys(("path", "file", "filename", "filepath"), "no-such-folder-8c1f4e/no-such-file.txt"),
}
_ASKED = frozenset(
    (
        *(
            "query",
            "q",
            "search",
            "keyword",
            "term",
            "topic",
            "city",
            "location",
            "place",
            "address",
            "country",
        ),
        *("directory", "folder", "package", "repo", "owner", "branch", "table", "database", "library"),
    )
)
_NUMBERS = (2_147_483_629, 999_983, 9_973, 97)
"""Ids that are rarely given out, the rarest first."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Advises what cannot exist for ids, names, places and search words, for the rest what is realistic."""

    realism: Realism

    def __call__(self, path: Path, schema: Schema) -> Iterator[Hint]:
        """Give the values to try for a place, best first, each with its source."""
        found = path_words(path)
        last = found[-1] if found else ""
        if is_reusable(last) or last in _ASKED or schema.get("format") in ("uuid", "uri", "email"):
            kinds = types_of(schema)
            for value in (*_texts(last, schema), *_NUMBERS):
                if not kinds or is_of_types(value, kinds):
                    yield Hint(value, SOURCE)
        yield from self.realism(path, schema)


def _texts(last: str, schema: Schema) -> Iterator[Json]:
    form = schema.get("format")
    if isinstance(form, str) and form in _BY_FORMAT:
        yield _BY_FORMAT[form]
    if last in _BY_WORD:
        yield _BY_WORD[last]
    yield _WORD
