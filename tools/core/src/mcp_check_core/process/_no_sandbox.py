"""Stands where a platform has no sandbox (Windows); `sandboxed` has refused before this is reached."""

from contextlib import AbstractAsyncContextManager

from mcp_check_core.process.carrier import LaunchSpec
from mcp_check_core.process.sandboxed import Sandboxed, SandboxKind, SandboxUnavailable
from mcp_check_core.process.working_copy import CopyLimits


def make_sandbox(
    _spec: LaunchSpec, _kind: SandboxKind | None, _limits: CopyLimits
) -> AbstractAsyncContextManager[Sandboxed]:
    """Refuse."""
    raise SandboxUnavailable("no sandbox on this platform")
