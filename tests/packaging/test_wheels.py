"""What the built wheels carry."""

import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from tests.packaging.layout import ALL, Distribution, by_name

pytestmark = pytest.mark.timeout(300)


def read(wheel: Path, suffix: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(suffix))
        return archive.read(name).decode("utf-8")


def metadata(wheel: Path) -> Message:
    return Parser().parsestr(read(wheel, ".dist-info/METADATA"))


def test_there_is_one_pure_wheel_for_each_distribution(wheels: dict[str, Path]) -> None:
    assert {name: path.name for name, path in wheels.items()} == {
        item.name: f"{item.name.replace('-', '_')}-{item.version}-py3-none-any.whl" for item in ALL
    }


@pytest.mark.parametrize("distribution", ALL, ids=by_name)
def test_metadata_names_version_python_and_licence(
    distribution: Distribution, wheels: dict[str, Path]
) -> None:
    about = metadata(wheels[distribution.name])
    assert (about["Name"], about["Version"]) == (distribution.name, distribution.version)
    assert about["Requires-Python"] == ">=3.11"
    assert about["License-Expression"] == "MIT"
    assert str(about.get_payload()).startswith(f"# {distribution.name}\n")


@pytest.mark.parametrize("distribution", ALL, ids=by_name)
def test_the_wheel_has_every_file_of_the_package_and_nothing_else(
    distribution: Distribution, wheels: dict[str, Path]
) -> None:
    source = distribution.source
    expected = {
        f"{distribution.package}/{path.relative_to(source).as_posix()}"
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheels[distribution.name]) as archive:
        carried = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert f"{distribution.package}/py.typed" in carried
    assert carried == expected


@pytest.mark.parametrize("distribution", [item for item in ALL if item.command], ids=by_name)
def test_the_command_is_an_entry_point(distribution: Distribution, wheels: dict[str, Path]) -> None:
    text = read(wheels[distribution.name], ".dist-info/entry_points.txt")
    assert text.split("\n", 1)[1].strip() == f"{distribution.command} = {distribution.package}.cli:main"
