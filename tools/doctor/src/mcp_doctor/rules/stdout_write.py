"""Rule stdout-write: a stdio server that writes something else than messages to stdout."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.defects import STDOUT_NOISE
from mcp_check_core.model.finding import Category, Certainty, Severity
from mcp_check_core.model.json_value import Json
from mcp_doctor.facts.code import Reach, StdoutWrite, Transport
from mcp_doctor.facts.sdk import diverts_stdout
from mcp_doctor.facts.source import ServerSource
from mcp_doctor.rules.judgement import (
    REPOSITORY,
    DoctorRule,
    Found,
    Judged,
    Judgement,
    declare,
    not_applicable,
)

RULE = declare(
    "stdout-write",
    "A stdio server writes to stdout what is no message",
    Severity.WARNING,
    Category.CONFORMANCE,
    STDOUT_NOISE,
    kinds=("import", "start", "call"),
    references=("MCP specification, transports: stdio",),
)
_WHEN = {
    Reach.IMPORT: "when the server is loaded",
    Reach.START: "when the server starts",
    Reach.CALL: "in a call",
}
_SHOWN = 10


def judge(source: ServerSource) -> Iterator[Judgement]:
    """Judge the writes that are reached, unless the server speaks HTTP alone."""
    if source.transports == {Transport.HTTP}:
        yield not_applicable("the server speaks HTTP alone; its stdout is free")
        return
    if not source.tools:
        yield not_applicable("no tool was found, so that it is not known what is reached")
        return
    diverted = diverts_stdout(source.declared)
    for write in source.writes:
        yield _found(write, diverted=diverted and write.language == "python")
    names = tuple(dict.fromkeys(tool.name for tool in source.tools))
    yield Judged((*names, REPOSITORY), len(names) + 1 + len(source.unresolved))


def _found(write: StdoutWrite, *, diverted: bool) -> Found:
    inert = diverted and write.reach is Reach.CALL
    what = cut_text(write.code, 100)
    alone = write.tools[0] if len(write.tools) == 1 else None
    evidence: dict[str, Json] = {"code": what}
    if write.steps:
        evidence["path"] = list(write.steps)
    if len(write.tools) > 1:
        evidence["tools"] = list(write.tools[:_SHOWN])
    finding = RULE.finding(
        f"{write.what} writes to stdout {_WHEN[write.reach]}, where only messages may stand"
        + (" (the SDK in use keeps it from the wire)." if inert else "."),
        location=write.place.location(tool=alone),
        key=f"{write.place.file}:{write.code}",
        severity=Severity.INFO if inert else None,
        kind=write.reach.value,
        hint="Write to stderr, through a logger or directly; clients read stdout as JSON, line by line.",
        evidence=evidence,
        certainty=Certainty.HEURISTIC,
    )
    units = write.tools if write.reach is Reach.CALL and write.tools else (REPOSITORY,)
    return Found(finding, () if inert else units)


DECLARED = DoctorRule(RULE, judge, breaks=True)
