"""What a launched process gets to see of our environment: little, and what was asked for by name."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

_POSIX = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
_WINDOWS = (
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
)

_NETWORK = (
    *("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
    *("NODE_EXTRA_CA_CERTS", "PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE"),
)
_PACKAGES = str(Path(__file__).resolve().parents[2])
_BOOT = """import os, sys
sys.path.append({packages!r})
for name in {foreign!r}: os.environ.pop(name, None)
from mcp_check_core.process.{module} import main
sys.exit(main(sys.argv[1:]))
"""


class MissingVariable(Exception):  # noqa: N818 - it names what is missing, as KeyError does
    """A variable that was to be passed on is not set."""

    def __init__(self, name: str) -> None:
        """Remember the name of the variable as `name`."""
        super().__init__(f"the environment variable {name!r} is not set, so it cannot be passed on")
        self.name = name


def inherited_names(platform: str = sys.platform) -> tuple[str, ...]:
    """Return the variables that a launched process always inherits, as the SDK's clients choose them."""
    return _WINDOWS if platform == "win32" else _POSIX


def minimal_environment(
    parent: Mapping[str, str],
    extra: Mapping[str, str] | None = None,
    passed: Iterable[str] = (),
    platform: str = sys.platform,
) -> dict[str, str]:
    """Return the environment of a launched process: the inherited names, those `passed`, and `extra`.

    `extra` wins over `passed`, which wins over what is inherited. A value that begins with `()` is an
    exported shell function and is not inherited. Raises `MissingVariable` for a passed name not in `parent`.
    """
    inherited = {name: parent[name] for name in inherited_names(platform) if name in parent}
    environment = {name: value for name, value in inherited.items() if not value.startswith("()")}
    for name in passed:
        if name not in parent:
            raise MissingVariable(name)
        environment[name] = parent[name]
    return environment | dict(extra or {})


def network_variables(parent: Mapping[str, str]) -> dict[str, str]:
    """Return what of `parent` says how to reach the network: proxies and the certificates to trust."""
    return {name: value for name, value in parent.items() if name.upper() in _NETWORK}


def own_python(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs one of our modules; `-P` keeps the checked folder off its path."""
    return (sys.executable, "-P", "-m", module, *arguments)


def own_environment(parent: Mapping[str, str]) -> dict[str, str]:
    """Return `parent` without `PYTHON*`, for our own interpreters: no folder may shadow their modules."""
    return {name: value for name, value in parent.items() if not name.upper().startswith("PYTHON")}


def bare_python(module: str, server_env: Mapping[str, str], foreign: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the command that runs the `main` of a module of this room, which starts a server.

    Isolated (`-I -S`) for a start of about 20 ms that nothing in the environment can turn elsewhere. In the
    C locale the interpreter sets LC_CTYPE for itself (PEP 538); that and the names in `foreign` are taken out
    of the environment again where `server_env` does not have them.
    """
    names = sorted({"LC_CTYPE", *foreign} - set(server_env))
    boot = _BOOT.format(packages=_PACKAGES, foreign=names, module=module)
    return (sys.executable, "-I", "-S", "-c", boot)
