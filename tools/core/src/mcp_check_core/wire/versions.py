"""Protocol revisions, as an enumerated set (specification, "versioning"; state of November 2026)."""

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions with the `initialize` handshake, oldest first."""

PRERELEASE_VERSIONS = ("2024-10-07",)
"""Accepted by the TypeScript SDKs although it was never released."""

MODERN_VERSIONS = ("2026-07-28",)
"""Stateless revisions, which have no `initialize`."""

LATEST_HANDSHAKE = HANDSHAKE_VERSIONS[-1]


def has_handshake(version: str) -> bool:
    """Whether a version is known and has the `initialize` handshake."""
    return version in HANDSHAKE_VERSIONS or version in PRERELEASE_VERSIONS
