"""The declaration of a rule: what it is called, how bad it is, where its page lies."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_check_core.model.finding import Category, Certainty, Finding, Location, Severity
from mcp_check_core.model.json_value import Json


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of one tool; everything that documents or renders it is made from this.

    `id` is `<short tool name>/<slug>`; the page of the rule is `<slug>.md` in the package's `rules` folder.
    `severity` is the worst that a finding of it has. `defect` is its key in `DEFECTS`, if another rule can
    see the same fault. `references` name the source of the requirement. `cwe` are numbers of the Common
    Weakness Enumeration, `owasp_mcp` items of the OWASP MCP Top 10 (5 for MCP05).
    """

    id: str
    title: str
    severity: Severity
    category: Category
    since: str = "2.0.0"
    kinds: tuple[str, ...] = ()
    defect: str | None = None
    references: tuple[str, ...] = ()
    cwe: tuple[int, ...] = ()
    owasp_mcp: tuple[int, ...] = ()

    @property
    def slug(self) -> str:
        """The part of the id behind the tool's name: module, page and fixture are called so."""
        return self.id.rpartition("/")[2]

    def finding(
        self,
        message: str,
        *,
        location: Location | None = None,
        key: str = "",
        severity: Severity | None = None,
        kind: str | None = None,
        hint: str | None = None,
        evidence: Mapping[str, Json] | None = None,
        reproduce: Json = None,
        certainty: Certainty = Certainty.OBSERVED,
    ) -> Finding:
        """Make a finding of this rule; severity, category and defect are the rule's unless given."""
        return Finding(
            rule_id=self.id,
            severity=severity or self.severity,
            category=self.category,
            message=message,
            location=location or Location(),
            kind=kind,
            hint=hint,
            evidence=evidence or {},
            reproduce=reproduce,
            certainty=certainty,
            defect=self.defect,
            key=key,
        )
