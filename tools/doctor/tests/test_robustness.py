"""Files of any kind: never a crash, bounded, and named where they could not be read."""

import os
import time
from pathlib import Path

import pytest

from mcp_doctor.discover.limits import ReadLimits
from mcp_doctor.discover.read import Reader, StoppedError, as_utf8
from mcp_doctor.discover.tree import find_files
from tools.doctor.tests.sources import check, check_files, document, slugs, tools, write

TOOL = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool\ndef a():\n    '''A grüß.'''\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    assert tools(tmp_path, {"server.py": TOOL.encode(encoding)})["a"].description.value == "A grüß."


def test_a_coding_comment_is_believed() -> None:
    assert (
        as_utf8("# -*- coding: cp1251 -*-\nx = 'ж'\n".encode("cp1251"))
        == "# -*- coding: cp1251 -*-\nx = 'ж'\n".encode()
    )
    assert as_utf8(b"# coding: no-such-codec\nx = '\xe9'\n") == "# coding: no-such-codec\nx = 'é'\n".encode()
    assert as_utf8(b"# coding: base64\n\xff") is not None


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    _, report = check_files(tmp_path, {"server.py": TOOL, "blob.py": b"tool\0\1\2"})
    files = document(report)["details"]["files"]
    assert files["excluded"] == [{"path": "blob.py", "reason": "not text"}]
    assert files["read"] == 1


@pytest.mark.parametrize("broken", ["def (((\n", "x = '''\n", "class\n", "}{\n", "@mcp.tool(\n"])
def test_syntax_errors_hide_nothing_before_them(broken: str, tmp_path: Path) -> None:
    source, report = check_files(tmp_path, {"server.py": TOOL + "\n\n" + broken})
    assert [tool.name for tool in source.tools] == ["a"]
    assert document(report)["details"]["files"]["syntaxErrors"] == ["server.py"]


HOSTILE = {
    "a long line": TOOL + "x = '" + "y" * 400_000 + "'\n",
    "a long line of code": TOOL + "x = [" + "1, " * 100_000 + "]\n",
    "a chain of elif": TOOL + "if a == 0: pass\n" + "".join(f"elif a == {n}: pass\n" for n in range(4_000)),
    "deep brackets": TOOL + "x = " + "(" * 3_000 + "1" + ")" * 3_000 + "\n",
    "deep lists": TOOL + "x = " + "[" * 3_000 + "]" * 3_000 + "\n@mcp.tool(name=x)\ndef b(): ...\n",
    "a long sum": TOOL + "x = " + " + ".join(["'y'"] * 20_000) + "\n@mcp.tool(name=x)\ndef b(): ...\n",
    "doubling names": TOOL
    + "x0 = 'y'\n"
    + "".join(f"x{n + 1} = x{n} + x{n}\n" for n in range(60))
    + "@mcp.tool(description=x60)\ndef b(): ...\n",
    "names in a circle": TOOL + "x = y\ny = x\n@mcp.tool(name=x)\ndef b(): ...\n",
    "a class that is its own base": "class A(A):\n    name = A.name\n"
    + TOOL
    + "@mcp.tool(name=A.q)\ndef b(): ...\n",
    "a function that calls itself": TOOL
    + "def f(n):\n    return f(n)\nmcp.tool(name=f(1))(f)\nprint(f(2))\n",
    "deep functions": TOOL
    + "".join(f"{'  ' * n}def f{n}():\n" for n in range(90))
    + "  " * 90
    + "print(1)\n",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_python(case: str, tmp_path: Path) -> None:
    began = time.process_time()
    source, _ = check_files(tmp_path, {"server.py": HOSTILE[case]})
    assert "a" in {tool.name for tool in source.tools}
    assert time.process_time() - began < 20


SCRIPT = "s.registerTool('a', { description: 'A.' }, async () => {});\n"
HOSTILE_SCRIPT = {
    "a long line": SCRIPT + "const x = '" + "y" * 400_000 + "';\n",
    "deep objects": SCRIPT + "const x = " + "{a:" * 2_000 + "1" + "}" * 2_000 + ";\ns.tool(x.a.a, f);\n",
    "a long chain": SCRIPT + "const x = z.string()" + ".min(1)" * 3_000 + ";\ns.tool('b', { x }, f);\n",
    "a long sum": SCRIPT + "s.tool(" + " + ".join(["'y'"] * 20_000) + ", f);\n",
    "names in a circle": SCRIPT + "const x = y, y = x;\ns.tool(x, f);\n",
    "a class that extends itself": SCRIPT + "class A extends A { name = A.name; }\ns.tool(A.q, f);\n",
    "modules in a circle": SCRIPT
    + "export * from './server';\nimport { q } from './server';\ns.tool(q, f);\n",
    "loops in loops": SCRIPT + "for (const i of [1,2,3,4,5,6,7,8]) " * 9 + "s.tool(i, f);\n",
}


@pytest.mark.parametrize("case", HOSTILE_SCRIPT)
def test_hostile_script(case: str, tmp_path: Path) -> None:
    began = time.process_time()
    source, _ = check_files(tmp_path, {"server.ts": HOSTILE_SCRIPT[case]})
    assert "a" in {tool.name for tool in source.tools}
    assert time.process_time() - began < 20


def test_links(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.py": TOOL})
    root = write(tmp_path / "root", {"server.py": TOOL, "sub/x.py": "x = 1\n"})
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "sub" / "out.py").symlink_to(outside / "secret.py")
    (root / "away").symlink_to(outside, target_is_directory=True)
    (root / "none.py").symlink_to(root / "missing.py")
    os.mkfifo(root / "pipe.py")
    source, report = check(root)
    assert [tool.place.file for tool in source.tools] == ["server.py"]
    excluded = {one["path"]: one["reason"] for one in document(report)["details"]["files"]["excluded"]}
    assert excluded["sub/out.py"] == "a link that leads out of the root"
    assert excluded["none.py"] == "a link to a folder"


def test_limits_are_told(tmp_path: Path) -> None:
    root = write(tmp_path, {"server.py": TOOL, "large.py": "x = 1\n" * 1_000, "z.py": "y = 2\n"})
    _, report = check(root, ReadLimits(file_bytes=1_000))
    assert [(hit.limit, hit.where) for hit in report.limits_hit] == [("file bytes", "large.py")]
    assert report.score is not None
    _, cut = check(root, ReadLimits(files=1))
    assert (cut.status.value, cut.score) == ("incomplete", None)
    assert "--max-files" in cut.errors[0].message


def test_what_is_not_the_servers_own_source_is_left(tmp_path: Path) -> None:
    left = {
        "tests/test_a.py": TOOL,
        "node_modules/x/index.js": SCRIPT,
        "venv/lib/a.py": TOOL,
        "docs/a.py": TOOL,
        "out/a.py": TOOL,
        "made/b.py": TOOL,
        "a_test.py": TOOL,
        "x.test.ts": SCRIPT,
        "y.d.ts": SCRIPT,
        ".gitignore": "/out/\n*b.py\n",
    }
    source, report = check_files(tmp_path, {"server.py": TOOL, **left})
    assert [tool.place.file for tool in source.tools] == ["server.py"]
    counts = document(report)["details"]["files"]["excludedCounts"]
    assert counts == {
        "tests": 3,
        "code of others": 2,
        "examples or documentation": 1,
        "named in .gitignore": 2,
        "declarations alone": 1,
    }


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    reader = Reader(find_files(write(tmp_path, {"server.py": TOOL}), ReadLimits()))
    assert reader.module("server.py") is not None
    reader.stop()
    with pytest.raises(StoppedError):
        reader.module("server.py")
    assert reader.kept("server.py") is not None


def test_a_file_alone(tmp_path: Path) -> None:
    path = write(tmp_path, {"one.py": TOOL, "two.py": TOOL}) / "one.py"
    source, report = check(path)
    assert [tool.place.file for tool in source.tools] == ["one.py"]
    assert slugs(report) == set()
