"""Whether a JSON Schema is one by the rules of its own dialect."""

from dataclasses import dataclass

from mcp_check_core.model.json_value import Json


@dataclass(frozen=True, slots=True)
class SchemaVerdict:
    """`fault` says what makes it no schema and `pointer` where; `unknown` why that could not be told."""

    fault: str | None = None
    pointer: str = ""
    unknown: str | None = None


def judge_schema(schema: Json) -> SchemaVerdict:
    """Judge one schema against the meta-schema of its dialect (2020-12 where it names none)."""
    from mcp_check_core.judges.schema import compile_schema  # noqa: PLC0415 - costs start-up time

    compiled = compile_schema(schema)
    if compiled.faults:
        first = compiled.faults[0]
        return SchemaVerdict(fault=first.message, pointer=first.pointer)
    if compiled.dialect is None:
        return SchemaVerdict(unknown=compiled.problem)
    return SchemaVerdict()
