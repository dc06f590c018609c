"""The forms in which a known secret can come back in a text: raw, and as JSON, URLs and base64 write it."""

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote

SHORTEST = 8
"""Characters below which a value cannot be told from ordinary text; such values are not hidden."""

_SAFE_SETS = ("", "/", "!'()*", "/!'()*", ";,/?:@&=+$#!'()*")
"""What `quote`, its default, and the component and whole-URL encoders of browsers leave as it is."""

_SCHEME = re.compile(r"[A-Za-z][\w-]{0,30}\s+(\S+)")


def secret_forms(value: str) -> set[str]:
    """List every form of a secret that is looked for; empty if it is shorter than `SHORTEST`."""
    forms: set[str] = set()
    for part in _parts(value):
        for form in (part, *_json_forms(part), *_url_forms(part), *_base64_forms(part)):
            if len(form) >= SHORTEST:
                forms.add(form)
    return forms


def _parts(value: str) -> set[str]:
    """The value itself and what of it is secret alone: without blanks, a token behind its scheme, a login."""
    parts = {value, value.strip()}
    scheme = _SCHEME.fullmatch(value.strip())
    if scheme:
        parts.add(scheme[1])
        login = _decoded(scheme[1]) if value.strip().lower().startswith("basic") else None
        if login:
            parts |= {login, login.partition(":")[2]}
    return {part for part in parts if len(part) >= SHORTEST}


def _decoded(text: str) -> str | None:
    try:
        return base64.b64decode(text, validate=True).decode("utf-8")
    except ValueError:
        return None


def _json_forms(part: str) -> Iterator[str]:
    """Both escapings, with and without `\\/`, and once more for JSON inside a JSON text."""
    for ascii_only in (False, True):
        once = json.dumps(part, ensure_ascii=ascii_only)[1:-1]
        for form in (once, once.replace("/", "\\/")):
            yield form
            yield json.dumps(form, ensure_ascii=ascii_only)[1:-1]
        yield re.sub(r"\\u[0-9a-f]{4}", lambda match: "\\u" + match[0][2:].upper(), once)


def _url_forms(part: str) -> Iterator[str]:
    for safe in _SAFE_SETS:
        written = quote(part, safe=safe, errors="surrogatepass")
        for form in (written, written.replace("%20", "+")):
            yield form
            yield re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), form)


def _base64_forms(part: str) -> Iterator[str]:
    """Whole, and as the middle of a longer text at each of the three alignments, in both alphabets."""
    data = part.encode("utf-8", "surrogatepass")
    whole = base64.b64encode(data).decode("ascii")
    inner = {whole, whole.rstrip("=")}
    for offset in range(3):
        padded = base64.b64encode(b"\0" * offset + data).decode("ascii")
        first = (0, 2, 3)[offset]
        inner.add(padded[first : (offset + len(data)) * 8 // 6])
    for form in inner:
        yield form
        yield form.replace("+", "-").replace("/", "_")
