"""Suppressions: findings that somebody holds back, each with a reason, in `mcp-trust.toml` or pyproject.toml.

    [[suppress]]                        # in pyproject.toml: [[tool.mcp-trust-check.suppress]]
    rule = "fuzz/timeout"               # or fingerprint = "0123456789abcdef", or both
    kind = "slow-first-call"            # optional, for a rule that has kinds
    tool = "export_*"                   # optional, a pattern for the name of a tool
    path = "src/legacy/*"               # optional, a pattern for the path of a file; * crosses folders
    reason = "It is slow by design."    # always
    until = 2027-03-31                  # optional, the last day on which it holds

What the file says of another tool's rules is that tool's affair.
"""

import difflib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fnmatch import fnmatchcase

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.document import is_fingerprint

TABLE = "mcp-trust-check"
"""Name of our table below `[tool]` in pyproject.toml."""
TOOLS = frozenset({"core", "doctor", "guard", "fuzz", "reality", "lint"})
"""What stands before the slash in the id of a rule."""
MAX_CONFIG_BYTES = 2**20
_TOP = ("suppress",)
_KEYS = ("rule", "fingerprint", "kind", "tool", "path", "reason", "until")
_LONGEST = 500


class SuppressionError(Exception):
    """A configuration cannot be used; the message is one sentence that says what in it is wrong."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """One entry: what it holds back, why, and until when. `number` counts the entries of a file from 1."""

    number: int
    reason: str
    rule: str | None = None
    fingerprint: str | None = None
    kind: str | None = None
    tool: str | None = None
    path: str | None = None
    until: date | None = None

    def matches(self, finding: Finding) -> bool:
        """Tell whether an entry is about a finding; a pattern matches only what is there."""
        location = finding.location
        return (
            self.rule in (None, finding.rule_id)
            and self.fingerprint in (None, finding.fingerprint)
            and self.kind in (None, finding.kind)
            and _fits(self.tool, location.tool)
            and _fits(self.path, location.file)
        )

    def expired(self, today: date) -> bool:
        """Tell whether its last day is over."""
        return self.until is not None and today > self.until

    @property
    def subject(self) -> str:
        """Name what it is about, for messages."""
        return " ".join(
            part for part in (self.rule, self.kind, self.fingerprint, self.tool, self.path) if part
        )


def suppression_entry(finding: Finding, until: date) -> str:
    """Write the entry that holds back one finding; it is refused until somebody gives the reason."""
    lines = (
        "[[suppress]]",
        f'rule = "{finding.rule_id}"',
        f'fingerprint = "{finding.fingerprint}"',
        'reason = ""',
        f"until = {until}",
    )
    return "\n".join(lines)


def read_suppressions(
    data: bytes, rules: Sequence[Rule], *, pyproject: bool = False
) -> tuple[Suppression, ...]:
    """Read the entries of a configuration, those for rules of other tools left out.

    `rules` are those of this run. Raises SuppressionError, which names an unknown key, rule or kind.
    """
    table = _table(data, pyproject)
    _refuse_unknown(table, _TOP, "the configuration")
    entries = table.get("suppress", [])
    if not isinstance(entries, list):
        raise SuppressionError("suppress is not an array of tables; write [[suppress]]")
    read = [_entry(entry, number) for number, entry in enumerate(entries, start=1)]
    known = {rule.id: rule for rule in rules}
    ours = {rule_id.partition("/")[0] for rule_id in known}
    for entry in read:
        _check_rule(entry, known, ours)
    return tuple(entry for entry in read if entry.rule is None or entry.rule in known)


def _table(data: bytes, pyproject: bool) -> Mapping[str, object]:
    if len(data) > MAX_CONFIG_BYTES:
        raise SuppressionError(f"it has {len(data)} bytes, more than the {MAX_CONFIG_BYTES} that are read")
    try:
        document: object = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SuppressionError(f"it is not TOML: {error}") from error
    for name in ("tool", TABLE) if pyproject else ():
        document = document.get(name, {}) if isinstance(document, dict) else None
    if not isinstance(document, dict):
        raise SuppressionError(f"tool.{TABLE} is not a table")
    return document


def _entry(entry: object, number: int) -> Suppression:
    where = f"suppress entry {number}"
    if not isinstance(entry, dict):
        raise SuppressionError(f"{where} is not a table; write [[suppress]]")
    _refuse_unknown(entry, _KEYS, where)
    texts = {name: _string(entry, name, where) for name in _KEYS if name != "until"}
    reason = (texts.pop("reason") or "").strip()
    if not reason:
        raise SuppressionError(f"{where} has no reason; say in a sentence why it is held back")
    made = Suppression(number, reason, **texts, until=_until(entry.get("until"), where))
    if made.rule is None and made.fingerprint is None:
        raise SuppressionError(f"{where} names neither a rule nor a fingerprint")
    if made.fingerprint is not None and not is_fingerprint(made.fingerprint):
        raise SuppressionError(f"{where}: {made.fingerprint!r} is no fingerprint of 16 hex digits")
    return made


def _string(entry: Mapping[str, object], name: str, where: str) -> str | None:
    value = entry.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not value or len(value) > _LONGEST:
        raise SuppressionError(f"{where}: {name} is not a text of 1 to {_LONGEST} characters")
    return value


def _until(value: object, where: str) -> date | None:
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    try:
        if isinstance(value, str):
            return date.fromisoformat(value)
    except ValueError as error:
        raise SuppressionError(f"{where}: until is no day such as 2027-03-31") from error
    raise SuppressionError(f"{where}: until is no day such as 2027-03-31")


def _check_rule(entry: Suppression, known: Mapping[str, Rule], ours: set[str]) -> None:
    where = f"suppress entry {entry.number}"
    if entry.rule is None:
        return
    prefix = entry.rule.partition("/")[0]
    if entry.rule not in known:
        if prefix in ours or prefix not in TOOLS:
            raise SuppressionError(f"{where}: there is no rule {entry.rule!r}{_near(entry.rule, known)}")
        return
    kinds = known[entry.rule].kinds
    if entry.kind is not None and entry.kind not in kinds:
        raise SuppressionError(f"{where}: {entry.rule} has no kind {entry.kind!r}{_near(entry.kind, kinds)}")


def _refuse_unknown(table: Mapping[str, object], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise SuppressionError(f"{where} has an unknown key {cut_text(key, 100)!r}{_near(key, known)}")


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name[:200], list(known), n=3, cutoff=0.5)
    return f"; near to it: {', '.join(near)}" if near else ""


def _fits(pattern: str | None, name: str | None) -> bool:
    return pattern is None or (name is not None and fnmatchcase(name, pattern))
