"""The five tools as data: what they are called, how they are started, what can be read of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What a tool is told to hold the server to: bytes, processes, seconds for the tool's whole run."""

    memory: int
    processes: int
    run_s: float


@dataclass(frozen=True, slots=True)
class Request:
    """What every tool is asked: the server, its surroundings, and the options that tools share.

    `variables` are names; the values stand in the environment of the tool and nowhere else.
    """

    command: tuple[str, ...]
    limits: ServerLimits
    cwd: Path | None = None
    variables: tuple[str, ...] = ()
    startup_s: float = 30.0
    timeout_s: float | None = None
    seed: int = 0
    debug: bool = False
    include_destructive: bool = False
    more: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `schema_versions` are the first and last version of its document that can be read.

    `lost_server` are the rules by which it says that it could not connect or lost its server.
    """

    short: str
    command: str
    module: str
    runtime: bool
    own_options: Callable[[Request], tuple[str, ...]] | None = None
    schema_versions: tuple[int, int] = (1, 1)
    lost_server: frozenset[str] = frozenset({"core/no-connection"})

    @property
    def in_this_version(self) -> bool:
        """Tell whether this version runs the tool."""
        return self.own_options is not None


def _guard_options(_request: Request) -> tuple[str, ...]:
    return ("--profile", "registry")


def _fuzz_options(request: Request) -> tuple[str, ...]:
    options = ("--depth", "normal", "--seed", str(request.seed))
    return (*options, "--include-destructive") if request.include_destructive else options


GUARD = Tool(
    "guard",
    "mcp-stdio-guard",
    "mcp_stdio_guard",
    runtime=True,
    own_options=_guard_options,
    lost_server=frozenset(
        {
            "guard/spawn-failed",
            "guard/server-exited",
            "guard/server-crashed",
            "guard/initialize-timeout",
            "guard/operation-missing-response",
            "guard/capability-list-missing-response",
        }
    ),
)
FUZZ = Tool("fuzz", "mcp-fuzz", "mcp_fuzz", runtime=True, own_options=_fuzz_options)
TOOLS = (
    Tool("doctor", "mcp-doctor", "mcp_doctor", runtime=False),
    GUARD,
    Tool("lint", "mcp-lint", "mcp_lint", runtime=False),
    FUZZ,
    Tool("reality", "mcp-reality-check", "mcp_reality_check", runtime=True),
)
SHORT_NAMES = tuple(tool.short for tool in TOOLS)


def tool_words(tool: Tool, request: Request, journal: Path) -> tuple[str, ...]:
    """Return the words behind the tool's module: its options, then the server's command.

    Suppressions are ours to apply, to what all tools found. Raises ValueError for a tool that this version
    does not run.
    """
    if tool.own_options is None:
        raise ValueError(f"{tool.command} is not run by this version")
    words = ["--json", "--no-config", "--fail-on", "never", "--journal", str(journal)]
    words += tool.own_options(request)
    words += ["--startup-timeout", seconds(request.startup_s)]
    if request.debug:
        words.append("--debug")
    if request.timeout_s is not None:
        words += ["--timeout", seconds(request.timeout_s)]
    words += ["--run-timeout", seconds(request.limits.run_s)]
    words += ["--max-memory", str(request.limits.memory), "--max-processes", str(request.limits.processes)]
    if request.cwd is not None:
        words += ["--cwd", str(request.cwd)]
    for name in request.variables:
        words += ["--pass-env", name]
    return (*words, *request.more.get(tool.short, ()), "--", *request.command)


def seconds(value: float) -> str:
    """Write a duration with its unit, since a bare number means milliseconds to guard."""
    return f"{round(1000 * value)}ms"
