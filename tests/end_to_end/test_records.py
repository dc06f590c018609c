"""What is written while a check runs: where it cannot be, the report says so and the check goes on."""

from pathlib import Path

import pytest

from tests.end_to_end.running import run, zoo

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")


@pytest.mark.parametrize(
    ("program", "option", "words"),
    [
        ("mcp-stdio-guard", "--trace", "the trace could not be written"),
        ("mcp-fuzz", "--trace", "the trace could not be written"),
        ("mcp-fuzz", "--full-trace", "the trace of calls could not be written"),
        ("mcp-stdio-guard", "--journal", "the journal could not be written"),
        ("mcp-fuzz", "--journal", "the journal could not be written"),
    ],
)
def test_a_full_disk_is_an_error_of_the_report(program: str, option: str, words: str) -> None:
    ran = run(program, "--json", option, str(FULL), "--", *zoo("demo/planted.py"))
    errors = ran.document["errors"]
    assert isinstance(errors, list)
    assert [(error["kind"], error["message"].partition(":")[0]) for error in errors] == [("internal", words)]
    assert ran.document["findings"]
    assert "Traceback" not in ran.stderr
    assert ran.left == ()
