"""The members of `details` in doctor's document: pure functions of facts and findings."""

from collections import Counter
from collections.abc import Sequence

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Score
from mcp_doctor.discover.tree import Excluded
from mcp_doctor.facts.source import ServerSource
from mcp_doctor.facts.tool_decl import Parameter, Text, ToolDecl, Unresolved
from mcp_doctor.registry import BREAKING

DESCRIPTION_BOUND = 4_000
EXCLUDED_SHOWN = 200


def breakages(findings: Sequence[Finding]) -> list[Json]:
    """List the findings that will break an agent: where, what, what to do."""
    return [
        {
            "rule": one.rule_id,
            "file": one.location.file,
            "line": one.location.line,
            "tool": one.location.tool,
            "message": one.message,
            "fix": one.hint,
            "fingerprint": one.fingerprint,
        }
        for one in findings
        if one.rule_id in BREAKING and one.severity is not Severity.INFO
    ]


def score_member(score: Score | None) -> Json:
    """Write a score as a member of details."""
    return None if score is None else {"value": score.value, "grade": score.grade, "basis": score.basis}


def tools_member(source: ServerSource) -> list[Json]:
    """Write the tools, by place."""
    return [_tool(tool) for tool in source.tools]


def unresolved_member(found: Sequence[Unresolved]) -> list[Json]:
    """Write the registrations whose name is not known."""
    return [
        {
            "file": one.place.file,
            "line": one.place.line,
            "language": one.language,
            "idiom": one.found_by,
            "reason": one.reason,
        }
        for one in found
    ]


def files_member(read: int, broken: Sequence[str], excluded: Sequence[Excluded]) -> dict[str, Json]:
    """Write how many files were read, which are broken, and what was left out with the reason."""
    counts = Counter(one.reason.value for one in excluded)
    shown: list[Json] = [{"path": one.path, "reason": one.reason.value} for one in excluded[:EXCLUDED_SHOWN]]
    names: list[Json] = [*sorted(broken)[:EXCLUDED_SHOWN]]
    return {
        "read": read,
        "syntaxErrors": names,
        "excluded": shown,
        "excludedCounts": {reason: counts[reason] for reason in sorted(counts)},
    }


def _tool(tool: ToolDecl) -> Json:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": _text(tool.description),
        "parameters": [_parameter(one) for one in tool.parameters if not one.nested],
        "annotations": cut_value(dict(tool.annotations)),
        "file": tool.place.file,
        "line": tool.place.line,
        "framework": tool.framework,
        "language": tool.language,
        "idiom": tool.found_by,
        "unresolved": [*tool.unresolved],
    }


def _parameter(parameter: Parameter) -> Json:
    default = parameter.default
    return {
        "name": parameter.name,
        "type": None if parameter.type is None else cut_text(parameter.type, 200),
        "required": parameter.required,
        "default": None if default is None or not default.known else cut_value(default.value),
        "description": _text(parameter.description),
    }


def _text(text: Text) -> Json:
    return None if text.value is None else cut_text(text.value, DESCRIPTION_BOUND)
