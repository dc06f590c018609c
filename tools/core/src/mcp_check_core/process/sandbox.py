"""Starts a server where it can harm nothing: no network, nothing to write to but throw-away folders.

Made by bubblewrap, or out of user namespaces by ourselves; which of them this system really offers is found
by starting something in them. Inside there are own namespaces for processes, network, mounts, ipc and host
name, an own home, /tmp and working folder (a copy) under their usual paths, a small /dev, and the rest of the
file system read-only, without the real home, /tmp and /run but for what the command leads to (`exposure.py`).
What a sandbox does not bound is what the server writes to those folders; the tree's limits hold as outside.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp_check_core.process.carrier import LaunchSpec
from mcp_check_core.process.launchers import ResolutionError
from mcp_check_core.process.sandboxed import Sandboxed, SandboxKind, SandboxUnavailable
from mcp_check_core.process.working_copy import CopyLimits, WorkingCopy

if sys.platform != "win32":
    from mcp_check_core.process._linux_sandbox import make_sandbox
else:
    from mcp_check_core.process._no_sandbox import make_sandbox

__all__ = ["CopyLimits", "ResolutionError", "SandboxKind", "SandboxUnavailable", "Sandboxed", "WorkingCopy"]
__all__ += ["platform_reason", "sandboxed"]

_PLATFORMS = {"darwin": "macOS", "win32": "Windows"}


def platform_reason(platform: str = sys.platform) -> str | None:
    """Return why this platform has no sandbox, or None where it may have one."""
    if platform == "linux":
        return None
    return f"no sandbox on this platform ({_PLATFORMS.get(platform, platform)}); it needs Linux"


@asynccontextmanager
async def sandboxed(
    spec: LaunchSpec, kind: SandboxKind | None = None, limits: CopyLimits | None = None
) -> AsyncIterator[Sandboxed]:
    """Make a sandbox for `spec`, by `kind` or the first kind that works, and remove its files on leaving.

    What npx, uvx and their like would fetch is fetched outside first (`resolve.py`). Raises
    `SandboxUnavailable`, and `ResolutionError` where that cannot be fetched.
    """
    if reason := platform_reason():
        raise SandboxUnavailable(reason)
    if not spec.argv or not spec.argv[0]:
        raise SandboxUnavailable("there is no command to run in it")
    async with make_sandbox(spec, kind, limits or CopyLimits()) as made:
        yield made
