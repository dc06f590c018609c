"""The seven distributions as ARCHITECTURE.md names them; what lies in the folders is compared with this."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Distribution:
    """One distribution; `command` is empty for the library."""

    folder: str
    name: str
    package: str
    command: str = ""

    @property
    def source(self) -> Path:
        """The folder of the import package."""
        return ROOT / self.folder / "src" / self.package

    @property
    def version(self) -> str:
        """The version that `_version.py` states."""
        text = (self.source / "_version.py").read_text(encoding="utf-8")
        return text.rpartition("__version__ = ")[2].strip().strip('"')

    def pyproject(self) -> dict[str, Any]:
        """Return the parsed pyproject.toml."""
        return tomllib.loads((ROOT / self.folder / "pyproject.toml").read_text(encoding="utf-8"))


CORE = Distribution("tools/core", "mcp-check-core", "mcp_check_core")
TOOLS = (
    Distribution("tools/doctor", "mcp-doctor", "mcp_doctor", "mcp-doctor"),
    Distribution("tools/fuzz", "mcp-fuzz", "mcp_fuzz", "mcp-fuzz"),
    Distribution("tools/reality", "mcp-reality-check", "mcp_reality_check", "mcp-reality-check"),
    Distribution("tools/stdio_guard", "mcp-stdio-guard", "mcp_stdio_guard", "mcp-stdio-guard"),
    Distribution("tools/lint", "mcp-linter", "mcp_lint", "mcp-lint"),
)
ORCHESTRATOR = Distribution("orchestrator", "mcp-trust-check", "mcp_trust_check", "mcp-trust-check")
ALL = (CORE, *TOOLS, ORCHESTRATOR)


def by_name(distribution: Distribution) -> str:
    """Name a parametrised test by its distribution."""
    return distribution.name
