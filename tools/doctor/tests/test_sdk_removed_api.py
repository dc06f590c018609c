"""Names that a release of an SDK lost, against what the manifests let in."""

import json
from pathlib import Path

import pytest

from mcp_doctor.facts.code import SdkUse
from mcp_doctor.facts.place import Place
from mcp_doctor.facts.sdk import removal_of
from mcp_doctor.manifests.python_requirements import python_requirements
from tools.doctor.tests.sources import check_files, slugs, write

OLD = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool()\ndef a():\n    '''A.'''\n"
LOW = (
    "import mcp.types as types\nfrom mcp.server import Server\nserver = Server('x')\n@server.list_tools()\n"
    "async def lt():\n    return [types.Tool(name='a', description='A.', inputSchema={})]\n"
)
GUARDED = (
    "try:\n    from mcp.server.fastmcp import FastMCP\nexcept ImportError:\n"
    "    from mcp.server.mcpserver import MCPServer as FastMCP\nmcp = FastMCP('x')\n"
    "@mcp.tool()\ndef a():\n    '''A.'''\n"
)
FAST = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool\ndef a():\n    '''A.'''\n"
PYPROJECT = "[project]\nname = 'x'\nversion = '1'\ndependencies = ['{}']\n"
CASES = {
    "unpinned": (OLD, {"requirements.txt": "mcp\n"}, True),
    "no upper bound": (OLD, {"pyproject.toml": PYPROJECT.format("mcp[cli]>=1.2")}, True),
    "upper bound": (OLD, {"pyproject.toml": PYPROJECT.format("mcp[cli]>=1.2,<2")}, False),
    "compatible release": (OLD, {"requirements.txt": "mcp~=1.9\n"}, False),
    "pinned": (OLD, {"requirements.txt": "mcp==1.12.3\n"}, False),
    "pinned to the second major": (OLD, {"requirements.txt": "mcp==2.1.0\n"}, True),
    "excluded": (OLD, {"requirements.txt": "mcp!=2.*\n"}, False),
    "setup.py": (
        OLD,
        {"setup.py": "from setuptools import setup\nsetup(install_requires=['mcp>=1'])\n"},
        True,
    ),
    "setup.cfg": (OLD, {"setup.cfg": "[options]\ninstall_requires =\n    mcp>=1\n"}, True),
    "metadata of a package": (OLD, {"x-1.dist-info/METADATA": "Name: x\nRequires-Dist: mcp>=1\n"}, True),
    "poetry, caret": (
        OLD,
        {"pyproject.toml": "[tool.poetry.dependencies]\npython = '^3.11'\nmcp = '^1.2'\n"},
        False,
    ),
    "poetry, star": (OLD, {"pyproject.toml": "[tool.poetry.dependencies]\nmcp = '*'\n"}, True),
    "an extra alone": (
        OLD,
        {"x-1.dist-info/METADATA": "Name: x\nRequires-Dist: mcp>=1; extra == 'dev'\nRequires-Dist: y\n"},
        False,
    ),
    "bound through fastmcp": (OLD, {"requirements.txt": "mcp>=1\nfastmcp<4\n"}, False),
    "free through fastmcp": (OLD, {"requirements.txt": "mcp>=1\nfastmcp\n"}, True),
    "brought in by fastmcp": (OLD, {"requirements.txt": "fastmcp>=4\n"}, True),
    "no manifest": (OLD, {}, False),
    "a broken manifest": (OLD, {"pyproject.toml": "[project\n"}, False),
    "low level": (LOW, {"requirements.txt": "mcp>=1\n"}, True),
    "guarded": (GUARDED, {"requirements.txt": "mcp>=1\n"}, False),
    "fastmcp of any major": (FAST, {"requirements.txt": "fastmcp\n"}, False),
    "fastmcp, gone in 3": (
        FAST + "mcp.get_tools()\n",
        {"requirements.txt": "fastmcp>=2\n"},
        True,
    ),
    "fastmcp, gone in 4, below it": (
        FAST + "FastMCP.as_proxy(x)\n",
        {"requirements.txt": "fastmcp>=2,<4\n"},
        False,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_python(case: str, tmp_path: Path) -> None:
    source, manifest, fires = CASES[case]
    _, report = check_files(tmp_path, {"server.py": source, **manifest})
    assert report.coverage.tools_checked == 1
    assert ("sdk-removed-api" in slugs(report)) is fires


def test_the_finding_says_where_and_what_instead(tmp_path: Path) -> None:
    _, report = check_files(tmp_path, {"server.py": LOW, "pyproject.toml": PYPROJECT.format("mcp>=1.2")})
    (finding,) = report.findings
    assert finding.message == (
        "Server.list_tools of mcp is gone from mcp 2.0.0, which “mcp>=1.2” in pyproject.toml lets in."
    )
    assert (
        finding.hint
        == "Give on_list_tools, on_call_tool and the like to the constructor of Server, or require mcp<2."
    )
    assert finding.evidence["places"] == ["server.py:4"]
    assert report.score is not None
    assert report.score.value == 100.0


def test_npm(tmp_path: Path) -> None:
    source = (
        'import { McpServer } from "@modelcontextprotocol/server";\nconst s = new McpServer({});\n'
        's.tool("a", "A.", async () => ({}));\n'
    )
    manifest = json.dumps({"dependencies": {"@modelcontextprotocol/server": "^2.0.0"}})
    _, report = check_files(tmp_path, {"server.ts": source, "package.json": manifest})
    assert slugs(report) == {"sdk-removed-api"}
    _, without = check_files(tmp_path, {"server.ts": source.replace("/server", "/sdk/server/mcp.js")})
    assert slugs(without) == set()


def test_lines_of_requirements(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"pyproject.toml": "[project]\nname = 'mcp-x'\nversion = '1'\ndependencies = [\n  'mcp>=1',\n]\n"},
    )
    (declared,) = python_requirements(tmp_path)
    assert (declared.package, declared.versions, declared.line) == ("mcp", ">=1", 5)


def test_a_name_below_a_removed_one_is_removed_too() -> None:
    def use(name: str) -> SdkUse:
        return SdkUse(Place("a.py", 1, 1, 1, 2), "pypi", "mcp", name)

    assert removal_of(use("mcp.server.fastmcp.Context")) is not None
    assert removal_of(use("mcp.server.fastmcpx")) is None
    assert removal_of(use("mcp.types.Tool")) is None
