"""The answer to tools/list and the names in it."""

import re
from collections import Counter
from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.defects import DESCRIPTION_MISSING
from mcp_check_core.model.finding import Location, Severity
from mcp_check_core.model.json_value import json_type
from mcp_check_core.model.tool import ToolDefinition
from mcp_stdio_guard.facts.run import TOOLS_LIST, ListOutcome, RunFacts
from mcp_stdio_guard.rules.declare import (
    Block,
    CheckName,
    Count,
    Declared,
    IssueClass,
    Judgement,
    declare,
    not_applicable,
)

_TOOL = "MCP specification, server features: tools"


def _declare(
    code: str,
    title: str,
    severity: Severity,
    kinds: tuple[str, ...] = (),
    defect: str | None = None,
) -> Declared:
    return declare(
        code,
        title,
        severity,
        IssueClass.MCP_PROTOCOL,
        CheckName.TOOL_SCHEMA,
        kinds=kinds,
        defect=defect,
        references=(_TOOL,),
    )


INVALID_RESULT = _declare(
    "tools-list-invalid-result",
    "The answer to tools/list is no list of tools",
    Severity.ERROR,
    ("shape", "entry"),
)
NAME_INVALID = _declare(
    "tool-name-invalid",
    "A tool's name is missing or outside the allowed characters",
    Severity.ERROR,
    ("missing", "characters", "length"),
)
NAME_DUPLICATE = _declare("tool-name-duplicate", "Two tools have one name", Severity.ERROR)
NO_DESCRIPTION = _declare(
    "tool-description-missing", "A tool has no description", Severity.WARNING, (), DESCRIPTION_MISSING
)
_DECLARED = (INVALID_RESULT, NAME_INVALID, NAME_DUPLICATE, NO_DESCRIPTION)
_OF_TOOLS = _DECLARED[1:]
_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_LONGEST_NAME = 128
NO_TOOLS = "the server listed no tools"


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge the list as a whole, then each entry."""
    listing = run.listing(TOOLS_LIST)
    if listing is None or (listing.outcome is ListOutcome.NO_RESULT and not listing.items):
        yield from not_applicable(_DECLARED, "there was no answer to tools/list to judge")
        return
    if listing.outcome is ListOutcome.BAD_SHAPE:
        yield INVALID_RESULT.finding(
            f"The answer to tools/list is no list of tools: {listing.problem}.",
            kind="shape",
            hint="Answer with an array tools, and nextCursor only as a string where there is another page.",
            evidence={"answer": cut_value(listing.reply.result)},
        )
    tools = run.tools
    for number, tool in enumerate(tools, start=1):
        if not isinstance(tool.raw, dict):
            yield INVALID_RESULT.finding(
                f"Entry {number} of tools/list is {json_type(tool.raw)}, not an object.",
                key=str(number),
                kind="entry",
                location=Location(tool=tool.label),
                evidence={"entry": cut_value(tool.raw)},
            )
    if not tools:
        yield from not_applicable(_OF_TOOLS, NO_TOOLS)
        return
    yield from _names(tools)
    yield from _duplicates(tools)
    yield from _descriptions(tools)
    yield from (Count(one.rule.id, len(tools), len(tools)) for one in _OF_TOOLS)


def _names(tools: tuple[ToolDefinition, ...]) -> Iterator[Judgement]:
    hint = f"Use 1 to {_LONGEST_NAME} of the characters A-Z, a-z, 0-9, underscore, hyphen and dot."
    for tool in tools:
        name, at = tool.name, Location(tool=tool.label, pointer="/name")
        if not isinstance(tool.raw, dict):
            continue
        if name is None:
            what = json_type(tool.fields["name"]) if tool.fields.get("name") else "missing or empty"
            yield NAME_INVALID.finding(
                f"The name of tool {tool.label} is {what}.", kind="missing", location=at, hint=hint
            )
        elif _NAME.fullmatch(name) is None:
            yield NAME_INVALID.finding(
                f"The name {cut_text(name, 80)!r} has characters that clients refuse.",
                kind="characters",
                severity=Severity.WARNING,
                location=at,
                hint=hint,
            )
        elif len(name) > _LONGEST_NAME:
            yield NAME_INVALID.finding(
                f"The name {cut_text(name, 80)!r} has {len(name)} characters.",
                kind="length",
                severity=Severity.WARNING,
                location=at,
                hint=hint,
            )


def _duplicates(tools: tuple[ToolDefinition, ...]) -> Iterator[Judgement]:
    labels = {tool.name: tool.label for tool in tools if tool.name is not None}
    counts = Counter(tool.name for tool in tools if tool.name is not None)
    for name, count in counts.items():
        if count > 1:
            yield NAME_DUPLICATE.finding(
                f"{count} tools are called {cut_text(name, 80)!r}.",
                location=Location(tool=labels[name]),
                hint="Give each tool its own name; clients call by name, and model providers refuse two.",
                evidence={"count": count},
            )


def _descriptions(tools: tuple[ToolDefinition, ...]) -> Iterator[Judgement]:
    for tool in tools:
        if isinstance(tool.raw, dict) and not (tool.description or "").strip():
            yield NO_DESCRIPTION.finding(
                f"The tool {tool.label!r} has no description.",
                location=Location(tool=tool.label, pointer="/description"),
                hint="Say what it does and when to use it; a model has nothing else to go by.",
            )


BLOCK = Block(_DECLARED, judge)
