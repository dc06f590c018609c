"""Calls that a server answers by asking for input (specification 2026-07-28, multi-round-trip requests)."""

import time
from collections.abc import Mapping
from dataclasses import replace

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.peer import Peer
from mcp_check_core.wire.reply import Reply

ROUNDS = 3
"""How often a call is sent again with answers."""
ELICITATION = "elicitation/create"
_CANCEL: dict[str, Json] = {"action": "cancel"}
"""Nobody is there to choose: not a refusal by a person, which would be `decline`."""


async def request_in_rounds(
    peer: Peer, method: str, params: Mapping[str, Json], timeout: float | None = None
) -> Reply:
    """Send a request and, where it is answered by a request for input, what we can honestly say to that.

    We declare no capability, so that a server has nothing to ask for. It may still send a state to come back
    with; and a question to a person can be cancelled. Anything else (sampling, roots) stays unanswered, and
    the reply is that of the last round: `needs_input` then says what is missing. All rounds together have
    `timeout` seconds; `asked` of the reply names what was asked for in any of them.
    """
    started = time.monotonic()
    deadline = started + (peer.limits.request_s if timeout is None else timeout)
    reply = await peer.request(method, params, timeout=timeout)
    asked = list(reply.needs_input or ()) if peer.envelope is not None else []
    rounds = 0
    while peer.envelope is not None and rounds < ROUNDS and (more := answers(reply)) is not None:
        rounds += 1
        reply = await peer.request(method, {**params, **more}, timeout=max(0.0, deadline - time.monotonic()))
        asked += reply.needs_input or ()
    if not rounds and not asked:
        return reply
    return replace(reply, asked=tuple(asked), duration_ms=(time.monotonic() - started) * 1000)


def answers(reply: Reply) -> dict[str, Json] | None:
    """Give the members to add to the params of the next round; None where there is none to make."""
    if reply.needs_input is None:
        return None
    requests, state = reply.fields.get("inputRequests"), reply.fields.get("requestState")
    if requests is None and not isinstance(state, str):
        return None
    if any(method != ELICITATION for method in reply.needs_input):
        return None
    members: dict[str, Json] = {}
    if isinstance(requests, dict) and requests:
        members["inputResponses"] = dict.fromkeys(requests, _CANCEL)
    if isinstance(state, str):
        members["requestState"] = state
    return members or None
