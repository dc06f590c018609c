"""The pages of rules: one Markdown file each, in the package that the rule belongs to.

A page holds no title and no metadata; its head is made from the rule's declaration.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from mcp_check_core.model.rule import Rule

SECTIONS = ("What it flags", "Why it matters", "Bad", "Good", "When it is wrong", "References")
"""The sections of a page, in their order."""
_EXECUTABLE = re.compile(r"(?:(python) (server)|(json) (tools)|(jsonl) (wire)|([a-z+#]+) (source))")
_FENCE = re.compile(r"(`{3,}|~{3,})([^`]*)")
_KINDS = "`python server`, `json tools`, `jsonl wire` or `<language> source`"


class UnknownRule(LookupError):  # noqa: N818 - it is what the user gave, and reads so
    """There is no rule of that name; the message names those that come near."""


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A fenced block of a page: the section it is in, the words behind the fence, its text."""

    section: str
    info: str
    text: str

    @property
    def kind(self) -> str | None:
        """`server`, `tools`, `wire` or `source`; None for a block that is not run."""
        match = _EXECUTABLE.fullmatch(self.info)
        return match[match.lastindex] if match and match.lastindex else None

    @property
    def language(self) -> str:
        """The first word behind the fence."""
        return self.info.partition(" ")[0]


def page_of(package: str, rule: Rule) -> str:
    """Read the page of a rule, `rules/<slug>.md` of a package; that of a `core/` rule lies in core.

    Raises FileNotFoundError without one.
    """
    home = "mcp_check_core" if rule.id.startswith("core/") else package
    return files(home).joinpath("rules", f"{rule.slug}.md").read_text("utf-8")


def explain(package: str, rules: Sequence[Rule], name: str) -> str:
    """Give the page of a rule, named by id or slug, under a head made from its declaration.

    Raises UnknownRule if no rule is called so.
    """
    rule = find_rule(rules, name)
    return f"{page_head(rule)}\n{page_of(package, rule).strip()}\n"


def find_rule(rules: Sequence[Rule], name: str) -> Rule:
    """Find a rule by its id, or by its slug alone. Raises UnknownRule."""
    wanted = name.strip().lower()
    for rule in rules:
        if wanted in (rule.id.lower(), rule.slug.lower()):
            return rule
    known = {text.lower(): rule.id for rule in rules for text in (rule.slug, rule.id)}
    near = difflib.get_close_matches(wanted[:200], known, n=5, cutoff=0.5)
    names = list(dict.fromkeys(known[text] for text in near))
    advice = (
        f"Near to it: {', '.join(names)}." if names else f"There are {len(rules)}, none with a name like it."
    )
    raise UnknownRule(f"There is no rule {name[:200]!r}. {advice}")


def page_head(rule: Rule) -> str:
    """Write the head of a rule's page."""
    facts = [f"Severity {rule.severity.value}", f"category {rule.category.value}", f"since {rule.since}"]
    if rule.kinds:
        facts.append(f"kinds {', '.join(rule.kinds)}")
    if rule.cwe:
        facts.append(", ".join(f"CWE-{number}" for number in rule.cwe))
    return f"# {rule.id}: {rule.title}\n\n{' · '.join(facts)}\n"


def page_blocks(text: str) -> list[PageBlock]:
    """List the fenced blocks of a page, for tests that run them."""
    return _read(text).blocks


def page_section(text: str, name: str) -> str:
    """Give the text of one section of a page, the empty text where there is none of that name."""
    return dict(_read(text).sections).get(name, "").strip()


def check_page(text: str) -> list[str]:
    """Say what is wrong with the form of a page; nothing if it is as every page should be."""
    page = _read(text)
    found = [name for name, _ in page.sections]
    problems = []
    if page.lead.strip():
        problems.append("text stands before the first section; title and metadata come from the declaration")
    if page.open_fence:
        problems.append("a fenced block is never closed")
    if found != list(SECTIONS):
        problems.append(f"the sections are {found}, not {list(SECTIONS)}")
    problems += [f"section {name!r} is empty" for name, body in page.sections if not body.strip()]
    for section in ("Bad", "Good"):
        blocks = [block for block in page.blocks if block.section == section]
        if not any(block.kind for block in blocks):
            problems.append(f"section {section!r} has no block that is run: {_KINDS}")
        problems += [
            f"a block in section {section!r} is fenced {block.info!r}, not {_KINDS}"
            for block in blocks
            if block.kind is None
        ]
    return problems


class _Page:
    """A page while it is read, line by line."""

    def __init__(self) -> None:
        self.lead = ""
        self.sections: list[tuple[str, str]] = []
        self.blocks: list[PageBlock] = []
        self.open_fence = ""
        self._info = ""
        self._body: list[str] = []

    def take(self, line: str) -> None:
        if self.open_fence:
            self._inside(line)
            return
        fence = _FENCE.fullmatch(line)
        if line.startswith("## "):
            self.sections.append((line[3:].strip(), ""))
            return
        if fence:
            self.open_fence, self._info, self._body = fence[1], fence[2].strip(), []
        self._add(line)

    def _inside(self, line: str) -> None:
        closing = line.strip()
        if closing.startswith(self.open_fence) and set(closing) == {self.open_fence[0]}:
            section = self.sections[-1][0] if self.sections else ""
            self.blocks.append(PageBlock(section, self._info, "\n".join([*self._body, ""])))
            self.open_fence = ""
        self._body.append(line)
        self._add(line)

    def _add(self, line: str) -> None:
        if self.sections:
            name, body = self.sections[-1]
            self.sections[-1] = (name, f"{body}{line}\n")
        else:
            self.lead += f"{line}\n"


def _read(text: str) -> _Page:
    page = _Page()
    for line in text.splitlines():
        page.take(line)
    return page
