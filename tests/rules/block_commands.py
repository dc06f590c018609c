"""Commands that start what a block of a page shows: a server, or one that plays a transcript."""

import json
import sys
from pathlib import Path

from mcp_check_core.report.pages import PageBlock

_REPLAY = Path(__file__).parent / "replay.py"
_LIST = '{"sent": {"id": 2, "method": "tools/list"}}'


def replay(transcript: Path) -> list[str]:
    """Give the command of a server that plays a transcript; `replay.py` says what one looks like."""
    return [sys.executable, "-S", "-E", str(_REPLAY), str(transcript)]


def server_command(block: PageBlock, folder: Path) -> list[str]:
    """Write a block into a folder and give the command of the server that it shows.

    Tool definitions become a server that lists them. Raises ValueError for a block of source.
    """
    if block.kind == "server":
        program = folder / "server.py"
        program.write_text(block.text, "utf-8")
        return [sys.executable, "-E", str(program)]
    transcript = folder / "wire.jsonl"
    if block.kind == "tools":
        answer = {"jsonrpc": "2.0", "id": 2, "result": {"tools": json.loads(block.text)}}
        transcript.write_text(f"{_LIST}\n{json.dumps({'received': answer})}\n", "utf-8")
    elif block.kind == "wire":
        transcript.write_text(block.text, "utf-8")
    else:
        raise ValueError(f"a block fenced {block.info!r} is no server")
    return replay(transcript)
