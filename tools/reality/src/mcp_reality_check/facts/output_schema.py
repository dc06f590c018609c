"""What a tool promises of its structured content, and where a result breaks the promise."""

from dataclasses import dataclass

from mcp_check_core.judges.schema import Judgement, SchemaFault, SchemaValidator, compile_schema
from mcp_check_core.model.json_value import json_type
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import ToolResult

FAULTS = 5
"""Ways in which one result breaks its schema that are told."""


@dataclass(frozen=True, slots=True)
class OutputSchema:
    """The output schema of a tool, ready to judge; `validator` is None where none is declared.

    `problem` says in a few words why a declared one cannot judge, None where it can.
    """

    validator: SchemaValidator | None = None
    problem: str | None = None

    @property
    def declared(self) -> bool:
        """Whether the tool declares one."""
        return self.validator is not None

    def judgeable(self, result: ToolResult) -> bool:
        """Whether something can be said of a result: of one without structured content always."""
        if self.validator is None:
            return False
        return (
            not result.has_structured
            or self.validator.judge(result.structured) is not Judgement.NOT_JUDGEABLE
        )

    def faults(self, result: ToolResult) -> tuple[SchemaFault, ...]:
        """List where the structured content of a result breaks the schema; none where it cannot be judged."""
        if self.validator is None or not result.has_structured:
            return ()
        return self.validator.explain(result.structured, FAULTS)


def read_output_schema(tool: ToolDefinition) -> OutputSchema:
    """Take the output schema of a tool, whatever it is. Never raises.

    `null` counts as none: SDKs write it for a tool that declares nothing.
    """
    schema = tool.fields.get("outputSchema")
    if schema is None:
        return OutputSchema()
    validator = compile_schema(schema)
    if validator.judges:
        return OutputSchema(validator)
    if not isinstance(schema, dict | bool):
        return OutputSchema(validator, f"the output schema is {json_type(schema)}, not an object")
    if validator.faults:
        fault = validator.faults[0]
        problem = f"the output schema breaks its dialect at {fault.pointer or '/'}: {fault.message}"
        return OutputSchema(validator, problem)
    return OutputSchema(validator, f"the output schema cannot judge: {validator.problem}")
