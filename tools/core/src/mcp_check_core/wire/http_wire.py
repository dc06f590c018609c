"""HTTP to one origin, as little of it as the protocol needs.

Redirects are followed within the origin alone, so that no credential ever leaves it. The module brings
`httpx2` with it and is loaded where a URL is to be checked, not before.
"""

import base64
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import unquote

import anyio
import httpx2

from mcp_check_core._version import __version__
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.target import HttpTarget

_FOLLOWED = (307, 308)
"""Redirects that keep method and body."""
_REDIRECTS = (301, 302, 303, 307, 308)
_BROKEN = (httpx2.HTTPError, OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)
"""What a library may raise once a connection was made."""
_NO_CONNECTION = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol)


class UnreachableError(Exception):
    """No connection could be made: no such host, refused, no route, a certificate that is not trusted."""


class BrokenError(Exception):
    """A connection was made and broke before the response was whole."""


@dataclass(frozen=True, slots=True)
class Response:
    """The head of a response; `not_followed` says why a redirect is the answer itself."""

    status: int
    headers: Mapping[str, str]
    redirects: int
    not_followed: str | None
    raw: httpx2.Response

    @property
    def content_type(self) -> str | None:
        """The content type as it came, bounded."""
        said = self.headers.get("content-type")
        return None if said is None else cut_text(said, 200)

    @property
    def media_type(self) -> str:
        """The media type of the body in small letters, without parameters; empty where there is none."""
        return (self.content_type or "").partition(";")[0].strip().lower()

    async def chunks(self) -> AsyncGenerator[bytes]:
        """Read the body as it comes, still encoded if it is. Raises BrokenError."""
        try:
            async for chunk in self.raw.aiter_raw():
                yield chunk
        except _BROKEN as problem:
            raise BrokenError(_words(problem)) from None


class HttpWire:
    """Sends requests to one URL. Plain http passes every proxy by; https takes the user's."""

    def __init__(self, target: HttpTarget, limits: WireLimits) -> None:
        """Take the target, and the limits of redirects and of the time to connect (that of a probe).

        Raises UnreachableError for a URL that names no host that there can be.
        """
        try:
            url = httpx2.URL(target.url).copy_with(fragment=None)
        except httpx2.InvalidURL as problem:
            raise UnreachableError(_words(problem)) from None
        self._url = url.copy_with(username=None, password=None) if url.userinfo else url
        self._redirects = limits.redirects
        self._headers = {**_login(url), **target.headers}
        secure = url.scheme == "https"
        self._client = httpx2.AsyncClient(
            trust_env=secure,
            verify=secure,  # without TLS there is nothing to verify, and the trust store takes time to load
            follow_redirects=False,
            timeout=httpx2.Timeout(None, connect=min(limits.probe_s, limits.startup_s / 2)),
            limits=httpx2.Limits(max_connections=None),
        )

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, problem, trace)

    @asynccontextmanager
    async def send(
        self, verb: str, headers: Mapping[str, str], content: bytes | None
    ) -> AsyncIterator[Response]:
        """Send a request and give its response. Raises UnreachableError and BrokenError."""
        merged = httpx2.Headers(
            {"Accept-Encoding": "identity", "User-Agent": f"mcp-check-core/{__version__}"}
        )
        merged.update(headers)
        merged.update(self._headers)
        url, followed = self._url, 0
        while True:
            response = await self._once(verb, url, merged, content)
            try:
                onward, refusal = self._onward(response, followed)
                if onward is None:
                    yield Response(response.status_code, response.headers, followed, refusal, response)
                    return
            finally:
                await response.aclose()
            url, followed = onward, followed + 1

    async def _once(
        self, verb: str, url: httpx2.URL, headers: httpx2.Headers, content: bytes | None
    ) -> httpx2.Response:
        self._client.cookies.clear()
        request = self._client.build_request(verb, url, headers=headers, content=content)
        try:
            return await self._client.send(request, stream=True)
        except _NO_CONNECTION as problem:
            raise UnreachableError(_words(problem)) from None
        except _BROKEN as problem:
            raise BrokenError(_words(problem)) from None

    def _onward(self, response: httpx2.Response, followed: int) -> tuple[httpx2.URL | None, str | None]:
        """Tell where a redirect leads, or why it is not followed."""
        if response.status_code not in _REDIRECTS:
            return None, None
        location = response.headers.get("location")
        if location is None:
            return None, "a redirect without a location"
        try:
            onward = self._url.join(location).copy_with(fragment=None, username=None, password=None)
        except httpx2.InvalidURL:
            return None, "a redirect to what is no URL"
        if _origin(onward) != _origin(self._url):
            return None, f"a redirect to another origin, {cut_text(_shown_origin(onward), 200)}"
        if response.status_code not in _FOLLOWED:
            return None, f"a redirect that turns a POST into a GET (status {response.status_code})"
        if followed >= self._redirects:
            return None, f"more than {self._redirects} redirects"
        return onward, None


def _login(url: httpx2.URL) -> dict[str, str]:
    """Give the header for the user and password of a URL."""
    if not url.userinfo:
        return {}
    user, _, password = url.userinfo.decode("ascii").partition(":")
    pair = f"{unquote(user)}:{unquote(password)}".encode()
    return {"Authorization": f"Basic {base64.b64encode(pair).decode('ascii')}"}


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)


def _shown_origin(url: httpx2.URL) -> str:
    return f"{url.scheme}://{url.host}" + (f":{url.port}" if url.port else "")


def _words(problem: Exception) -> str:
    """Say in a few words what a library's exception says."""
    return cut_text(" ".join(str(problem).split()), 200) or type(problem).__name__
