"""Realistic values come from what is known of a property, each with its source."""

import re
import tomllib
from importlib.resources import files

import pytest

from mcp_check_core.inputs.absence import Absence
from mcp_check_core.inputs.arguments import Made, Recipe, make_arguments, read_input_schema
from mcp_check_core.inputs.choices import choices
from mcp_check_core.inputs.filling import Fill
from mcp_check_core.inputs.harvest import Harvest
from mcp_check_core.inputs.realism import Realism
from mcp_check_core.inputs.texts import FORMATS
from mcp_check_core.inputs.words import path_words, singular, words
from mcp_check_core.judges.schema import Judgement, compile_schema
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool_result import read_tool_result
from tools.core.tests.inputs.schemas import tool


def chosen(
    name: str, schema: Json, tool_name: str = "t", text: str = "", **known: object
) -> tuple[Json, str]:
    """Return the value that is made for one property, and its source."""
    item = tool(
        {"type": "object", "properties": {name: schema}, "required": [name]}, tool_name, description=text
    )
    realism = Realism(item, **known)  # type: ignore[arg-type]
    made = make_arguments(read_input_schema(item.input_schema), Recipe(Fill.FULL, "0", realism))
    assert isinstance(made, Made), made
    return made.value[name], made.sources[0].source


TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}


def said(text: str, kind: str = "string") -> Json:
    return {"type": kind, "description": text}


@pytest.mark.parametrize(
    ("name", "schema", "tool_name", "value", "source"),
    [
        ("city", TEXT, "get_weather", "Lisbon", "name: city"),
        ("destinationCity", TEXT, "find_flights", "Lisbon", "name: city"),
        ("country_code", TEXT, "t", "PT", "name: country code"),
        ("timezone", TEXT, "t", "Europe/Lisbon", "name: time zone"),
        ("user_email", TEXT, "t", "someone@example.com", "name: e-mail"),
        ("image_url", TEXT, "t", "https://example.com/picture.png", "name: image URL"),
        ("from_currency", TEXT, "convert", "EUR", "name: currency"),
        ("to_currency", TEXT, "convert", "USD", "name: currency"),
        ("target_language", TEXT, "translate", "en", "name: language code"),
        ("query", TEXT, "search_web", "climate change", "name: search words"),
        ("query", TEXT, "sqlite_read", "SELECT 1 AS one", "name: sql"),
        ("sql", TEXT, "t", "SELECT 1 AS one", "name: sql"),
        ("password", TEXT, "t", "not-a-real-secret", "name: secret"),
        ("limit", WHOLE, "t", 5, "name: limit"),
        ("limit", {"type": "integer", "minimum": 4, "maximum": 4}, "t", 4, "schema: integer"),
        ("limit", {"type": "integer", "maximum": 3}, "t", 3, "name: limit"),
        ("latitude", {"type": "number"}, "t", 38.7223, "name: latitude"),
        ("per_page", WHOLE, "t", 5, "name: limit"),
        ("start_date", said("YYYY-MM-DD"), "t", "2025-06-03", "description: yyyy-mm-dd"),
        ("end_date", said("YYYY-MM-DD"), "t", "2025-06-10", "description: yyyy-mm-dd"),
        ("when", said("Format: YYYY-MM-DD HH:mm:ss"), "t", "2025-06-03 09:30:00", None),
        ("since", said("Unix timestamp in milliseconds", "integer"), "t", 1748908800000, None),
        ("end_time", {"type": "string", "format": "date-time"}, "t", "2025-06-10T09:30:00Z", None),
        ("when", {"type": "string", "format": "date"}, "t", "2025-06-03", "format: date"),
        ("site", {"type": "string", "format": "uri"}, "t", "https://example.com/", "format: URL"),
        ("mood", said("The mood, e.g. 'sunny'"), "t", "sunny", "description: example"),
        ("level", said('For example "3"', "integer"), "t", 3, "description: example"),
        ("mood", {"type": "string", "default": "calm"}, "t", "calm", "default"),
        ("mood", {"type": "string", "examples": ["glad"], "default": "calm"}, "t", "glad", "examples"),
        ("city", {"type": "string", "enum": ["Oslo"]}, "t", "Oslo", "enum"),
        ("city", {"enum": ["Oslo", "Tokyo"]}, "t", "Tokyo", "name: city"),
        ("city", {"const": "Rome"}, "t", "Rome", "const"),
        ("wobble", TEXT, "t", "sample", "plain"),
        ("wobble", TEXT, "search_things", "climate change", "tool: search words"),
        ("where", said("Name of the city"), "t", "Lisbon", "description: city"),
        ("path", TEXT, "read_file", "notes.txt", "name: file"),
        ("path", TEXT, "list_directory", ".", "name: folder"),
    ],
)
def test_choices(name: str, schema: Json, tool_name: str, value: Json, source: str | None) -> None:
    found, found_source = chosen(name, schema, tool_name)
    assert found == value
    assert source is None or found_source == source


def absent(name: str, schema: Json) -> tuple[Json, str]:
    item = tool({"type": "object", "properties": {name: schema}, "required": [name]}, "get_thing")
    made = make_arguments(read_input_schema(item.input_schema), Recipe(advice=Absence(Realism(item))))
    assert isinstance(made, Made), made
    return made.value[name], made.sources[0].source


@pytest.mark.parametrize(
    ("name", "schema", "value"),
    [
        ("user_id", TEXT, "no-such-thing-8c1f4e"),
        ("user_id", WHOLE, 2_147_483_629),
        ("id", {"type": "integer", "maximum": 10_000}, 9_973),
        ("path", TEXT, "no-such-folder-8c1f4e/no-such-file.txt"),
        ("id", {"type": "string", "format": "uuid"}, "00000000-0000-4000-8000-00008c1f4e00"),
        ("query", TEXT, "no-such-thing-8c1f4e"),
    ],
)
def test_values_that_cannot_exist(name: str, schema: Json, value: Json) -> None:
    assert absent(name, schema) == (value, "cannot exist")


def test_what_is_no_name_of_anything_stays_realistic() -> None:
    assert absent("limit", WHOLE) == (5, "name: limit")
    assert absent("id", {"enum": ["a"]}) == ("a", "enum")


def test_a_second_variation_differs() -> None:
    for name in ("city", "query", "email", "url", "limit", "latitude", "date"):
        schema: Json = {"type": "number"} if name in {"limit", "latitude"} else TEXT
        assert chosen(name, schema)[0] != chosen(name, schema, variation=1)[0]


def test_items_are_named_by_their_array() -> None:
    value, source = chosen("cities", {"type": "array", "items": TEXT})
    assert (value, source) == (["Lisbon"], "name: city")


def test_members_are_named_with_their_object() -> None:
    value, _ = chosen("user", {"type": "object", "properties": {"name": TEXT}, "required": ["name"]})
    assert value == {"name": "Alex Example"}


def test_files_of_the_sample_folder_come_first() -> None:
    samples = {"text": ("/srv/mcp-check-sample/notes.txt",), "folder": ("/srv/mcp-check-sample",)}
    assert chosen("path", TEXT, samples=samples) == (
        "/srv/mcp-check-sample/notes.txt",
        "sample folder, name: file",
    )
    assert chosen("directory", TEXT, samples=samples)[0] == "/srv/mcp-check-sample"


def test_harvested_values_come_before_what_a_name_means() -> None:
    listing = read_tool_result({"content": [], "structuredContent": {"users": [{"id": 41}, {"id": 42}]}})
    harvest = Harvest().plus(tool({}, "list_users"), listing)
    assert chosen("user_id", TEXT, harvest=harvest) == (
        "41",
        "harvested: id from list_users (structured content)",
    )
    assert chosen("user_id", WHOLE, harvest=harvest, variation=1)[0] == 42
    assert chosen("order_id", WHOLE, harvest=harvest) == (1, "name: identifier")


def test_the_table_holds_nobodys_data() -> None:
    data = (files("mcp_check_core.inputs") / "data" / "realistic.toml").read_text("utf-8")
    hosts = re.findall(r"(?:https?://|@)([a-z0-9.-]+)", data)
    assert hosts
    assert set(hosts) <= {"example.com", "example.org"}
    assert all("555-01" in number or "55501" in number for number in re.findall(r"\+[0-9-]{8,}", data))
    assert all("not-a-real" in str(value) for value in _values("secret"))
    for text in FORMATS.values():
        assert set(re.findall(r"(?:https?://|@)([a-z0-9.-]+)", text)) <= {"example.com"}


def _values(source: str) -> list[Json]:
    found = [value for row in choices().rows if row.source == source for value in row.values]
    assert found
    return found


def test_the_table_has_two_values_a_row_and_no_name_twice() -> None:
    data = tomllib.loads((files("mcp_check_core.inputs") / "data" / "realistic.toml").read_text("utf-8"))
    assert len(data["choice"]) > 90
    for row in data["choice"]:
        assert set(row) <= {"source", "names", "says", "tools", "texts", "numbers", "sample"}
        assert row.get("names") or row.get("says")
        assert all(name == " ".join(words(name)) for name in row.get("names", ())), row
        assert all(len(row[kind]) >= 2 for kind in ("texts", "numbers") if kind in row), row
    first: dict[str, str] = {}
    for row in data["choice"]:
        for name in row["names"]:
            if "tools" not in row and "numbers" not in row:
                assert first.setdefault(name, row["source"]) == row["source"], name


def test_values_for_formats_keep_to_them() -> None:
    for form, text in FORMATS.items():
        schema: Json = {"$schema": "http://json-schema.org/draft-07/schema#", "format": form}
        assert compile_schema(schema).judge(text) is Judgement.VALID, form


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("userID", ("user", "id")),
        ("user-id", ("user", "id")),
        ("HTTPServer", ("http", "server")),
        ("page2", ("page2",)),
        ("", ()),
        ("_meta", ("meta",)),
    ],
)
def test_words(name: str, found: tuple[str, ...]) -> None:
    assert words(name) == found


def test_singular() -> None:
    plurals = ("users", "cities", "boxes", "addresses", "status", "class", "ids", "news")
    assert [singular(word) for word in plurals] == [
        *("user", "city", "box", "address", "status", "class", "id", "news"),
    ]


def test_path_words() -> None:
    assert path_words(("filter", "cities", 0)) == ("filter", "city")
    assert path_words(()) == ()
