"""Help is cheap: what a check needs is imported only by a check."""

import subprocess
import sys

HEAVY = {"anyio", "jsonschema_rs", "orjson", "psutil", "rich", "mcp", "mcp_check_core.wire.connection"}


def test_the_command_imports_nothing_heavy() -> None:
    program = "import sys, mcp_stdio_guard.cli; print('\\n'.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(ran.stdout.split())
