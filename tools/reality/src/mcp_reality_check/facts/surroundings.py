"""What was missing around a server where the text of an error says so: the network, a credential, quota."""

import re

READ_CHARACTERS = 4_000
"""Characters at the start of an error text that are read."""

_NETWORK = re.compile(
    r"""ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ECONNRESET|getaddrinfo
    |name\ or\ service\ not\ known|failure\ in\ name\ resolution|nodename\ nor\ servname
    |name\ ?resolution\ ?error|failed\ to\ resolve|could\ not\ resolve|no\ such\ host|lookup\ failed
    |connection\ (?:refused|error)|network\ is\ unreachable|no\ route\ to\ host|max\ retries\ exceeded
    |all\ connection\ attempts\ failed|(?:cannot|failed\ to|could\ not)\ (?:connect|establish)
    |fetch\ failed|failed\ to\ fetch|network\ ?error|dns\ error|proxyerror""",
    re.IGNORECASE | re.VERBOSE,
)
_QUOTA = re.compile(r"rate.?limit(?:ed|s)?\b|too many requests|quota exceeded|\b429\b", re.IGNORECASE)
_KEY = r"(?:api[ _-]?keys?|(?:access|api|auth|bearer)?[ _-]?tokens?|credentials?|passwords?)"
_CREDENTIAL = re.compile(
    rf"""\b401\b|\b403\b|\bunauthori[sz]ed\b|\bunauthenticated\b|not\ (?:logged\ in|authenticated)
    |authentication\ (?:is\ )?(?:required|failed)|bad\ credentials|log\ ?in\ (?:first|required)
    |(?:missing|invalid|no|unset|required|provide|set|without)\ (?:[\w-]{{1,40}}\ ){{0,3}}{_KEY}\b
    |{_KEY}\ (?:\w{{1,40}}\ ){{0,3}}(?:missing|required|invalid|not\ (?:set|found|provided|configured))
    |(?-i:\b[A-Z][A-Z0-9]{{1,40}}_[A-Z0-9_]{{1,40}})
     \ (?:environment\ variable|env\ var|is\ not\ set|must\ be)""",
    re.IGNORECASE | re.VERBOSE,
)


def wanting(error_text: str) -> str | None:
    """Name what an error says was missing around the server, None where it blames the call or the code."""
    head = error_text[:READ_CHARACTERS]
    if _NETWORK.search(head):
        return "the network"
    if _QUOTA.search(head):
        return "quota"
    return "a credential" if _CREDENTIAL.search(head) else None
