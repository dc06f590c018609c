"""On each mended twin of the zoo our client and the official ones see the same tools and results."""

import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.differential.observed import NODE, Observed, Place, ours, python_sdk, typescript_sdk
from tests.differential.same import as_python_reads, as_typescript_reads

pytestmark = pytest.mark.anyio

SERVERS = Path(__file__).parents[1] / "servers"
PAIRS: list[dict[str, Any]] = tomllib.loads((SERVERS / "manifest.toml").read_text(encoding="utf-8"))["pair"]
NAMES = [pair["name"] for pair in PAIRS]


@pytest.mark.parametrize("name", NAMES)
async def test_three_clients_see_one_server(name: str) -> None:
    if shutil.which("node") is None or not (NODE / "node_modules").is_dir():
        pytest.skip("needs node and the packages of tests/node (`make test` installs them)")
    place = Place((sys.executable, str(SERVERS / f"{name}.py"), "--fixed"))
    seen, calls = await ours(place, None)
    others: dict[str, Observed] = {}

    async def python() -> None:
        others["python"] = await python_sdk(place, calls)

    async def typescript() -> None:
        others["typescript"] = await typescript_sdk(place, calls, sdk=1)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(python)
        tasks.start_soon(typescript)
    assert seen.tools
    assert others["python"] == as_python_reads(seen)
    assert others["typescript"] == as_typescript_reads(seen)
