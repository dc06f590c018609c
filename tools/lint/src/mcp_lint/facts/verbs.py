"""What the name of a tool says that it does."""

from enum import StrEnum

from mcp_lint.facts.words import name_parts


class Deed(StrEnum):
    """What a verb does to the world: looks, changes, or destroys."""

    READ = "read"
    WRITE = "write"
    DESTROY = "destroy"


_VERBS = {
    Deed.READ: frozenset(
        {
            "get", "list", "read", "search", "find", "fetch", "show", "view", "query", "describe",
            "lookup", "count", "check", "inspect", "browse", "retrieve", "explain", "summarize",
            "analyze", "validate", "preview", "compare", "calculate", "convert",
        }
    ),
    Deed.WRITE: frozenset(
        {
            "create", "add", "write", "update", "set", "edit", "insert", "append", "upload", "send",
            "post", "publish", "rename", "move", "modify", "save", "put", "patch", "import",
            "commit", "push", "merge", "deploy", "assign", "enable", "disable", "start", "stop",
            "restart", "install", "upgrade",
        }
    ),
    Deed.DESTROY: frozenset(
        {
            "delete", "remove", "destroy", "drop", "purge", "erase", "wipe", "truncate",
            "uninstall", "kill", "terminate", "revoke",
        }
    ),
}  # fmt: skip
_OF_VERB = {verb: deed for deed, verbs in _VERBS.items() for verb in verbs}


def verb_of(name: str, prefix: str = "") -> str | None:
    """Give the verb that a name begins with, behind the prefix of its server; None where there is none.

    Where the name does not begin with a verb, its last part may be one (`issue_delete`).
    """
    parts = name_parts(name)
    if prefix and parts[:1] == (prefix,):
        parts = parts[1:]
    for part in (*parts[:1], *parts[-1:]):
        if part in _OF_VERB:
            return part
    return None


def deed_of(verb: str | None) -> Deed | None:
    """Say what a verb does; None for one that says nothing clear."""
    return _OF_VERB.get(verb) if verb else None


def shared_prefix(names: tuple[str, ...]) -> str:
    """Give the first part that two thirds of three or more names share, if it is no verb; else nothing."""
    firsts = [name_parts(name)[:1] for name in names]
    counts: dict[str, int] = {}
    for first in firsts:
        for part in first:
            counts[part] = counts.get(part, 0) + 1
    common = max(counts, key=lambda part: (counts[part], part), default="")
    enough = len(names) >= 3 and counts.get(common, 0) * 3 >= len(names) * 2
    return common if enough and common not in _OF_VERB else ""
