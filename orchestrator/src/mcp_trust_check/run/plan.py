"""How each tool's process is started: argv, environment, journal."""

from collections.abc import Mapping
from pathlib import Path

from mcp_check_core.process.environment import own_environment, own_python
from mcp_trust_check.run.tool_process import ToolLaunch
from mcp_trust_check.toolset import Request, Tool, tool_words


def plan_tool(
    tool: Tool, request: Request, *, secrets: Mapping[str, str], environ: Mapping[str, str], folder: Path
) -> ToolLaunch:
    """Plan the launch of a tool; the values for the server go into its environment, never into its argv.

    The tool's interpreter ignores `PYTHON*` (`-E`), since one of them may be meant for the server.
    """
    journal = folder / f"{tool.short}.journal"
    program, *rest = own_python(tool.module, *tool_words(tool, request, journal))
    return ToolLaunch(
        short=tool.short,
        argv=(program, "-E", *rest),
        env=own_environment(environ) | dict(secrets),
        journal=journal,
    )
