"""Recorded tool lists of public servers: valid arguments, realistic ones and variants for every schema."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import pytest

from mcp_check_core.inputs.arguments import Made, Recipe, make_arguments, read_input_schema
from mcp_check_core.inputs.edges import EDGE_KEYWORDS
from mcp_check_core.inputs.filling import Fill
from mcp_check_core.inputs.realism import Realism
from mcp_check_core.inputs.variants import Side, make_variants
from mcp_check_core.judges.schema import Judgement
from mcp_check_core.model.json_value import Json
from tools.core.tests.inputs.schemas import make, oracle, recorded, recorded_schemas

KEPT = frozenset(
    (
        *(
            "type",
            "enum",
            "const",
            "properties",
            "required",
            "additionalProperties",
            "propertyNames",
            "items",
        ),
        *("prefixItems", "anyOf", "oneOf", "$ref", "$defs", "minimum", "maximum", "exclusiveMinimum"),
        *("exclusiveMaximum", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems"),
        *("uniqueItems", "minProperties", "default", "examples", "example"),
    )
)
"""Keywords that a value is made by; each has a case of its own in test_arguments."""
BROKEN = frozenset((*EDGE_KEYWORDS, "anyOf", "oneOf"))
TEXTS = frozenset(("title", "description", "$schema", "readOnly", "discriminator", "x-fastmcp-wrap-result"))
"""Keywords that say nothing of which values are valid."""
ONE_SCHEMA = ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else", "contains")
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
MAPS = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")


def keywords(schema: Json) -> Iterator[str]:
    """Yield every keyword of a schema and of the schemas within it."""
    if not isinstance(schema, dict):
        return
    for keyword, member in schema.items():
        yield keyword
        inner: list[Json] = []
        if keyword in ONE_SCHEMA:
            inner = [member]
        elif keyword in LISTS and isinstance(member, list):
            inner = member
        elif keyword in MAPS and isinstance(member, dict):
            inner = list(member.values())
        for part in inner:
            yield from keywords(part)


def test_every_keyword_is_handled(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counter(keyword for schema in recorded_schemas(corpus) for keyword in keywords(schema))
    rows = [f"{keyword:24}{count:12}  {_handled(keyword)}" for keyword, count in counts.most_common()]
    with capsys.disabled():
        sys.stdout.write("\n".join((f"\n{'keyword':24}{'occurrences':>12}  handled", *rows, "")))
    assert set(counts) <= KEPT | TEXTS
    assert counts["type"] > 10_000


def _handled(keyword: str) -> str:
    if keyword in TEXTS:
        return "says nothing of values"
    named = [word for word, group in (("kept to", KEPT), ("broken on purpose", BROKEN)) if keyword in group]
    return ", ".join(named) or "NOT HANDLED"


def test_every_schema_has_arguments_that_both_validators_allow(corpus: Path) -> None:
    schemas = recorded_schemas(corpus)
    assert len(schemas) > 3_000
    for schema in schemas:
        judge = oracle(schema)
        for fill in Fill:
            _, found = make(schema, fill)
            assert isinstance(found, Made), (schema, found)
            assert found.judgement is Judgement.VALID, schema
            assert judge.is_valid(found.value), (schema, found.value)


def test_every_tool_has_realistic_arguments_twice(corpus: Path) -> None:
    tools = recorded(corpus)
    kinds: Counter[str] = Counter()
    for item in tools:
        inputs = read_input_schema(item.input_schema)
        judge = oracle(item.input_schema)
        for variation in (0, 1):
            found = make_arguments(inputs, Recipe(Fill.FULL, "0", Realism(item, variation=variation)))
            assert isinstance(found, Made), (item.label, found)
            assert judge.is_valid(found.value), (item.label, found.value)
            kinds.update(source.source.partition(":")[0] for source in found.sources)
    named = kinds["name"] + kinds["description"] + kinds["format"] + kinds["enum"] + kinds["default"]
    assert named / kinds.total() > 0.75
    assert kinds["plain"] / kinds.total() < 0.1


def test_variants_break_and_keep_by_both_validators(corpus: Path) -> None:
    broken: Counter[str] = Counter()
    unbroken: Counter[str] = Counter()
    for item in recorded(corpus):
        inputs, base = make(item.input_schema)
        assert isinstance(base, Made)
        found = make_variants(inputs, base, "0")
        judge = oracle(item.input_schema)
        for variant in found.variants:
            if variant.keyword == "format" and variant.side is Side.OUTSIDE:
                assert not _is_of_a_format(str(variant.value)), variant
            else:
                assert judge.is_valid(variant.arguments) is (variant.side is Side.INSIDE), (
                    item.label,
                    variant,
                )
            broken[variant.keyword] += variant.side is Side.OUTSIDE
        unbroken.update(each.keyword for each in found.unbroken)
        assert all(each.reason for each in found.unbroken)
    constrained = sum(broken.values()) + unbroken.total()
    assert broken["required"] > 3_000
    assert broken["type"] > 9_000
    assert sum(broken.values()) / constrained > 0.95


def _is_of_a_format(text: str) -> bool:
    """Tell whether a text is any of the formats that are broken here, by means of the standard library."""
    for read in (datetime.fromisoformat, UUID):
        try:
            read(text)
        except ValueError:
            continue
        return True
    return bool(urlsplit(text).scheme) or "@" in text.strip("@")


def test_schemas_take_little_time(corpus: Path) -> None:
    for item in recorded(corpus):
        began = time.process_time()
        inputs, base = make(item.input_schema)
        assert isinstance(base, Made)
        make_variants(inputs, base, "0")
        assert time.process_time() - began < 0.5, item.label
