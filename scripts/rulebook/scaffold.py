"""The files of a new rule: module, page, cases, test, and its place in the registry of its tool."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from scripts.rulebook.homes import CORE, Home, declared, registered
from scripts.rulebook.registry_edit import joined

BLANK = "<fill in:"
"""Stands in every text that an author has to write; the tests refuse what still holds it."""
_TEMPLATES = Path(__file__).parent / "templates"
_SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*|[A-Z][0-9]{1,2}")
_LONGEST = 50
_CORE_ROOM = "wire"
"""Where the rules of core lie that exist: what every runtime tool sees of a connection."""
_EXAMPLES = {
    "python server": "server.py",
    "python source": "source.py",
    "json tools": "tools.json",
    "jsonl wire": "wire.jsonl",
}


class NoRuleError(ValueError):
    """No rule can be made of what was asked for; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule to be: its home, its slug, and the module of rules that it joins, if it gets none of its own."""

    home: Home
    slug: str
    join: str | None = None

    @property
    def id(self) -> str:
        """The id."""
        return f"{self.home.short}/{self.slug}"

    @property
    def module(self) -> str:
        """The name of the module that declares it."""
        return self.join or self.slug.replace("-", "_").lower()

    @property
    def room(self) -> str:
        """The folder of the package that the module lies in."""
        return _CORE_ROOM if self.home is CORE else "rules"


def checked(rule: NewRule, root: Path) -> NewRule:
    """Give the rule back if it can be made. Raises NoRuleError."""
    if not _SLUG.fullmatch(rule.slug) or len(rule.slug) > _LONGEST:
        raise NoRuleError(
            f"{rule.slug!r} is no slug: small letters and digits in words joined by -, "
            f"at most {_LONGEST} characters, or a letter and a number (S1)"
        )
    taken = {other.slug.lower() for home in {rule.home, CORE} for other in registered(home)}
    if rule.slug.lower() in taken:
        raise NoRuleError(f"{rule.slug!r} is taken: {rule.home.short} or core has a rule of that name")
    source = root / rule.home.source / rule.room / f"{rule.module}.py"
    if rule.join is not None and (rule.home is CORE or not source.is_file()):
        raise NoRuleError(f"there is no module {rule.join!r} of rules to join; {blocks(rule.home)}")
    held = [name for name in files(rule, root) if (root / name).exists() and name != rule.home.registry]
    if held:
        raise NoRuleError(f"{held[0].as_posix()} exists already")
    return rule


def blocks(home: Home) -> str:
    """Say which modules of rules a tool has, with the slugs of each."""
    modules: dict[str, list[str]] = {}
    for rule_id, module in declared(home).items():
        modules.setdefault(module.rpartition(".")[2], []).append(rule_id.partition("/")[2])
    lines = [f"  {name}: {', '.join(slugs)}" for name, slugs in modules.items()]
    return "\n".join([f"{home.short} has these:", *lines]) if lines else f"{home.short} has none"


def files(rule: NewRule, root: Path) -> Mapping[Path, str]:
    """Give the text of each file that is to be made or changed, by its path from the root."""
    return dict(_files(rule, root))


def _files(rule: NewRule, root: Path) -> Iterator[tuple[Path, str]]:
    home, words = rule.home, _words(rule)
    if rule.join is None:
        yield home.source / rule.room / f"{rule.module}.py", _filled(f"{home.template}.py", words)
        yield from _registry(rule, root)
    yield home.rules / f"{rule.slug}.md", _filled("page.md", words)
    ending = _EXAMPLES[home.example]
    for section in ("fires", "silent"):
        yield home.cases / rule.slug / f"{section}-first.{ending}", _comment(ending, words)
    test = "test_rule.py" if rule.join is None else "test_joined.py"
    yield home.cases / f"test_{rule.slug.replace('-', '_').lower()}.py", _filled(test, words)


def _registry(rule: NewRule, root: Path) -> Iterator[tuple[Path, str]]:
    """Give the registry with the rule. Raises NoRuleError where it is not there or written otherwise."""
    home = rule.home
    if home is CORE:
        return
    if not (root / home.registry).is_file():
        raise NoRuleError(f"{home.registry.as_posix()} is missing: {home.short} has no rules yet")
    text = (root / home.registry).read_text("utf-8")
    try:
        yield home.registry, joined(text, f"{home.package}.rules", rule.module)
    except LookupError as problem:
        raise NoRuleError(f"{home.registry.as_posix()} {problem}") from problem


def _words(rule: NewRule) -> dict[str, str]:
    facts_module, _, facts = rule.home.facts.partition(":")
    example = _filled(f"example.{_EXAMPLES[rule.home.example]}", {})
    constant = rule.module.upper()
    return {
        "id": rule.id,
        "slug": rule.slug,
        "package": rule.home.package,
        "room": rule.room,
        "module": rule.module,
        "constant": constant,
        "declaration": f"{constant}.rule" if rule.home.template == "block" else "RULE",
        "facts_module": facts_module,
        "facts": facts,
        "info": rule.home.example,
        "bad": example,
        "good": example,
    }


def _comment(ending: str, words: Mapping[str, str]) -> str:
    """Write a case: the clean example, with a mark to fill in where the format can hold one."""
    mark = f"{BLANK} rename this case by what it shows, and plant the defect or what comes near to it>"
    if ending.endswith("py"):
        return f'"""{mark}"""\n\n{words["bad"]}'
    if ending.endswith("jsonl"):
        return f'{words["bad"]}{{"sent": {{"method": "{mark}"}}}}\n'
    return words["bad"].replace("Return the area", f"{mark} Return the area", 1)


def _filled(template: str, words: Mapping[str, str]) -> str:
    text = (_TEMPLATES / f"{template}.txt").read_text("utf-8")
    return Template(text).substitute(words) if words else text
