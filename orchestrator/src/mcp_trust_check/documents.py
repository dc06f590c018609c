"""From what a tool's process left to what is known: its document, checked, or why there is none."""

from collections.abc import Mapping

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.report.document import finding_from_document
from mcp_check_core.report.json_format import DocumentError, load_document
from mcp_check_core.report.schema import validate
from mcp_trust_check.consistency import contradictions, unanswered
from mcp_trust_check.rescue import ended_early, saved_findings
from mcp_trust_check.run.outcome import ToolRun
from mcp_trust_check.tool_state import State, ToolState
from mcp_trust_check.toolset import Tool

MAX_DEPTH = 250
_ORDERLY = (0, 1)
_SHOWN = 3


def judged(tool: Tool, run: ToolRun, schema: Mapping[str, Json] | None, missing: str = "") -> ToolState:
    """Say what became of a tool.

    `schema` is the one that its package publishes; `missing` says why there is none.
    """
    document, problem = _parsed(run)
    if problem is None:
        problem = missing if schema is None else document_problem(tool, document, schema)
    if problem is not None:
        why = run.failure or (problem if run.stdout else _silent(run))
        journal = run.journal.findings if run.journal else ()
        saved = saved_findings(document, journal)
        return _state(tool, State.INCOMPLETE, why, None, saved, ended_early(document))
    findings = tuple(map(finding_from_document, _objects(document["findings"])))
    reason = run.failure or _own_reason(document) or _odd_end(document, run)
    became = State.INCOMPLETE if reason else State.COMPLETE
    return _state(tool, became, reason, document, findings, ended_early(document))


def document_problem(tool: Tool, document: Mapping[str, Json], schema: Mapping[str, Json]) -> str | None:
    """Say why a document is not the tool's report, None where it is."""
    match document.get("tool"):
        case {"name": tool.command}:
            pass
        case _:
            return f"what it printed is not a report of {tool.command}"
    first, last = tool.schema_versions
    version = document.get("schemaVersion")
    if not isinstance(version, int) or isinstance(version, bool):
        return "its report names no schema version"
    if not first <= version <= last:
        return f"its report has schema version {version}, and versions {first} to {last} can be read"
    try:
        problems = validate(dict(document), schema)
    except ValueError as error:
        return f"the schema that it publishes cannot be used: {cut_text(str(error))}"
    if problems:
        return f"its report breaks its schema: {_listed(problems)}"
    against = contradictions(document, schema)
    return f"its report contradicts itself: {_listed(against)}" if against else None


def left_out(tool: Tool, state: State, reason: str) -> ToolState:
    """Make the state of a tool that was not started."""
    return _state(tool, state, reason, None, ())


def lost_server(tool: Tool, state: ToolState) -> str | None:
    """Say how a tool failed to reach its server or lost it; None where it did not.

    A death that came again in every try is the request's doing and is left out.
    """
    for finding in state.findings:
        if finding.rule_id in tool.lost_server:
            return f"{finding.rule_id}: {finding.message}"
        if finding.defect == "server-death" and not _always(finding):
            return f"{finding.rule_id}, which did not come again each time"
    return state.ended_early and f"its run ended early, {state.ended_early}"


def _always(finding: Finding) -> bool:
    tried = str(finding.evidence.get("reproduced", "")).split(" of ")
    return len(tried) == 2 and tried[0] == tried[1]


def _state(
    tool: Tool,
    state: State,
    reason: str | None,
    document: Mapping[str, Json] | None,
    findings: tuple[Finding, ...],
    early: str | None = None,
) -> ToolState:
    return ToolState(tool.short, tool.command, tool.runtime, state, reason, document, findings, early)


def _silent(run: ToolRun) -> str:
    """Say how a tool ended that printed nothing, with the last line of its stderr."""
    last = next(filter(None, map(str.strip, reversed(run.stderr_tail.splitlines()))), "")
    said = f", saying {cut_text(last, 200)!r}" if last else ""
    return f"it printed no report and {run.ending}{said}"


def _parsed(run: ToolRun) -> tuple[Mapping[str, Json], str | None]:
    try:
        return load_document(run.stdout, max_bytes=len(run.stdout), max_depth=MAX_DEPTH), None
    except DocumentError as problem:
        return {}, f"what it printed is not a report: {str(problem).rstrip('.')}"


def _own_reason(document: Mapping[str, Json]) -> str | None:
    if document["status"] != "incomplete":
        return None
    errors = [str(error["message"]).rstrip(".") for error in _objects(document["errors"])]
    rules = [f"{_named(names)}: {reason.rstrip('.')}" for reason, names in unanswered(document).items()]
    return _listed(errors or rules)


def _named(rules: list[str]) -> str:
    return rules[0] if len(rules) == 1 else f"{len(rules)} rules"


def _odd_end(document: Mapping[str, Json], run: ToolRun) -> str | None:
    if run.signal is None and run.exit_code in _ORDERLY:
        return None
    return f"its report says {document['status']}, and the tool {run.ending}"


def _listed(sentences: list[str]) -> str:
    more = len(sentences) - _SHOWN
    text = "; ".join(cut_text(sentence, 300) for sentence in sentences[:_SHOWN])
    return f"{text}; and {more} more" if more > 0 else text


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
