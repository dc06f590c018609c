"""Protocol revisions, as an enumerated set (specification, "versioning"; state of November 2026)."""

from enum import StrEnum

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions with the `initialize` handshake, oldest first."""

PRERELEASE_VERSIONS = ("2024-10-07",)
"""Accepted by the TypeScript SDKs although it was never released."""

MODERN_VERSIONS = ("2026-07-28",)
"""Stateless revisions, which have no `initialize`."""

LATEST_HANDSHAKE = HANDSHAKE_VERSIONS[-1]
LATEST_MODERN = MODERN_VERSIONS[-1]

AUTO = "auto"
"""Choose a version: the handshake first, the modern era where that is refused or unanswered."""

ALL = "all"
"""Each era that a server has, one after the other."""


class Era(StrEnum):
    """Which of the two protocols is spoken: with a handshake, or without any state."""

    HANDSHAKE = "handshake"
    MODERN = "modern"


def has_handshake(version: str) -> bool:
    """Whether a version is known and has the `initialize` handshake."""
    return version in HANDSHAKE_VERSIONS or version in PRERELEASE_VERSIONS


def era_of(version: str) -> Era | None:
    """Tell the era of a version; None for one that is not known."""
    if version in MODERN_VERSIONS:
        return Era.MODERN
    return Era.HANDSHAKE if has_handshake(version) else None
