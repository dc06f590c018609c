"""The merged document as the human formats read it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_check_core.model.finding import Finding
from mcp_check_core.report.document import finding_from_document


@dataclass(frozen=True, slots=True)
class Shown:
    """A merged finding: what it decides (None: nothing), and the tools that saw it with their rules."""

    finding: Finding
    decision: str | None
    seen_by: tuple[tuple[str, str, str], ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that saw it, by their short names."""
        return tuple(short for short, _, _ in self.seen_by)


@dataclass(frozen=True, slots=True)
class View:
    """The document with its findings read."""

    document: Mapping[str, Any]
    findings: tuple[Shown, ...]

    @property
    def decision(self) -> str:
        """BLOCK, FIX-FIRST or SHIP."""
        return str(self.document["decision"])

    def behind(self, tool: str, fingerprints: list[str]) -> Iterator[Shown]:
        """Yield the merged findings that hold one of a tool's findings."""
        for shown in self.findings:
            if any(short == tool and print_ in fingerprints for short, _, print_ in shown.seen_by):
                yield shown

    def in_state(self, *states: str) -> dict[str, Mapping[str, Any]]:
        """Return the tools in one of the states, by their short names."""
        return {short: tool for short, tool in self.document["tools"].items() if tool["state"] in states}


def read_view(document: Mapping[str, Any]) -> View:
    """Read a merged document that this version has made."""
    findings = [
        Shown(
            finding_from_document(item),
            item["decision"],
            tuple((seen["tool"], seen["ruleId"], seen["fingerprint"]) for seen in item["seenBy"]),
        )
        for item in document["findings"]
    ]
    return View(document, tuple(findings))
