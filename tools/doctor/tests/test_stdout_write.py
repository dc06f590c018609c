"""Which writes to stdout are reached, in Python and in TypeScript."""

from pathlib import Path

import pytest

from tools.doctor.tests.sources import check_files

PY = """
import sys
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("x")


@mcp.tool()
def a() -> int:
    '''A.'''
    return {call}


{functions}


def main():
    {before}
    mcp.run({run})
    {after}


{top}
if __name__ == "__main__":
    {program}
    main()
"""
SLOTS = {
    "call": "1",
    "functions": "",
    "before": "pass",
    "after": "pass",
    "top": "",
    "program": "pass",
    "run": "",
}
TS = """
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "x", version: "1" });
server.registerTool("a", { description: "A." }, async () => { CALL; return { content: [] }; });
FUNCTIONS
async function main() {
  BEFORE
  await server.connect(new StdioServerTransport());
  AFTER
}
main();
"""
PYTHON = {
    "in a call": ({"call": "print(1)"}, ["call"]),
    "in a function of a call": ({"call": "f()", "functions": "def f():\n    print(1)"}, ["call"]),
    "two functions away": (
        {"call": "f()", "functions": "def f():\n    return g()\n\n\ndef g():\n    sys.stdout.write('x')"},
        ["call"],
    ),
    "in a method": (
        {"call": "C().m()", "functions": "class C:\n    def m(self):\n        print(1)"},
        ["call"],
    ),
    "at the start": ({"before": "print(1)"}, ["start"]),
    "in a function of the start": ({"before": "f()", "functions": "def f():\n    print(1)"}, ["start"]),
    "before the program's main": ({"program": "print(1)"}, ["start"]),
    "as the program is loaded": ({"top": "print(1)"}, ["start"]),
    "to stderr": ({"call": "print(1, file=sys.stderr)", "top": "print(2, file=sys.stderr)"}, []),
    "after serving": ({"after": "print(1)"}, []),
    "never called": ({"functions": "def f():\n    print(1)"}, []),
    "before an exit": ({"before": "if len(sys.argv) > 9:\n        print(1)\n        sys.exit(2)"}, []),
    "in a function before an exit": (
        {
            "before": "if len(sys.argv) > 9:\n        f()\n        return",
            "functions": "def f():\n    print(1)",
        },
        [],
    ),
    "for HTTP alone": ({"before": "if sys.argv[1] == 'http':\n        print(1)"}, []),
    "for what is not stdio": (
        {"before": "if sys.argv[1] == 'stdio':\n        pass\n    else:\n        print(1)"},
        [],
    ),
    "a server of HTTP": ({"call": "print(1)", "run": "transport='streamable-http'"}, []),
    "a function of that name": ({"call": "print(1)", "functions": "def print(x):\n    return x"}, []),
    "a logger on stdout": (
        {
            "top": "import logging\nlogging.basicConfig(stream=sys.stdout)\n"
            "logging.basicConfig(stream=sys.stderr)"
        },
        ["start"],
    ),
}
SCRIPT = {
    "in a call": ({"CALL": "console.log(1)"}, ["call"]),
    "in a function of a call": ({"CALL": "f()", "FUNCTIONS": "function f() { console.info(1); }"}, ["call"]),
    "in a constructor": (
        {"BEFORE": "new C();", "FUNCTIONS": "class C { constructor() { console.log(1); } }"},
        ["start"],
    ),
    "at the start": ({"BEFORE": "process.stdout.write('x');"}, ["start"]),
    "while it serves": ({"AFTER": "console.log(1);"}, ["start"]),
    "as the program is loaded": ({"FUNCTIONS": "console.log(1);"}, ["start"]),
    "to stderr": ({"CALL": "console.error(1)", "BEFORE": "console.warn(1);"}, []),
    "in a page": ({"CALL": "page.evaluate(() => console.log(1))"}, []),
    "never called": ({"FUNCTIONS": "const f = () => { console.log(1); };"}, []),
    "before an exit": ({"BEFORE": "if (help) { console.log(1); process.exit(0); }"}, []),
    "deep before an exit": ({"BEFORE": "if (init) { if (x) { console.log(1); } process.exit(0); }"}, []),
    "for HTTP alone": ({"BEFORE": "if (options.port) { console.log(1); }"}, []),
    "console replaced": ({"CALL": "console.log(1)", "FUNCTIONS": "console.log = console.error;"}, []),
    "a console of its own": (
        {"CALL": "console.log(1)", "FUNCTIONS": "import { console } from './c.js';"},
        [],
    ),
    "a message": ({"CALL": "process.stdout.write(JSON.stringify({ jsonrpc: '2.0' }))"}, []),
}


@pytest.mark.parametrize("case", PYTHON)
def test_python(case: str, tmp_path: Path) -> None:
    slots, kinds = PYTHON[case]
    _, report = check_files(tmp_path, {"server.py": PY.format(**{**SLOTS, **slots})})
    assert [one.kind for one in report.findings if one.rule_id == "doctor/stdout-write"] == kinds


@pytest.mark.parametrize("case", SCRIPT)
def test_script(case: str, tmp_path: Path) -> None:
    slots, kinds = SCRIPT[case]
    source = TS
    for slot in ("CALL", "FUNCTIONS", "BEFORE", "AFTER"):
        source = source.replace(slot, slots.get(slot, ""), 1)
    _, report = check_files(tmp_path, {"server.ts": source})
    assert [one.kind for one in report.findings if one.rule_id == "doctor/stdout-write"] == kinds


def test_a_write_in_a_call_is_info_where_the_sdk_keeps_it_from_the_wire(tmp_path: Path) -> None:
    source = PY.format(**{**SLOTS, "call": "print(1)", "before": "print(2)"}).replace(
        "from mcp.server.fastmcp import FastMCP", "from mcp.server.mcpserver import MCPServer as FastMCP"
    )
    _, report = check_files(tmp_path, {"server.py": source, "requirements.txt": "mcp>=2,<3\n"})
    assert [(one.kind, one.severity.value) for one in report.findings] == [
        ("start", "warning"),
        ("call", "info"),
    ]


@pytest.mark.parametrize(
    ("files", "line"),
    [
        (
            {
                "server.py": PY.format(**SLOTS).replace("import sys", "import sys, noise"),
                "noise.py": "print(1)\n",
            },
            1,
        ),
        ({"server.ts": 'import "./noise.js";\n' + TS, "noise.ts": "console.log(1);\n"}, 1),
    ],
    ids=["python", "typescript"],
)
def test_a_module_that_the_server_imports(files: dict[str, str], line: int, tmp_path: Path) -> None:
    if "server.ts" in files:
        for slot in ("CALL", "FUNCTIONS", "BEFORE", "AFTER"):
            files = {**files, "server.ts": files["server.ts"].replace(slot, "", 1)}
    _, report = check_files(tmp_path, files)
    (finding,) = report.findings
    assert (finding.kind, finding.location.line) == ("import", line)


def test_another_file_and_the_tools_are_told(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/server.py": "from fastmcp import FastMCP\nfrom .work import go\nmcp = FastMCP('x')\n"
        "@mcp.tool\ndef a():\n    '''A.'''\n    go()\n@mcp.tool\ndef b():\n    '''B.'''\n    go()\n",
        "app/work.py": "def go():\n    print('working')\n",
    }
    _, report = check_files(tmp_path, files)
    (finding,) = report.findings
    assert (finding.location.file, finding.location.line, finding.location.tool) == ("app/work.py", 2, None)
    assert finding.evidence["tools"] == ["a", "b"]
    assert finding.evidence["path"] == ["go"]
