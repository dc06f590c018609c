"""What a package imports from others, its distribution declares."""

import ast
import sys
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement

from tests.packaging.layout import ALL, Distribution, by_name

IMPORT_NAMES = {"opentelemetry-sdk": "opentelemetry", **{item.name: item.package for item in ALL}}


def declared(distribution: Distribution) -> set[str]:
    project = distribution.pyproject()["project"]
    extras = [line for lines in project.get("optional-dependencies", {}).values() for line in lines]
    names = [Requirement(line).name for line in [*project["dependencies"], *extras]]
    return {IMPORT_NAMES.get(name, name.replace("-", "_")) for name in names}


def imported(distribution: Distribution) -> Iterator[str]:
    for path in distribution.source.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]


@pytest.mark.parametrize("distribution", ALL, ids=by_name)
def test_every_import_is_the_standard_library_or_declared(distribution: Distribution) -> None:
    allowed = {*sys.stdlib_module_names, distribution.package, *declared(distribution)}
    assert sorted({*imported(distribution)} - allowed) == []
