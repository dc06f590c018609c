"""The same server, options and seed give the same report, apart from what the schema calls volatile."""

from pathlib import Path

import orjson
import pytest

from mcp_check_core.report.schema import without_volatile
from tests.end_to_end.running import run, zoo


@pytest.mark.parametrize(
    "server", ["demo/planted.py", "demo/fixed.py", "crash_on_wrong_type.py", "daemon_left_behind.py"]
)
def test_two_runs_are_equal(server: str, tmp_path: Path) -> None:
    seen = []
    for number in ("one", "two"):
        folder = tmp_path / number
        folder.mkdir()
        ran = run("mcp-trust-check", "--json", "--reports-dir", str(folder), "--", *zoo(server))
        seen.append({"merged": ran.stdout, **{path.name: path.read_bytes() for path in folder.iterdir()}})
    first, second = seen
    assert first.keys() == second.keys()
    schemas = {
        "merged": orjson.loads(run("mcp-trust-check", "schema").stdout),
        "guard.json": orjson.loads(run("mcp-stdio-guard", "schema").stdout),
        "fuzz.json": orjson.loads(run("mcp-fuzz", "schema").stdout),
    }
    for name, schema in schemas.items():
        assert without_volatile(orjson.loads(first[name]), schema) == without_volatile(
            orjson.loads(second[name]), schema
        ), name
