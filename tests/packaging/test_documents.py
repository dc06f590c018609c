"""What the documents at the root say exists."""

import re

import pytest

from tests.packaging.layout import ALL, ROOT

DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def targets() -> set[str]:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    return set(phony.split())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_make_command_exists(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^ {4})make ([a-z-]+)", text, re.MULTILINE))
    assert named - targets() == set()


def test_make_help_names_every_target() -> None:
    assert set(re.findall(r'"make ([a-z-]+) ', MAKEFILE)) == targets() - {"help"}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_to_a_file(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_plain_commands_are_those_of_make() -> None:
    assert ".venv/bin/python -m pytest -n 2 --dist worksteal -rs" in README
    assert "-m pytest -n $(JOBS) --dist worksteal -rs" in MAKEFILE
    assert "pip install --require-hashes -r requirements.txt" in README
    for server in ("planted", "fixed"):
        command = f"tests/servers/demo/{server}.py"
        assert command in README
        assert command in MAKEFILE
        assert (ROOT / command).is_file()


def test_readme_names_every_distribution_once() -> None:
    rows = re.findall(r"^\| \[([\w-]+)\]\(([\w/]+)/README\.md\) \| (?:`([\w-]+)`|–) \|", README, re.MULTILINE)
    assert sorted(rows) == sorted((item.name, item.folder, item.command) for item in ALL)
