"""JSON Schemas of the documents: the shared envelope, and what each tool makes of it."""

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule

VOLATILE = "x-volatile"
"""Keyword with the JSON pointers of what two equal runs may differ in; `*` stands for any member or item."""

MAX_PROBLEMS = 50
"""Problems of one document that are told."""
_CLOSING = frozenset({"additionalProperties", "unevaluatedProperties"})


def envelope_schema() -> dict[str, Json]:
    """Give a fresh copy of the schema of what all tools share."""
    schema: dict[str, Json] = json.loads(_envelope_text())
    return schema


def reading_schema() -> dict[str, Json]:
    """Give the envelope as a reader should take it: a later tool may add members, so none is refused."""
    opened = _opened(envelope_schema())
    if not isinstance(opened, dict):
        raise TypeError("a schema stays an object")
    return opened


def tool_schema(
    *,
    tool: str,
    details: Mapping[str, Json],
    extra: Mapping[str, Json] | None = None,
    rules: Sequence[Rule],
    volatile: Sequence[str] = (),
    schema_version: int = 1,
    definitions: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """Make the self-contained schema of one tool's document.

    `details` is the schema of that member; `extra` maps further members at the top, all required, to theirs.
    The rules must all be there, in the order of `rules`. `volatile` are pointers beside `/timings`.
    `definitions` go to `$defs`, for references from `details` and `extra`. Raises ValueError where a member
    or definition of the tool would hide one that all tools share.
    """
    more = dict(extra or {})
    schema = envelope_schema()
    properties = _object(schema["properties"])
    _refuse_hidden(properties, more)
    _refuse_hidden(_object(schema["$defs"]), definitions or {})
    _object(schema["$defs"]).update(definitions or {})
    ids: list[Json] = [rule.id for rule in rules]
    _object(_object(properties["tool"])["properties"])["name"] = {"const": tool}
    properties["schemaVersion"] = {"const": schema_version}
    properties["rules"] = _announced(ids)
    _object(_object(_object(schema["$defs"])["finding"])["properties"])["ruleId"] = {"enum": ids}
    schema["properties"] = {**properties, "details": dict(details), **more}
    schema["required"] = [*_array(schema["required"]), *more]
    pointers: list[Json] = ["/timings", *volatile]
    head: dict[str, Json] = {
        "$schema": schema["$schema"],
        "$id": f"urn:mcp-trust-check:{tool}:{schema_version}",
        "title": f"Report of {tool}",
        VOLATILE: pointers,
    }
    return {**schema, **head}


def validate(document: Json, schema: Mapping[str, Json]) -> list[str]:
    """Say where a document breaks a schema, each as `/pointer: what is wrong`; nothing where it does not.

    Raises ValueError for a schema that is none, or that cannot be judged by.
    """
    # Waits because it costs start-up time, and few commands validate.
    from mcp_check_core.judges.schema import Judgement, compile_schema  # noqa: PLC0415

    validator = compile_schema(dict(schema))
    if not validator.judges:
        faults = [f"{fault.pointer or '/'}: {fault.message}" for fault in validator.faults]
        raise ValueError(f"the schema cannot be judged by: {'; '.join(faults) or validator.problem}")
    if validator.judge(document) is Judgement.NOT_JUDGEABLE:
        return ["/: the document is too large or too deep to be judged"]
    problems = [
        f"{fault.pointer or '/'}: {fault.message}" for fault in validator.explain(document, MAX_PROBLEMS)
    ]
    if len(problems) == MAX_PROBLEMS:
        problems.append(f"after {MAX_PROBLEMS} problems no more are told")
    return problems


def without_volatile(document: Mapping[str, Json], schema: Mapping[str, Json]) -> dict[str, Json]:
    """Copy a document without what its schema calls volatile, to compare two runs."""
    kept = _copied(dict(document))
    for pointer in _array(schema.get(VOLATILE, [])):
        parts = str(pointer).split("/")[1:]
        _remove(kept, [part.replace("~1", "/").replace("~0", "~") for part in parts])
    return _object(kept)


def schema_text(schema: Mapping[str, Json]) -> str:
    """Write a schema as the text that a tool commits and that its `schema` command prints."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write_schema(path: Path, schema: Mapping[str, Json]) -> None:
    """Write a schema to the file that a tool commits."""
    path.write_text(schema_text(schema), "utf-8", newline="\n")


def schema_difference(committed: str, schema: Mapping[str, Json]) -> str:
    """Compare the committed text of a schema with what it should be; the empty text if they are equal."""
    wanted = schema_text(schema)
    lines = difflib.unified_diff(
        committed.splitlines(), wanted.splitlines(), "committed", "made", lineterm=""
    )
    return "\n".join(lines) or ("" if committed == wanted else "line ends differ")


@cache
def _envelope_text() -> str:
    return files("mcp_check_core.report").joinpath("schemas", "envelope.schema.json").read_text("utf-8")


def _refuse_hidden(shared: Mapping[str, Json], more: Mapping[str, Json]) -> None:
    hidden = sorted(shared.keys() & more.keys())
    if hidden:
        raise ValueError(f"the envelope already has {', '.join(hidden)}")


def _announced(ids: list[Json]) -> Json:
    """The schema of `rules`: every rule once, in order."""
    items: list[Json] = [
        {"$ref": "#/$defs/rule", "properties": {"rule": {"const": rule_id}}} for rule_id in ids
    ]
    schema: dict[str, Json] = {"type": "array", "minItems": len(ids), "maxItems": len(ids)}
    return {**schema, "prefixItems": items} if items else schema


def _opened(schema: Json) -> Json:
    """Drop every refusal of further members."""
    if isinstance(schema, dict):
        return {
            name: _opened(member)
            for name, member in schema.items()
            if not (name in _CLOSING and member is False)
        }
    return [_opened(item) for item in schema] if isinstance(schema, list) else schema


def _remove(value: Json, parts: Sequence[str]) -> None:
    last = len(parts) == 1
    for key in list(_matching(value, parts[0])):
        if last and isinstance(value, dict):
            del value[str(key)]
        elif last and isinstance(value, list):
            value[int(key)] = None
        else:
            _remove(_member(value, key), parts[1:])


def _matching(value: Json, part: str) -> Iterator[str | int]:
    if isinstance(value, dict):
        yield from (name for name in value if part in ("*", name))
    elif isinstance(value, list):
        yield from (number for number in range(len(value)) if part in ("*", str(number)))


def _member(value: Json, key: str | int) -> Json:
    if isinstance(value, dict):
        return value[str(key)]
    return value[int(key)] if isinstance(value, list) else None


def _copied(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _copied(member) for name, member in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _object(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise TypeError("an object is expected here")
    return value


def _array(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError("an array is expected here")
    return value
