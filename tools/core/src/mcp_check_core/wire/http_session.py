"""What a client has to say in the headers of each request, learnt from the answers before."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.http_exchange import HttpFaultCode, OpenExchange
from mcp_check_core.wire.mirrored import VERSION_HEADER, ParamHeaders, headers_of_tools, mirrored
from mcp_check_core.wire.reply import Reply
from mcp_check_core.wire.versions import HANDSHAKE_VERSIONS

SESSION_HEADER = "Mcp-Session-Id"
VISIBLE = re.compile(r"[\x21-\x7e]{1,4096}")
"""What a server may name a session or an event, to be sent back in a header."""
_WITH_HEADER = HANDSHAKE_VERSIONS[HANDSHAKE_VERSIONS.index("2025-06-18") :]
"""Revisions of the handshake era that name the version in each request."""


@dataclass(slots=True)
class HttpSession:
    """The state of a conversation over HTTP.

    `opening` holds the params of the initialize that began it; `id` is the session that its answer named;
    `tools` says which arguments of which tool are repeated in headers.
    """

    opening: Mapping[str, Json] | None = None
    id: str | None = None
    version: str | None = None
    tools: dict[str, ParamHeaders] = field(default_factory=dict)

    def headers(self, body: Mapping[str, Json] | None, *, modern: bool) -> dict[str, str]:
        """Give the protocol's headers of one request."""
        headers = {"Accept": "application/json, text/event-stream"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if modern:
            return headers | mirrored(body or {}, self.tools)
        if self.id is not None:
            headers[SESSION_HEADER] = self.id
        if self.version in _WITH_HEADER:
            headers[VERSION_HEADER] = self.version
        return headers

    def learn(
        self,
        reply: Reply,
        body: Mapping[str, Json],
        headers: Mapping[str, str],
        exchange: OpenExchange,
        items: int,
    ) -> None:
        """Take from a result what later requests have to say."""
        if reply.method == "tools/list":
            self.tools |= headers_of_tools(reply.fields.get("tools"), items)
        if reply.method != "initialize":
            return
        params, version = body.get("params"), reply.fields.get("protocolVersion")
        self.opening = params if isinstance(params, dict) else {}
        self.version = version if isinstance(version, str) else None
        identity = headers.get(SESSION_HEADER.lower())
        exchange.session = identity is not None
        if identity is not None and VISIBLE.fullmatch(identity):
            self.id = identity
        elif identity is not None:
            exchange.fault(HttpFaultCode.SESSION_ID, f"not visible ASCII: {cut_text(repr(identity), 80)}")
