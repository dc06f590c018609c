"""Rules and taxonomies in SARIF 2.1.0, made from the declarations and pages of rules."""

import re
from collections.abc import Callable, Iterable

from mcp_check_core.model.finding import Category, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import page_head, page_section
from mcp_check_core.report.rule_book import RuleBook
from mcp_check_core.report.sanitise import sarif_text

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
"""Levels of SARIF by severity."""
CWE = "CWE"
OWASP_MCP = "OWASP MCP Top 10"
_RISKY = frozenset({Category.SECURITY, Category.SUPPLY_CHAIN})
_SECURITY_SEVERITY = {Severity.ERROR: "8.0", Severity.WARNING: "5.0", Severity.INFO: "2.0"}
_OWASP_MCP_TITLES = {
    1: "Token Mismanagement and Secret Exposure",
    2: "Privilege Escalation via Scope Creep",
    3: "Tool Poisoning",
    4: "Software Supply Chain Attacks and Dependency Tampering",
    5: "Command Injection and Execution",
    6: "Intent Flow Subversion",
    7: "Insufficient Authentication and Authorization",
    8: "Lack of Audit and Telemetry",
    9: "Shadow MCP Servers",
    10: "Context Injection and Over-Sharing",
}


class Taxonomies:
    """The items of CWE and of the OWASP MCP Top 10 that the rules of a report name."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        known = list(rules)
        cwe = sorted({number for rule in known for number in rule.cwe})
        owasp = sorted({number for rule in known for number in rule.owasp_mcp})
        self._items: dict[str, list[str]] = {
            name: ids
            for name, ids in (
                (CWE, [f"CWE-{number}" for number in cwe]),
                (OWASP_MCP, [_owasp_id(number) for number in owasp]),
            )
            if ids
        }

    def components(self) -> list[Json]:
        """Write the taxonomies, each with the items that are used."""
        made: dict[str, Callable[[list[str]], Json]] = {CWE: _cwe_component, OWASP_MCP: _owasp_component}
        return [made[name](ids) for name, ids in self._items.items()]

    def supported(self) -> list[Json]:
        """Write the references by which the driver says which taxonomies it uses."""
        return [{"name": name, "index": index} for index, name in enumerate(self._items)]

    def references(self, rule: Rule) -> list[Json]:
        """Write a reference to each item that a rule names."""
        wanted = {
            CWE: [f"CWE-{number}" for number in rule.cwe],
            OWASP_MCP: [_owasp_id(number) for number in rule.owasp_mcp],
        }
        return [
            {"id": item, "index": ids.index(item), "toolComponent": {"name": name, "index": index}}
            for index, (name, ids) in enumerate(self._items.items())
            for item in wanted[name]
        ]


def rule_descriptor(rule_id: str, book: RuleBook, taxonomies: Taxonomies) -> dict[str, Json]:
    """Write one rule; of a rule that the book does not hold only the id is known."""
    rule = book.rules.get(rule_id)
    base: dict[str, Json] = {"id": rule_id, "name": _pascal_case(rule_id)}
    if rule is None:
        return {**base, "shortDescription": {"text": f"The rule {sarif_text(rule_id)}."}}
    page = book.page(rule)
    flags = page_section(page, "What it flags").partition("\n\n")[0]
    kinds: list[Json] = [{"target": item, "kinds": ["superset"]} for item in taxonomies.references(rule)]
    return {
        **base,
        "shortDescription": {"text": _sentence(rule.title)},
        "fullDescription": {"text": sarif_text(_sentence(" ".join(flags.split()) or rule.title))},
        "help": {"text": page, "markdown": f"{page_head(rule)}\n{page}"},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        **({"relationships": kinds} if kinds else {}),
        "properties": _properties(rule),
    }


def _properties(rule: Rule) -> dict[str, Json]:
    tags: list[Json] = ["mcp", rule.category.value]
    tags += [f"external/cwe/cwe-{number:03d}" for number in rule.cwe]
    tags += [f"external/owasp-mcp/{_owasp_id(number)}" for number in rule.owasp_mcp]
    properties: dict[str, Json] = {
        "tags": tags,
        "category": rule.category.value,
        "since": rule.since,
        "kinds": list(rule.kinds),
        "references": list(rule.references),
    }
    if rule.category in _RISKY:
        properties["security-severity"] = _SECURITY_SEVERITY[rule.severity]
    else:
        properties["problem.severity"] = LEVELS[rule.severity].replace("note", "recommendation")
    return properties


def _cwe_component(ids: list[str]) -> Json:
    taxa: list[Json] = [
        {"id": item, "helpUri": f"https://cwe.mitre.org/data/definitions/{item[4:]}.html"} for item in ids
    ]
    return {
        "name": CWE,
        "organization": "MITRE",
        "informationUri": "https://cwe.mitre.org/",
        "shortDescription": {"text": "Common Weakness Enumeration."},
        "isComprehensive": False,
        "taxa": taxa,
    }


def _owasp_component(ids: list[str]) -> Json:
    titles = {_owasp_id(number): title for number, title in _OWASP_MCP_TITLES.items()}
    taxa: list[Json] = [
        {"id": item, "shortDescription": {"text": f"{titles.get(item, 'A later item')}."}} for item in ids
    ]
    return {
        "name": OWASP_MCP,
        "version": "2025",
        "organization": "OWASP",
        "informationUri": "https://owasp.org/www-project-mcp-top-10/",
        "shortDescription": {"text": "The ten risks of MCP servers that OWASP lists."},
        "isComprehensive": False,
        "taxa": taxa,
    }


def _owasp_id(number: int) -> str:
    return f"MCP{number:02d}"


def _pascal_case(rule_id: str) -> str:
    words = re.findall("[A-Za-z0-9]+", rule_id)
    return "".join(word[:1].upper() + word[1:] for word in words) or "Rule"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
