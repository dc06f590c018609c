"""Schemas that want too much, or that are none at all."""

from collections.abc import Callable
from typing import Any

A = {"$ref": "#/$defs/A"}
LONG = "n" * 100_000
MILLION = 1_000_000


def taking(schema: object, **beside: object) -> dict[str, Any]:
    """Return a schema of arguments with one required property."""
    return {"type": "object", "properties": {"x": schema}, "required": ["x"], **beside}


def nested(levels: int, keyword: str) -> object:
    schema: object = {"type": "string"}
    for _ in range(levels):
        if keyword == "properties":
            schema = taking(schema)
        elif keyword in {"items", "not", "additionalProperties"}:
            schema = {keyword: schema}
        else:
            schema = {keyword: [schema]}
    return schema


def lists(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def doubling(levels: int) -> dict[str, Any]:
    """Return definitions each of which refers twice to the next."""
    return {f"d{number}": {"anyOf": [{"$ref": f"#/$defs/d{number + 1}"}] * 2} for number in range(levels)} | {
        f"d{levels}": False
    }


def wide(count: int) -> dict[str, Any]:
    return {f"p{number}": taking(taking({"type": "string"})) for number in range(count)}


PATTERNS = {
    "backtracks": "^(a+)+$",
    "counts up": "(((((a{1000}){1000}){1000}){1000}){1000})",
    "counts to a million": "^[a-z]{1000000}$",
    "nothing often": "((((){100000}){100000}){100000})",
    "almost nothing often": "(a?b?c?()()()()){50000}",
    "parts often": "(a" + "()" * 2_000 + "){50000}",
    "3,000 groups": "(" * 3_000 + "a" + ")" * 3_000,
    "100 kB": "a?" * 50_000,
    "alternatives": "|".join(f"word{number}" for number in range(2_000)),
    "broken": "(((",
    "open class": "[a-",
    "looks ahead": "(?=a)a",
    "refers back": "(a)\\1",
    "half a surrogate": "\\ud800",
    "beyond unicode": "\\u{110000}",
    "empty class": "[^\\s\\S]",
}
BOMBS: dict[str, Any] = {
    "min length": taking({"type": "string", "minLength": 300_000_000}),
    "min items": taking({"type": "array", "minItems": 30_000_000}),
    "min items within": taking({"type": "array", "minItems": 1_000, "items": taking({"type": "string"})}),
    "min items of min items": taking(
        {
            "type": "array",
            "minItems": 1_000,
            "items": {"type": "array", "minItems": 1_000, "items": {"type": "array", "minItems": 1_000}},
        }
    ),
    "unique booleans": taking(
        {"type": "array", "minItems": 1_000, "uniqueItems": True, "items": {"type": "boolean"}}
    ),
    "min contains": taking({"type": "array", "contains": {"type": "string"}, "minContains": 10**9}),
    "min properties": taking({"type": "object", "minProperties": 30_000_000}),
    "min properties within": taking({"type": "object", "minProperties": 1_000}),
    "min properties of one name": taking(
        {"type": "object", "minProperties": 900, "propertyNames": {"enum": ["a"]}}
    ),
    "long texts": {
        "type": "object",
        "properties": {f"p{number}": {"type": "string", "minLength": 100_000} for number in range(50)},
        "required": [f"p{number}" for number in range(50)],
    },
    "enum an object": taking({"enum": {"a": 1}}),
    "enum empty": taking({"enum": []}),
    "type empty": taking({"type": []}),
    "type a number": taking({"type": 7}),
    "type of 90,000": taking({"type": ["string"] * 90_000}),
    "anyOf a text": taking({"anyOf": ["str"]}),
    "anyOf empty": taking({"anyOf": []}),
    "anyOf of 50,000": taking({"anyOf": [{"type": "string"}] * 50_000}),
    "oneOf of 5,000": taking({"oneOf": [{"minLength": number} for number in range(5_000)]}),
    "false": taking(False),
    "schema false": False,
    "schema true": True,
    "schema null": None,
    "schema text": "object",
    "schema list": [],
    "schema number": 1.5,
    "properties a list": {"type": "object", "properties": [1], "required": ["x"]},
    "properties null": {"type": "object", "properties": {"x": None}, "required": ["x"]},
    "required a text": {"type": "object", "properties": {"x": {}}, "required": "x"},
    "requires of each": {
        "type": "object",
        "properties": {str(number): {} for number in range(500)},
        "dependentRequired": {str(number): [str(other) for other in range(90)] for number in range(500)},
    },
    "self": taking({"$ref": "#"}),
    "two selves": {
        "type": "object",
        "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}},
        "required": ["a", "b"],
    },
    "optional selves": {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}},
    "self in anyOf": taking(A, **{"$defs": {"A": {"anyOf": [A] * 5}}}),
    "self in allOf": taking(A, **{"$defs": {"A": {"allOf": [A] * 5}}}),
    "self in items": taking(A, **{"$defs": {"A": {"type": "array", "items": A, "minItems": 2}}}),
    "self in if": taking(A, **{"$defs": {"A": {"if": A, "then": A, "else": A}}}),
    "doubling": taking({"$ref": "#/$defs/d0"}, **{"$defs": doubling(60)}),
    "reference loop": taking(A, **{"$defs": {"A": {"$ref": "#/$defs/B"}, "B": A}}),
    "remote": taking({"$ref": "http://127.0.0.1:9/schema.json"}),
    "reference a number": taking({"$ref": 5}),
    "3,000 levels": nested(3_000, "properties"),
    "120 levels": nested(40, "properties"),
    "3,000 anyOf": taking(nested(3_000, "anyOf")),
    "3,000 allOf": taking(nested(3_000, "allOf")),
    "3,000 items": taking(nested(3_000, "items")),
    "100 not": taking(nested(100, "not")),
    "default of 3,000 levels": taking({"default": lists(3_000)}),
    "enum of 3,000 levels": taking({"default": lists(3_000), "enum": [lists(3_000)]}),
    "default infinite": taking({"type": "number", "default": float("inf"), "maximum": float("inf")}),
    "const not a number": taking({"const": float("nan")}),
    "const of 100 levels": taking({"const": lists(100)}),
    "bounds crossed": taking({"type": "integer", "minimum": 10, "maximum": -10}),
    "bounds beyond numbers": taking({"type": "number", "minimum": 1e308, "multipleOf": 1e-300}),
    "huge integer": taking({"type": "integer", "minimum": 10**400}),
    "huge integers": taking({"type": "integer", "minimum": 10**400, "maximum": 10**401, "multipleOf": 3}),
    "not a number": taking({"type": "number", "minimum": float("nan"), "multipleOf": float("nan")}),
    "infinite": taking({"type": "integer", "minimum": float("inf")}),
    "infinite lengths": taking({"type": "string", "minLength": float("inf"), "maxLength": float("inf")}),
    "multiple of zero": taking({"type": "integer", "multipleOf": 0}),
    "name of 100 kB": {"type": "object", "properties": {LONG: {"type": "string"}}, "required": [LONG]},
    "surrogate": taking({"const": "\ud800"}),
    "surrogate as name": {"type": "object", "properties": {"\ud800": {"type": "string"}}},
    "many patterns": {
        "type": "object",
        "properties": {
            f"p{number}": {"type": "string", "pattern": f"^a{number}[a-z]+$"} for number in range(2_000)
        },
    },
    "many wide patterns": {
        "type": "object",
        "properties": {
            f"p{number}": {"type": "string", "pattern": f"^\\w{{{number},1000}}$"} for number in range(200)
        },
    },
    **{
        f"pattern {name}": taking({"type": "string", "pattern": pattern, "minLength": 2})
        for name, pattern in PATTERNS.items()
    },
    "pattern that backtracks, long": taking({"type": "string", "pattern": "^(a+)+$", "minLength": 50_000}),
}
LARGE: dict[str, Callable[[], Any]] = {
    "enum of 90,000": lambda: taking({"enum": list(range(90_000))}),
    "enum of 200,000": lambda: taking({"enum": list(range(200_000))}),
    "enum of a million": lambda: taking({"enum": list(range(MILLION))}),
    "enums of a million": lambda: taking(
        {"allOf": [{"enum": list(range(MILLION))}, {"enum": list(range(MILLION))}]}
    ),
    "required of a million": lambda: {
        "type": "object",
        "required": [str(number) for number in range(MILLION)],
    },
    "default of 5 MB": lambda: taking({"default": "x" * 5_000_000}),
    "description of 5 MB": lambda: taking({"type": "string", "description": "e.g. 'x" * 700_000}),
    "wide and deep": lambda: {"type": "object", "properties": wide(2_000)},
    "90,000 properties": lambda: {
        "type": "object",
        "properties": {f"p{number}": {} for number in range(90_000)},
        "additionalProperties": False,
    },
    "200,000 values": lambda: {
        "type": "object",
        "properties": {f"p{number}": {"type": "string"} for number in range(100_000)},
    },
}
"""Schemas that are made when they are asked for, since they take much memory themselves."""
NAMES = (*BOMBS, *LARGE)


def bomb(name: str) -> Any:  # noqa: ANN401 - a schema, or what stands in for one
    return LARGE[name]() if name in LARGE else BOMBS[name]
