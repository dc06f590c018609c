"""What the seven pyproject.toml files have to agree on."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.packaging.layout import ALL, CORE, ORCHESTRATOR, ROOT, TOOLS, Distribution, by_name

SIBLINGS = {item.name: item for item in ALL}


def dependencies(distribution: Distribution) -> dict[str, Requirement]:
    lines = distribution.pyproject()["project"]["dependencies"]
    return {found.name: found for found in map(Requirement, lines)}


def test_the_folders_of_the_workspace_are_these_distributions() -> None:
    found = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("tools/*/pyproject.toml")}
    assert found | {"orchestrator"} == {item.folder for item in ALL}


def test_the_root_is_no_distribution() -> None:
    assert set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))) == {"tool"}


@pytest.mark.parametrize("distribution", ALL, ids=by_name)
def test_name_version_and_command(distribution: Distribution) -> None:
    project = distribution.pyproject()["project"]
    command = {distribution.command: f"{distribution.package}.cli:main"} if distribution.command else {}
    assert project["name"] == distribution.name
    assert project["dynamic"] == ["version"]
    assert project.get("scripts", {}) == command
    assert re.fullmatch(r"\d+\.\d+\.\d+", distribution.version)


@pytest.mark.parametrize("distribution", ALL, ids=by_name)
def test_the_changelog_ends_at_this_version(distribution: Distribution) -> None:
    text = (ROOT / distribution.folder / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.startswith(f"# Changelog of {distribution.name}\n")
    assert re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)[:2] == ["Unreleased", distribution.version]


@pytest.mark.parametrize("distribution", ALL, ids=by_name)
def test_the_licence_is_that_of_the_workspace(distribution: Distribution) -> None:
    own = (ROOT / distribution.folder / "LICENSE").read_bytes()
    assert own == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("distribution", TOOLS, ids=by_name)
def test_a_tool_depends_on_core_and_on_no_other_sibling(distribution: Distribution) -> None:
    assert set(dependencies(distribution)) & set(SIBLINGS) == {CORE.name}


def test_core_depends_on_no_sibling() -> None:
    assert set(dependencies(CORE)) & set(SIBLINGS) == set()


def test_the_orchestrator_brings_core_and_every_tool() -> None:
    assert set(dependencies(ORCHESTRATOR)) & set(SIBLINGS) == {CORE.name, *(tool.name for tool in TOOLS)}


@pytest.mark.parametrize("distribution", [*TOOLS, ORCHESTRATOR], ids=by_name)
def test_siblings_carry_a_bound_that_only_this_repository_meets(distribution: Distribution) -> None:
    for name, requirement in dependencies(distribution).items():
        if name in SIBLINGS:
            assert SIBLINGS[name].version in requirement.specifier
            assert "1.99.0" not in requirement.specifier
            assert "3.0.0" not in requirement.specifier


def test_all_is_every_extra_of_the_orchestrator() -> None:
    extras = dict(ORCHESTRATOR.pyproject()["project"]["optional-dependencies"])
    (everything,) = map(Requirement, extras.pop("all"))
    assert (everything.name, everything.extras) == (ORCHESTRATOR.name, set(extras))
