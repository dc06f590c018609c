"""One observation of a fault, the same type in every tool and every format."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcp_check_core.model.json_value import Json, canonical_json

_FINGERPRINT_VERSION = 1


class Severity(StrEnum):
    """How bad a finding is; `error` is the worst."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Order for sorting, 0 for the worst."""
        return _RANK[self]


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


class Category(StrEnum):
    """What a finding puts at risk."""

    SECURITY = "security"
    RELIABILITY = "reliability"
    CONFORMANCE = "conformance"
    FIDELITY = "fidelity"
    DOCUMENTATION = "documentation"
    EFFICIENCY = "efficiency"
    SUPPLY_CHAIN = "supply-chain"


class Certainty(StrEnum):
    """How a finding is known: it happened, it follows from the text alone, or it is worth a look."""

    OBSERVED = "observed"
    PROVEN = "proven"
    HEURISTIC = "heuristic"


@dataclass(frozen=True, slots=True)
class Location:
    """Where a finding is: in a tool's definition or answer, in a file, or both.

    `pointer` is a JSON pointer into the definition or response; lines and columns count from 1.
    """

    tool: str | None = None
    parameter: str | None = None
    pointer: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None

    def sort_key(self) -> tuple[str, str, str, str, int, int]:
        """Order findings of one rule by place."""
        return (
            self.file or "",
            self.tool or "",
            self.parameter or "",
            self.pointer or "",
            self.line or 0,
            self.column or 0,
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault that was seen, with the facts that show it.

    `key` is the rule's own identity for it (no free evidence): two findings of one rule with the same kind,
    tool, parameter and key are the same finding. `defect` names the fault where other rules see it too.
    `stored_fingerprint` is set on a finding that was read back from a document, which does not hold the key.
    """

    rule_id: str
    severity: Severity
    category: Category
    message: str
    location: Location = field(default_factory=Location)
    kind: str | None = None
    hint: str | None = None
    evidence: Mapping[str, Json] = field(default_factory=dict)
    reproduce: Json = None
    certainty: Certainty = Certainty.OBSERVED
    defect: str | None = None
    key: str = ""
    stored_fingerprint: str | None = None

    @property
    def fingerprint(self) -> str:
        """16 hex digits that stay the same across runs, line moves and machines."""
        if self.stored_fingerprint is not None:
            return self.stored_fingerprint
        identity: list[Json] = [
            _FINGERPRINT_VERSION,
            self.rule_id,
            self.kind,
            self.location.tool,
            self.location.parameter,
            self.key,
        ]
        return hashlib.sha256(canonical_json(identity)).hexdigest()[:16]

    def sort_key(self) -> tuple[int, str, tuple[str, str, str, str, int, int], str]:
        """Order of a report: severity, rule, location, fingerprint."""
        return (self.severity.rank, self.rule_id, self.location.sort_key(), self.fingerprint)
