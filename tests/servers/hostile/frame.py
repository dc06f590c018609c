"""What hostile servers share: `mini` from the folder above, and an end after a minute whatever happens."""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import mini

LIFE_S = 60
MIB = 1024 * 1024

Json = mini.Json
Server = mini.Server
Tool = mini.Tool
RpcError = mini.RpcError
text_result = mini.text_result
error_result = mini.error_result
ADD = mini.ADD
GREET = mini.GREET


def end_soon() -> None:
    """Let the kernel end this process after a minute; a child of fork has to ask for itself."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LIFE_S)


end_soon()
