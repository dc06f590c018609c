"""What changed between a lock and what the server lists now."""

from collections.abc import Iterator

from mcp_check_core.judges.canonical import definition_hashes
from mcp_check_core.judges.change_kinds import Change, ChangeKind
from mcp_check_core.judges.definition_change import compare_instructions, compare_tools
from mcp_check_core.model.bounds import cut_value
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_check_core.model.tool import read_tools
from mcp_lint.facts.definitions import Definitions
from mcp_lint.lock.document import Launch, Lock
from mcp_lint.rules.lock import finding_of


def changes(lock: Lock, definitions: Definitions, launch: Launch) -> Iterator[Change]:
    """Yield the changes of tools, of the instructions, and of what the server says of itself."""
    yield from compare_tools(read_tools(lock.tools), definitions.all_tools)
    yield from _instructions(lock, definitions)
    yield from _server(lock, definitions, launch)


def findings(lock: Lock, definitions: Definitions, launch: Launch) -> Iterator[Finding]:
    """Yield a finding for each change."""
    tools = {tool.label: tool.raw for tool in definitions.all_tools}
    server: Json = [definitions.instructions, definitions.server.name, definitions.server.version]
    known: dict[str | None, str] = {}
    for change in changes(lock, definitions, launch):
        if change.tool not in known:
            raw = tools.get(change.tool) if change.tool else server
            known[change.tool] = definition_hashes(raw).whole[:16]
        yield finding_of(change, known[change.tool])


def between(first: Definitions, other: Definitions, rule: Rule, seen_by: str) -> Iterator[Finding]:
    """Yield a finding of `rule` for each difference between two listings of one server."""
    tools = {tool.label: tool.raw for tool in other.all_tools}
    found = [
        *compare_tools(first.all_tools, other.all_tools),
        *compare_instructions(first.instructions, other.instructions),
    ]
    for change in found:
        raw = tools.get(change.tool) if change.tool else other.instructions
        yield finding_of(change, f"{seen_by} {definition_hashes(raw).whole[:16]}", rule, seen_by)


def _instructions(lock: Lock, definitions: Definitions) -> Iterator[Change]:
    now = definitions.instructions
    if not definitions.instructions_known:
        yield from compare_instructions(lock.instructions, None, known=False)
    elif lock.instructions_known:
        yield from compare_instructions(lock.instructions, now)
    elif now:
        yield Change(ChangeKind.INSTRUCTIONS_UNCHECKED, None, "/instructions", after=cut_value(now))


def _server(lock: Lock, definitions: Definitions, launch: Launch) -> Iterator[Change]:
    server = definitions.server
    pairs = [
        ("/server/name", lock.server_name, server.name),
        ("/server/version", lock.server_version, server.version),
    ]
    if "file" not in (lock.launch.kind, launch.kind):
        pairs.append(("/launch/sha256", lock.launch.sha256, launch.sha256))
    for pointer, before, after in pairs:
        unknown = launch.kind == "file" and after is None
        if before != after and not unknown:
            yield Change(ChangeKind.SERVER, None, pointer, before=before, after=after)
