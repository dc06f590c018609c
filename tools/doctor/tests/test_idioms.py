"""Each recogniser finds the tool of its own sample."""

from pathlib import Path
from types import ModuleType

import pytest

from mcp_doctor.python.idioms import decorated, low_level, registered
from mcp_doctor.script.idioms import classes, objects
from mcp_doctor.script.idioms import registered as registered_script
from tools.doctor.tests.sources import tools

SAMPLES = [
    (decorated, "server.py", "list_notes"),
    (registered, "server.py", "tell_time"),
    (low_level, "server.py", "dim"),
    (registered_script, "server.ts", "dim"),
    (objects, "server.ts", "dim"),
    (classes, "server.ts", "dim"),
]


@pytest.mark.parametrize(
    ("idiom", "file", "name"), SAMPLES, ids=lambda value: getattr(value, "__name__", value)
)
def test_sample(idiom: ModuleType, file: str, name: str, tmp_path: Path) -> None:
    found = tools(tmp_path, {file: idiom.SAMPLE})
    assert list(found) == [name]
    assert found[name].place.file == file


def test_no_recogniser_is_without_a_sample() -> None:
    package = Path(__file__).parents[1] / "src" / "mcp_doctor"
    modules = {
        path.relative_to(package).with_suffix("").as_posix().replace("/", ".")
        for folder in ("python", "script")
        for path in (package / folder / "idioms").glob("*.py")
        if path.stem not in ("__init__", "declare")
    }
    assert {idiom.__name__.removeprefix("mcp_doctor.") for idiom, _, _ in SAMPLES} == modules
