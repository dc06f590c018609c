"""The JSON Schema of doctor's document: the common envelope and doctor's details."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.schema import tool_schema
from mcp_doctor.registry import RULES

_TEXT: Json = {"type": "string"}
_NULL_TEXT: Json = {"type": ["string", "null"]}
_LINE: Json = {"type": ["integer", "null"], "minimum": 1}
_COUNT: Json = {"type": "integer", "minimum": 0}
_TEXTS: Json = {"type": "array", "items": _TEXT}


def document_schema() -> dict[str, Json]:
    """Make the schema that the package holds as `schema.json`."""
    return tool_schema(tool="mcp-doctor", details=_details(), rules=RULES)


def _details() -> dict[str, Json]:
    score: Json = {"anyOf": [{"type": "null"}, _object(value={"type": "number"}, grade=_TEXT, basis=_TEXT)]}
    return _object(
        breakages=_array(
            _object(
                rule=_TEXT,
                file=_NULL_TEXT,
                line=_LINE,
                tool=_NULL_TEXT,
                message=_TEXT,
                fix=_NULL_TEXT,
                fingerprint=_TEXT,
            )
        ),
        breakageCount=_COUNT,
        quality=score,
        security=score,
        tools=_array(_tool()),
        unresolved=_array(_object(file=_TEXT, line=_LINE, language=_TEXT, idiom=_TEXT, reason=_TEXT)),
        transports=_TEXTS,
        files=_object(
            read=_COUNT,
            syntaxErrors=_TEXTS,
            excluded=_array(_object(path=_TEXT, reason=_TEXT)),
            excludedCounts={"type": "object", "additionalProperties": _COUNT},
        ),
        notes=_TEXTS,
    )


def _tool() -> dict[str, Json]:
    parameter = _object(
        name=_TEXT, type=_NULL_TEXT, required={"type": "boolean"}, default={}, description=_NULL_TEXT
    )
    return _object(
        name=_TEXT,
        title=_NULL_TEXT,
        description=_NULL_TEXT,
        parameters=_array(parameter),
        annotations={"type": "object"},
        file=_TEXT,
        line=_LINE,
        framework=_TEXT,
        language=_TEXT,
        idiom=_TEXT,
        unresolved=_TEXTS,
    )


def _array(items: Json) -> dict[str, Json]:
    return {"type": "array", "items": items}


def _object(**members: Json) -> dict[str, Json]:
    """Describe an object with exactly these members."""
    return {
        "type": "object",
        "required": list(members),
        "additionalProperties": False,
        "properties": dict(members),
    }
