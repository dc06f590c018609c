"""Read from the command line a server behind a URL, and what must never be shown of it."""

import importlib.util
import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.options import TargetOptions
from mcp_check_core.cli.values import set_variables
from mcp_check_core.model.report import Target, TargetKind
from mcp_check_core.report.redact import Redactor, redact_url, url_secrets
from mcp_check_core.wire.target import HttpTarget

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_BLANK = re.compile(r"[\x00-\x20\x7f]")
_OURS = frozenset(
    {
        *("host", "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"),
        *("upgrade", "expect", "content-length", "content-type", "content-encoding"),
        *("accept", "accept-encoding", "last-event-id"),
        *("mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name"),
    }
)
"""Headers that the protocol itself sets."""
_OURS_BEGIN = "mcp-param-"


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A server to check behind a URL: how to reach it, how a report names it, and what hides its secrets."""

    target: HttpTarget
    described: Target
    redactor: Redactor


def read_remote(options: TargetOptions, environ: Mapping[str, str], protocol: str) -> HttpServer:
    """Read the URL and the headers. Raises CommandError for anything unusable.

    `--header-env` is refused over plain http, except to the loopback: whoever is on the way would read it.
    """
    url = _url(options.url or "")
    for option, given in (("--env", options.env), ("--pass-env", options.pass_env), ("--cwd", options.cwd)):
        if given:
            raise CommandError(f"{option} is about a server that we start; with --url there is none")
    if importlib.util.find_spec("httpx2") is None:
        raise CommandError("--url needs the package httpx2; install mcp-check-core with its extra http")
    headers = _headers(options.header, "--header")
    variables = _headers(options.header_env, "--header-env")
    if variables and url.scheme == "http" and not _is_loopback(url.hostname or ""):
        raise CommandError("--header-env: a credential is not sent over plain http; use https")
    found = set_variables(variables.values(), environ, "--header-env")
    hidden = {name: _value(found[variable], name) for name, variable in variables.items()}
    _refuse_twice([*headers, *hidden])
    target = HttpTarget(url.geturl(), headers | hidden, protocol=protocol)
    redactor = Redactor(_secrets(target))
    described = Target(kind=TargetKind.HTTP, url=redactor.text(redact_url(target.url)))
    return HttpServer(target, described, redactor)


def _url(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or _BLANK.search(text):
        raise CommandError("--url: write a whole URL, as in https://host.example/mcp")
    return parts._replace(fragment="")


def _headers(items: Iterable[str], option: str) -> dict[str, str]:
    """Read `NAME=VALUE` and `NAME: VALUE`; no message shows a value."""
    found: dict[str, str] = {}
    for number, item in enumerate(items, start=1):
        at = re.search("[=:]", item)
        name = item[: at.start()].strip() if at else ""
        if at is None or not _TOKEN.fullmatch(name):
            raise CommandError(f"{option}: item {number} is not NAME=VALUE with a name of a header")
        if name.lower() in _OURS or name.lower().startswith(_OURS_BEGIN):
            raise CommandError(f"{option}: {name} is set by the protocol itself")
        _refuse_twice([*found, name])
        found[name] = _value(item[at.end() :], name)
    return found


def _value(text: str, name: str) -> str:
    value = text.strip(" \t")
    if not _VALUE.fullmatch(value):
        raise CommandError(f"the value of the header {name} is empty or holds more than plain ASCII")
    return value


def _refuse_twice(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            raise CommandError(f"the header {name} is given twice")
        seen.add(name.lower())


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _secrets(target: HttpTarget) -> dict[str, str]:
    """Name all that is to be hidden: each value, also without the scheme before it, and parts of the URL."""
    found = url_secrets(target.url)
    for name, value in target.headers.items():
        found[name] = value
        scheme, blank, credential = value.partition(" ")
        if blank and _TOKEN.fullmatch(scheme):
            found[f"{name}-credential"] = credential.strip()
    return found
