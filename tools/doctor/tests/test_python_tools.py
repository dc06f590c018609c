"""Tools and parameters that are found in Python source."""

from pathlib import Path

import pytest

from mcp_doctor.facts.tool_decl import Default
from tools.doctor.tests.sources import check_files, tools

HEAD = "from fastmcp import FastMCP\nmcp = FastMCP('x')\n"
NAMES = {
    "decorator without brackets": (HEAD + "@mcp.tool\ndef a(): ...\n", {"a"}),
    "decorator with a name": (HEAD + "@mcp.tool(name='b')\ndef a(): ...\n", {"b"}),
    "decorator with a name first": (HEAD + "@mcp.tool('b')\ndef a(): ...\n", {"b"}),
    "name of a constant": (HEAD + "N = 'b' + '_c'\n@mcp.tool(name=N)\ndef a(): ...\n", {"b_c"}),
    "name of an f-string": (HEAD + "P = 'p'\n@mcp.tool(name=f'{P}_q')\ndef a(): ...\n", {"p_q"}),
    "SDK 1": ("from mcp.server.fastmcp import FastMCP as F\ns = F('x')\n@s.tool()\ndef a(): ...\n", {"a"}),
    "SDK 2": (
        "from mcp.server.mcpserver import MCPServer\ns = MCPServer('x')\n@s.tool()\nasync def a(): ...\n",
        {"a"},
    ),
    "server as a parameter": ("def register(mcp):\n    @mcp.tool()\n    def a(): ...\n", {"a"}),
    "server of self": (
        "class S:\n    def go(self):\n        @self.mcp.tool()\n        def a(): ...\n",
        {"a"},
    ),
    "decorator under another name": (HEAD + "tool = mcp.tool\n@tool(name='z')\ndef a(): ...\n", {"z"}),
    "tool(fn)": (HEAD + "def a(): ...\nmcp.tool(a)\n", {"a"}),
    "tool()(fn)": (HEAD + "def a(): ...\nmcp.tool(name='b')(a)\n", {"b"}),
    "add_tool(fn)": (HEAD + "def a(): ...\nmcp.add_tool(a)\n", {"a"}),
    "add_tool with from_function": (
        HEAD
        + "from fastmcp.tools import Tool\ndef a(): ...\nmcp.add_tool(Tool.from_function(a, name='c'))\n",
        {"c"},
    ),
    "loop over functions": (
        HEAD + "def a(): ...\ndef b(): ...\nfor f in (a, b):\n    mcp.tool()(f)\n",
        {"a", "b"},
    ),
    "mounted with a prefix": (
        HEAD + "sub = FastMCP('s')\n@sub.tool\ndef a(): ...\nmcp.mount(sub, prefix='p')\n",
        {"p_a"},
    ),
    "low level, SDK 1": (
        (
            "import mcp.types as types\n@server.list_tools()\nasync def lt():\n"
            "    return [types.Tool(name='a', inputSchema={}), types.Tool(name='b', inputSchema={})]\n"
        ),
        {"a", "b"},
    ),
    "low level, SDK 2": (
        (
            "from mcp_types import Tool\nfrom mcp.server.lowlevel import Server\n"
            "async def lt(ctx, params):\n    return [Tool(name='a', input_schema={})]\n"
            "Server('x', on_list_tools=lt)\n"
        ),
        {"a"},
    ),
    "names of an enumeration": (
        (
            "from enum import Enum\nfrom mcp.types import Tool\nclass T(str, Enum):\n    A = 'a_tool'\n"
            "x = [Tool(name=T.A, inputSchema={}), Tool(name=T.A.value + '2', inputSchema={})]\n"
        ),
        {"a_tool", "a_tool2"},
    ),
    "objects made in a comprehension": (
        (
            "from mcp.types import Tool\nD = [{'n': 'a'}, {'n': 'b'}]\n"
            "x = [Tool(name=d['n'], inputSchema={}) for d in D]\n"
        ),
        {"a", "b"},
    ),
    "objects made of dictionaries": (
        "from mcp.types import Tool\nD = [{'name': 'a', 'inputSchema': {}}]\nx = [Tool(**d) for d in D]\n",
        {"a"},
    ),
    "objects made by a function": (
        (
            "from mcp.types import Tool\ndef make(n):\n    return Tool(name=n, inputSchema={})\n"
            "x = [make('a'), make('b')]\n"
        ),
        {"a", "b"},
    ),
    "name set through the constructor of a base": (
        (
            "from mcp.types import Tool\nclass H:\n    def __init__(self, n):\n        self.name = n\n"
            "class A(H):\n    def __init__(self):\n        super().__init__('a')\n"
            "    def d(self):\n        return Tool(name=self.name, inputSchema={})\n"
        ),
        {"a"},
    ),
    "names of subclasses": (
        (
            "from mcp.types import Tool\nclass H:\n    name: str\n    def d(self):\n"
            "        return Tool(name=self.name, inputSchema={})\n"
            "class A(H):\n    name = 'a'\nclass B(H):\n    name = 'b'\n"
        ),
        {"a", "b"},
    ),
    "decorator of the project": (
        HEAD
        + "def mine(name):\n    def wrap(f):\n        return mcp.tool(name=name)(f)\n    return wrap\n"
        "@mine_tool('x')\ndef a(): ...\n".replace("mine_tool", "mine")
        + "tool_of = mine\n",
        set(),
    ),
    "decorator that the project names so": (
        HEAD + "@my_mcp_tool(description='A.')\ndef a(): ...\n@my_mcp_tool\ndef b(): ...\n",
        {"a"},
    ),
    "definitions of the project": (
        HEAD + "def a(): ...\ndef b(): ...\nT = [ToolDefinition(fn=a, description='A.'), "
        "ToolDefinition(fn=wrap(b), name='c', description='B.')]\n",
        {"a", "c"},
    ),
    "tools of other frameworks": (
        "from pydantic_ai import Agent\ng = Agent()\n@g.tool\ndef a(): ...\n",
        set(),
    ),
    "a bare decorator of another package": ("from langchain.tools import tool\n@tool\ndef a(): ...\n", set()),
}


@pytest.mark.parametrize("case", NAMES)
def test_names(case: str, tmp_path: Path) -> None:
    source, names = NAMES[case]
    assert set(tools(tmp_path, {"server.py": source})) == names


def test_names_across_files(tmp_path: Path) -> None:
    found = tools(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/app.py": "from fastmcp import FastMCP\nmcp = FastMCP('x')\n",
            "pkg/names.py": "PREFIX = 'notes'\nFIND = f'{PREFIX}_find'\n",
            "pkg/texts.py": "from .more import *\n",
            "pkg/more.py": "ABOUT = 'Find ' 'notes.'\n",
            "pkg/functions.py": "def count(folder: str):\n    '''Count.'''\n",
            "pkg/tools.py": "from pkg.app import mcp\nfrom . import names\nfrom .texts import ABOUT\n"
            "from .functions import count\n@mcp.tool(name=names.FIND, description=ABOUT)\ndef f(): ...\n"
            "mcp.add_tool(count)\n",
        },
    )
    assert set(found) == {"notes_find", "count"}
    assert found["notes_find"].description.value == "Find notes."
    assert found["count"].place.file == "pkg/functions.py"
    assert [one.name for one in found["count"].parameters] == ["folder"]


def test_a_name_made_at_run_time_is_counted_and_never_guessed(tmp_path: Path) -> None:
    source, report = check_files(
        tmp_path, {"server.py": HEAD + "import os\n@mcp.tool(name=os.environ['N'])\ndef a(): ...\n"}
    )
    assert source.tools == ()
    assert [one.place.line for one in source.unresolved] == [4]
    assert (report.score, report.status.value) == (None, "incomplete")
    assert report.coverage.tools_total == 1
    assert len(report.coverage.skipped) == 1


PARAMETERS = '''
from typing import Annotated, Literal, Optional
from fastmcp import Context, FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("x")
Limit = Annotated[int, Field(description="How many.")]


class Where(BaseModel):
    """A place."""

    city: str = Field(description="City.")
    zone: str = None


@mcp.tool
def f(
    ctx: Context,
    a: str,
    b: Limit = 5,
    c: Annotated[str, "Of the text."] = None,
    d: Optional[int] = None,
    e: "int | None" = None,
    g: str = Field(None, description="G."),
    h: Literal["x", None] = None,
    i: SomeThing = None,
    j=None,
    k: Where = None,
    *rest: str,
) -> str:
    """Do.

    Args:
        a: First.
        d (int, optional): Fourth.
            More of it.
        e: Fifth.
    """
'''


def test_parameters(tmp_path: Path) -> None:
    tool = tools(tmp_path, {"server.py": PARAMETERS})["f"]
    found = {one.name: one for one in tool.parameters}
    assert list(found) == ["a", "b", "c", "d", "e", "g", "h", "i", "j", "k", "k.city", "k.zone", "*rest"]
    assert {name: one.description.value for name, one in found.items() if one.description.value} == {
        "a": "First.",
        "b": "How many.",
        "c": "Of the text.",
        "d": "Fourth.",
        "e": "Fifth.",
        "g": "G.",
        "k": "A place.",
        "k.city": "City.",
    }
    assert {name: one.nullable for name, one in found.items() if one.default == Default(None)} == {
        "c": False,
        "d": True,
        "e": True,
        "g": False,
        "h": True,
        "i": None,
        "j": True,
        "k": False,
        "k.zone": False,
    }
    assert found["a"].required
    assert found["b"].default == Default(5)
    assert found["*rest"].variadic


def test_schema_of_a_model(tmp_path: Path) -> None:
    source = (
        "from mcp.types import Tool\nfrom pydantic import BaseModel, Field\n"
        "class Base(BaseModel):\n    repo: str = Field(..., description='Path.')\n"
        "class Diff(Base):\n    lines: int = 3\n"
        "x = Tool(name='diff', description='D.', inputSchema=Diff.model_json_schema())\n"
    )
    tool = tools(tmp_path, {"server.py": source})["diff"]
    assert [(one.name, one.required) for one in tool.parameters] == [("repo", True), ("lines", False)]


def test_dedicated_members(tmp_path: Path) -> None:
    source = (
        HEAD + "from mcp.types import ToolAnnotations\n"
        "@mcp.tool(title='T', annotations=ToolAnnotations(readOnlyHint=True), exclude_args=['b'])\n"
        "def a(x: int, b: int = 1):\n    '''Doc\n\n    of it.\n    '''\n"
    )
    tool = tools(tmp_path, {"server.py": source})["a"]
    assert (tool.title, dict(tool.annotations)) == ("T", {"readOnlyHint": True})
    assert tool.description.value == "Doc\n\nof it."
    assert [one.name for one in tool.parameters] == ["x"]
    assert (tool.framework, tool.language, tool.found_by) == ("fastmcp", "python", "decorator")
