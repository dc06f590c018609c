"""Declarations, registries, pages, schemas, examples, zoo and index name the same rules, both ways."""

import json
import re
from pathlib import Path

import pytest

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import check_page, page_section
from scripts.rulebook.homes import CORE, HOMES, ROOT, TOOLS, Home, announced, declared, registered, schema_of
from scripts.rulebook.index import INDEX, made_files
from scripts.rulebook.scaffold import BLANK
from scripts.rulebook.zoo import SERVERS, shown_by
from tests.rules.examples import case_files, examples, read_case

RULES = [(home, rule) for home in HOMES for rule in registered(home)]
ERRORS = [(home, rule) for home, rule in RULES if rule.severity is Severity.ERROR]
BY_RULE = pytest.mark.parametrize(("home", "rule"), RULES, ids=[rule.id for _, rule in RULES])
BY_HOME = pytest.mark.parametrize("home", HOMES, ids=lambda home: home.short)
HIT = re.compile(
    r"^- (?:(?:Seen on|On servers of others): \S|No hit on a server of others is recorded yet\.$)",
    re.MULTILINE,
)
"""What the references of a rule at error severity say of servers that nobody here wrote."""


def page(home: Home, slug: str) -> Path:
    return ROOT / home.rules / f"{slug}.md"


@BY_HOME
def test_declared_are_registered(home: Home) -> None:
    slugs = [rule.id for rule in registered(home)]
    assert set(declared(home)) == set(slugs), "a module declares it, and its registry does not, or vice versa"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.short)
def test_a_tool_announces_its_own_rules_and_those_of_core_once(tool: Home) -> None:
    ids = [rule.id for rule in announced(tool)]
    assert len(set(ids)) == len(ids)
    assert {rule_id.partition("/")[0] for rule_id in ids} <= {tool.short, CORE.short}
    assert any((ROOT / tool.rules).glob("*.*")) == bool(ids), (
        "a folder of rules has a registry, and only that"
    )


@BY_HOME
def test_pages_are_rules(home: Home) -> None:
    pages = {path.stem for path in (ROOT / home.rules).glob("*.md")}
    assert pages == {rule.slug for rule in registered(home)}, "a page without its rule, or a rule without it"


@BY_RULE
def test_form_of_a_page(home: Home, rule: Rule) -> None:
    assert check_page(page(home, rule.slug).read_text("utf-8")) == []


@pytest.mark.parametrize(("home", "rule"), ERRORS, ids=[rule.id for _, rule in ERRORS])
def test_an_error_names_a_true_hit_or_says_that_there_is_none(home: Home, rule: Rule) -> None:
    references = page_section(page(home, rule.slug).read_text("utf-8"), "References")
    assert HIT.search(references), "its References have no line '- Seen on: …' or '- No hit on a server …'"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.short)
def test_the_schema_announces_the_registry(tool: Home) -> None:
    ids = [rule.id for rule in announced(tool)]
    if not ids:
        assert not (ROOT / tool.source / "schema.json").exists()
        return
    schema = json.loads((ROOT / tool.source / "schema.json").read_text("utf-8"))
    items = schema["properties"]["rules"]["prefixItems"]
    assert [item["properties"]["rule"]["const"] for item in items] == ids
    assert schema["$defs"]["finding"]["properties"]["ruleId"]["enum"] == ids
    assert schema_of(tool) is not None, f"{tool.package}.{tool.schema_module} does not make it"


def test_what_is_made_from_the_registries_is_fresh() -> None:
    stale = [
        name.as_posix() for name, text in made_files().items() if (ROOT / name).read_text("utf-8") != text
    ]
    assert stale == [], "run `make rules-index`"


def test_the_index_names_every_rule_once_and_leads_to_its_page() -> None:
    text = (ROOT / INDEX).read_text("utf-8")
    rows = re.findall(r"^\| \[([a-z]+/[\w-]+)\]\(([^)]+)\)", text, re.MULTILINE)
    assert [rule_id for rule_id, _ in rows] == [rule.id for _, rule in RULES]
    leads = [(ROOT / INDEX.parent / link).resolve() for _, link in rows]
    assert leads == [page(home, rule.slug).resolve() for home, rule in RULES]


def test_the_zoo_names_rules_that_exist_and_servers_that_exist() -> None:
    shown = shown_by()
    assert set(shown) <= {rule.id for _, rule in RULES}
    assert all((ROOT / SERVERS / f"{name}.py").is_file() for names in shown.values() for name in names)


@BY_HOME
def test_folders_of_cases_are_rules_and_hold_both_kinds(home: Home) -> None:
    folders = [path.name for path in (ROOT / home.cases).glob("[!_]*") if path.is_dir()]
    assert set(folders) <= {rule.slug for rule in registered(home)}
    for slug in folders:
        sections = {read_case(path).section for path in case_files(home, slug)}
        assert sections == {"Bad", "Good"}, (
            f"{home.cases / slug} needs a case that fires and one that does not"
        )


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if announced(tool)], ids=lambda tool: tool.short)
def test_a_tool_with_rules_runs_their_examples(tool: Home) -> None:
    path = ROOT / tool.folder / "tests" / "test_examples.py"
    assert path.is_file(), f"{tool.folder}/tests/test_examples.py is missing"
    assert f'test_example = examples_test("{tool.short}", ' in path.read_text("utf-8")
    both = {(example.rule.id, example.fires) for example in examples(tool)}
    assert both == {(rule.id, fires) for rule in announced(tool) for fires in (True, False)}


def test_nothing_that_the_scaffold_left_blank_is_still_so() -> None:
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for home in HOMES
        for folder in (home.source, home.cases)
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".json", ".jsonl")
    }
    assert len(texts) > 100
    blank = [name for name, text in texts.items() if BLANK in text]
    assert not blank, f"fill in what is marked {BLANK!r}: {', '.join(blank)}"
