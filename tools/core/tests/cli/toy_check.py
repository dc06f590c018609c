"""What the toy does in place of a check."""

import os
import signal
import sys

import anyio

from mcp_check_core.model.report import Report
from mcp_check_core.report.collector import Collector
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.target import StdioTarget
from tools.core.tests.cli.toy import RULES, finished


class ToyCheck:
    """Finds one thing, and then does what it is told."""

    def __init__(self, collector: Collector, target: StdioTarget) -> None:
        self.collector = collector
        self._target = target

    async def run(self) -> None:
        self.collector.found(RULES[0].finding("Something was seen."))
        self.collector.answered(RULES[0].id)
        match self._target.argv[0]:
            case "raise":
                raise ValueError(f"the server said {self._target.env.get('TOKEN', 'nothing')}")
            case "raise-in-group":
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._fail)
            case "sleep":
                await anyio.sleep_forever()
            case "interrupt":
                os.kill(os.getpid(), signal.SIGINT)
                await anyio.sleep_forever()
            case "serve":
                await self._serve()
        self.collector.answered(RULES[1].id)

    async def _fail(self) -> None:
        raise KeyError("inner")

    async def _serve(self) -> None:
        """Start a server that is deaf to SIGTERM, tells its start and the end of its stdin, and stays."""
        deaf = (
            "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
            "open(sys.argv[1], 'w').close(); sys.stdin.read(); open(sys.argv[1] + '.eof', 'w').close()\n"
            "while True: signal.pause()"
        )
        target = StdioTarget((sys.executable, "-c", deaf, self._target.argv[1]), env=self._target.env)
        async with Connector(target, client_info("0")).connection():
            await anyio.sleep_forever()

    def report(self, interrupted: str | None) -> Report:
        return finished(self, interrupted)
