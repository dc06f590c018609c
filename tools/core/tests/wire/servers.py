"""Servers of a few lines, each with one way to behave, and connections to them."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent

from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.process.launch import Graces
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connection import Connection
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.session import Session
from mcp_check_core.wire.target import StdioTarget

PRELUDE = """
import json, os, signal, sys, threading, time

def read():
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

def send(**members):
    raw(json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\\n")

def answer(request, result=None):
    send(id=request["id"], result=result or {})

def greet(**changes):
    request = read()
    good = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    answer(request, {**good, **changes})
    read()

def refuse(request, code, text="no", data=None):
    send(id=request["id"], error={"code": code, "message": text, "data": data})

def complete(request, **members):
    answer(request, {"resultType": "complete", **members})

def discovered(request, **changes):
    good = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0,
            "cacheScope": "public",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "m", "version": "2"}}}
    complete(request, **{**good, **changes})

def modern(handle=complete):
    # The modern era alone, as the specification says.
    names = ("protocolVersion", "clientCapabilities", "clientInfo")
    keys = ["io.modelcontextprotocol/" + name for name in names]
    while True:
        request = read()
        meta = request.get("params", {}).get("_meta", {})
        if request["method"] == "initialize":
            refuse(request, -32022, "modern only", {"supported": ["2026-07-28"], "requested": "2025-11-25"})
        elif not all(key in meta for key in keys):
            refuse(request, -32602, "no envelope")
        elif meta[keys[0]] != "2026-07-28":
            refuse(request, -32022, "version", {"supported": ["2026-07-28"], "requested": meta[keys[0]]})
        elif request["method"] == "server/discover":
            discovered(request)
        else:
            handle(request)

def until_the_end():
    while True:
        read()

def stay():
    while True:
        signal.pause()
"""
SCRIPT = "server.py"
LIMITS = WireLimits(startup_s=10.0, request_s=10.0, grace_s=0.2)


def connector(folder: Path, body: str, limits: WireLimits = LIMITS, **variables: str) -> Connector:
    """Write a server of `body` into `folder` and return what starts it."""
    script = folder / SCRIPT
    script.write_text(PRELUDE + dedent(body))
    env = minimal_environment(os.environ, extra=variables)
    return Connector(
        StdioTarget((sys.executable, "-S", str(script)), env=env), client_info("0"), limits=limits
    )


@asynccontextmanager
async def connected(folder: Path, body: str, limits: WireLimits = LIMITS) -> AsyncIterator[Connection]:
    """Start a server that is spoken to without any handshake; it gets little time to end."""
    async with connector(folder, body, limits).connection() as connection:
        yield connection
        await connection.close(Graces(stdin=0.3, term=0.3, settle=0.0))


@asynccontextmanager
async def ready(folder: Path, body: str, limits: WireLimits = LIMITS) -> AsyncIterator[Session]:
    """Start a server that makes the handshake first, and then does `body`."""
    async with connector(folder, "greet()\n" + dedent(body), limits).session() as session:
        yield session
