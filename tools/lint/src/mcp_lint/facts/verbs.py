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
            "analyze", "browse", "calculate", "check", "compare", "convert", "count", "describe",
            "download", "explain", "extract", "fetch", "find", "get", "inspect", "list", "lookup",
            "preview", "query", "read", "retrieve", "search", "show", "summarize", "validate",
            "view",
        }
    ),
    Deed.WRITE: frozenset(
        {
            "accept", "add", "append", "apply", "approve", "archive", "assign", "attach", "block",
            "book", "buy", "cancel", "checkout", "clear", "close", "commit", "create", "fork", "deploy",
            "detach", "disable", "draft", "edit", "enable", "execute", "follow", "forward",
            "generate", "import", "insert", "install", "invite", "link", "lock", "mark", "merge",
            "migrate", "modify", "move", "order", "patch", "pause", "post", "publish", "pop", "push",
            "put", "rebase", "register", "reinstall", "reject", "rename", "reopen", "repair",
            "replace", "reply", "reset", "resolve", "restart", "restore", "resume", "run", "save",
            "send", "set", "star", "start", "stop", "submit", "subscribe", "sync", "toggle",
            "transfer", "transition", "trigger", "unarchive", "unblock", "unfollow", "unlink",
            "unlock", "unset", "unstar", "unsubscribe", "unwatch", "update", "upgrade", "upload",
            "watch", "write",
        }
    ),
    Deed.DESTROY: frozenset(
        {
            "delete", "destroy", "drop", "erase", "kill", "purge", "remove", "revoke", "terminate",
            "truncate", "uninstall", "wipe",
        }
    ),
}  # fmt: skip
GETTING = frozenset({"get", "read", "fetch", "retrieve", "show", "view", "describe"})
"""Verbs that in names mean the same."""
_NEAR = (
    GETTING | {"list", "browse"},
    frozenset({"list", "browse", "search", "find", "query", "lookup"}),
    frozenset({"create", "add", "insert"}),
    frozenset({"update", "edit", "modify", "set", "patch"}),
    frozenset({"delete", "remove", "destroy", "erase"}),
)
"""Verbs that people use for one deed."""
_OF_VERB = {verb: deed for deed, verbs in _VERBS.items() for verb in verbs}


def verb_of(name: str) -> str | None:
    """Give the verb of a name: the first of its first three parts that is one, else the last, or None."""
    parts = name_parts(name)
    for part in (*parts[:3], *parts[-1:]):
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


def conflicting(one: str | None, other: str | None) -> bool:
    """Whether two verbs say different things; of a tool without a verb nobody knows."""
    if one is None or other is None or one == other:
        return False
    return not any(one in near and other in near for near in _NEAR)
