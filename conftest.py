"""What every test of the workspace shares: the `anyio` back-end, and skips that may not happen."""

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

REQUIRE_ALL = "MCP_CHECK_REQUIRE_ALL"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as the tools do."""
    return "asyncio"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of recorded tool lists: MCP_CORPUS, or the one beside the checkout."""
    beside = Path(__file__).parent.parent / "shared" / "corpus"
    folder = Path(os.environ.get("MCP_CORPUS") or beside)
    if not folder.is_dir():
        pytest.skip("needs the corpus of recorded tool lists (set MCP_CORPUS to its folder)")
    return folder


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of public schemas: MCP_DATA, or the one beside the checkout."""
    beside = Path(__file__).parent.parent / "shared" / "data"
    folder = Path(os.environ.get("MCP_DATA") or beside)
    if not folder.is_dir():
        pytest.skip("needs the folder of public schemas (set MCP_DATA to it)")
    return folder


@pytest.fixture(scope="session")
def node_server() -> Callable[[str], list[str]]:
    """Return a function from a server's name in tests/node ("everything", "memory") to its command line."""
    node = shutil.which("node")
    packages = Path(__file__).parent / "tests" / "node" / "node_modules" / "@modelcontextprotocol"
    if node is None or not packages.is_dir():
        pytest.skip("needs node and the servers of tests/node (`make test` installs them)")
    return lambda name: [node, str(packages / f"server-{name}" / "dist" / "index.js")]


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test or module was skipped; pytest keeps it as (file, line, "Skipped: why")."""
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip for want of something ("needs …") into a failure where everything is required."""
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get(REQUIRE_ALL):
        reason = _reason(report)
        if reason.startswith("needs "):
            report.outcome = "failed"
            report.longrepr = f"{REQUIRE_ALL} is set, but this test was skipped: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Judge each skipped test."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Judge each module that was skipped as a whole."""
    report = yield
    _refuse_skip(report)
    return report
