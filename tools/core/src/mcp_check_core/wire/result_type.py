"""What the modern era says of a result: its type, and how long it may be kept (specification 2026-07-28)."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.wire.faults import Fault, FaultCode

COMPLETE = "complete"
INPUT_REQUIRED = "input_required"
CACHE_SCOPES = ("public", "private")


@dataclass(frozen=True, slots=True)
class CacheHint:
    """How long a result may be kept, in milliseconds, and by whom; None where the server did not say so.

    `problem` is one sentence on what is wrong with the hint. Required are both members on a complete
    result of server/discover, of each list and of resources/read; a negative time is read as 0.
    """

    ttl_ms: int | None
    scope: str | None
    problem: str | None = None


def result_faults(result: Json) -> tuple[Fault, ...]:
    """Find fault with the type of a result. One without a type, of an older server, is complete.

    We declare no extension, so that the types which those define are unknown here.
    """
    if not isinstance(result, dict) or "resultType" not in result:
        return ()
    kind = result["resultType"]
    if kind in (COMPLETE, INPUT_REQUIRED):
        return ()
    seen = repr(cut_text(kind, 60)) if isinstance(kind, str) else json_type(kind)
    return (Fault(FaultCode.RESULT_KIND, f"resultType is {seen}"),)


def cache_hint(result: Mapping[str, Json]) -> CacheHint:
    """Read `ttlMs` and `cacheScope` of a result, whatever they are."""
    time, scope = result.get("ttlMs"), result.get("cacheScope")
    whole = isinstance(time, int) and not isinstance(time, bool)
    known = isinstance(scope, str) and scope in CACHE_SCOPES
    problems = [
        *([] if whole else [f"ttlMs is {_seen(result, 'ttlMs')}, not an integer"]),
        *([] if known else [f"cacheScope is {_seen(result, 'cacheScope')}, not public or private"]),
    ]
    if whole and isinstance(time, int) and time < 0:
        problems.append(f"ttlMs is {time}, less than 0")
    return CacheHint(
        ttl_ms=max(0, time) if whole and isinstance(time, int) else None,
        scope=scope if known and isinstance(scope, str) else None,
        problem="; ".join(problems) or None,
    )


def _seen(result: Mapping[str, Json], member: str) -> str:
    if member not in result:
        return "missing"
    value = result[member]
    return repr(cut_text(value, 40)) if isinstance(value, str) else json_type(value)
