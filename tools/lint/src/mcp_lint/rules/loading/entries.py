"""S9, first half: the list, the shape of its entries, their names."""

import re
from collections.abc import Iterator, Sequence

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Finding, Location
from mcp_check_core.model.json_value import json_type
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.definitions import DEPTH_BOUND, Definitions
from mcp_lint.facts.revisions import restricts_names
from mcp_lint.rules.loading.rule import LoadingFault, fault

LONGEST_NAME = 128
_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_NAME_HINT = f"Use 1 to {LONGEST_NAME} of the characters A-Z, a-z, 0-9, underscore, hyphen and dot."
_MEMBERS = {
    "title": (str,),
    "description": (str,),
    "annotations": (dict,),
    "_meta": (dict,),
    "icons": (list,),
    "execution": (dict,),
}
_WANTED = {str: "a string", dict: "an object", list: "an array"}


def judge_entries(definitions: Definitions) -> Iterator[Finding]:
    """Judge the list as a whole, then each entry."""
    listing = definitions.listing
    if listing.problem is not None and not listing.ours:
        yield fault(
            LoadingFault.LIST,
            f"tools/list cannot be read whole: {listing.problem}.",
            "Answer each page of tools/list with an array tools, and the last one without a nextCursor.",
        )
    for number, tool in enumerate(definitions.all_tools, start=1):
        if not isinstance(tool.raw, dict):
            yield fault(
                LoadingFault.ENTRY,
                f"Entry {number} of tools/list is {json_type(tool.raw)}, not an object.",
                "List objects with a name and an inputSchema.",
                location=Location(tool=tool.label),
                key=str(number),
                evidence={"entry": cut_value(tool.raw)},
            )
    for label in definitions.deep:
        yield fault(
            LoadingFault.TOO_DEEP,
            f"Its definition is nested over {DEPTH_BOUND} levels; nothing else was judged of it.",
            "Flatten the schema, or move what repeats into $defs.",
            location=Location(tool=label),
        )
    for tool in definitions.tools:
        yield from _name(tool, definitions.protocol)
        yield from _members(tool)
    yield from _duplicates(definitions.all_tools)


def _name(tool: ToolDefinition, protocol: str | None) -> Iterator[Finding]:
    at = Location(tool=tool.label, pointer="/name")
    if tool.name is None:
        given = tool.fields.get("name")
        what = json_type(given) if given else "missing or empty"
        yield fault(LoadingFault.NAME_MISSING, f"Its name is {what}.", _NAME_HINT, location=at)
        return
    if len(tool.name) > LONGEST_NAME:
        message = f"Its name has {len(tool.name)} characters, over {LONGEST_NAME}."
        yield fault(LoadingFault.NAME_LENGTH, message, _NAME_HINT, location=at)
    if restricts_names(protocol) and _NAME.fullmatch(tool.name) is None:
        odd = sorted(set(_NAME.sub("", tool.name)))
        yield fault(
            LoadingFault.NAME_CHARACTERS,
            f"Its name {cut_text(tool.name, 80)!r} has characters that clients refuse.",
            _NAME_HINT,
            location=at,
            evidence={"characters": [f"U+{ord(each):04X}" for each in odd[:10]]},
        )


def _members(tool: ToolDefinition) -> Iterator[Finding]:
    for name, types in _MEMBERS.items():
        value = tool.fields.get(name)
        if name in tool.fields and not isinstance(value, types):
            yield fault(
                LoadingFault.MEMBER_TYPE,
                f"Its member {name} is {json_type(value)}, not {_WANTED[types[0]]}.",
                "Leave out a member that has no value.",
                location=Location(tool=tool.label, pointer=f"/{name}"),
                key=name,
            )


def _duplicates(tools: Sequence[ToolDefinition]) -> Iterator[Finding]:
    folded: dict[str, list[ToolDefinition]] = {}
    for tool in tools:
        if tool.name is not None:
            folded.setdefault(tool.name.casefold(), []).append(tool)
    for key, group in folded.items():
        if len(group) > 1:
            names = sorted({tool.label for tool in group})
            told = "are called" if len(names) == 1 else "differ in letter case alone:"
            yield fault(
                LoadingFault.NAME_DUPLICATE,
                f"{len(group)} tools {told} {', '.join(map(repr, names[:5]))}.",
                "Give each tool a name of its own.",
                location=Location(tool=names[0], pointer="/name"),
                key=cut_text(key, 200),
                evidence={"count": len(group)},
            )
