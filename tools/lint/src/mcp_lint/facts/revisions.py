"""What depends on the protocol's revision (specification, changelog of each revision)."""

_MODERN = "2026-07-28"
_NAMES_AND_DIALECT = "2025-11-25"


def is_modern(protocol: str | None) -> bool:
    """Whether any JSON Schema may stand for a tool's input and output, not an object schema alone."""
    return protocol is not None and protocol >= _MODERN


def restricts_names(protocol: str | None) -> bool:
    """Whether the revision says which characters a tool's name may have; an unknown one is taken to."""
    return protocol is None or protocol >= _NAMES_AND_DIALECT


def has_default_dialect(protocol: str | None) -> bool:
    """Whether a schema that names no dialect is one of 2020-12; with an unknown revision that is taken so."""
    return protocol is None or protocol >= _NAMES_AND_DIALECT
