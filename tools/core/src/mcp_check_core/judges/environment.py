"""Judge whether an error is for want of something around the server: network, backend, quota, login.

One pure function over the text of an error. A server cannot help that its network, a program that it talks
to, or a credential is missing; what it says of that is no defect of it, and says nothing of its calls either.
Whether the text is an error at all is for the caller to know.
"""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from mcp_check_core.model.bounds import cut_text

_READ = 20_000
"""Characters at the start of a text that are read."""
_BEFORE, _EXCERPT = 60, 160
"""Characters before the sign that the excerpt shows, and its length."""


class EnvironmentKind(StrEnum):
    """What is missing."""

    NETWORK = "network"
    BACKEND = "backend"
    RATE_LIMIT = "rate-limit"
    CREDENTIAL = "credential"

    @property
    def wanted(self) -> str:
        """Name it in a sentence: failed for want of …."""
        return _WANTED[self]


_WANTED = {
    EnvironmentKind.NETWORK: "the network",
    EnvironmentKind.BACKEND: "a program beside it",
    EnvironmentKind.RATE_LIMIT: "quota",
    EnvironmentKind.CREDENTIAL: "a credential",
}


@dataclass(frozen=True, slots=True)
class EnvironmentSign:
    """What is missing, the id of the wording that says so, and the bounded text around it, as received."""

    kind: EnvironmentKind
    reason: str
    excerpt: str


def judge_environment(text: str) -> EnvironmentSign | None:
    """Say what an error text is for want of; None where it names nothing of the kind."""
    head = text[:_READ]
    for kind, reason, expression in _patterns():
        if (found := expression.search(head)) is not None:
            start = max(0, found.start() - _BEFORE)
            return EnvironmentSign(kind, reason, cut_text(head[start:].strip(), _EXCERPT))
    return None


@cache
def _patterns() -> tuple[tuple[EnvironmentKind, str, re.Pattern[str]], ...]:
    data = tomllib.loads(files(__package__).joinpath("data/environment.toml").read_text(encoding="utf-8"))
    return tuple(
        (
            EnvironmentKind(entry["kind"]),
            entry["id"],
            re.compile(entry["expression"], re.IGNORECASE | re.MULTILINE),
        )
        for entry in data["pattern"]
    )
