"""Content blocks that are not what they say: no base64, other bytes than stated, torn JSON."""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.model.tool_result import ToolResult

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource": ("resource",),
    "resource_link": ("uri", "name"),
}
"""Members that a block of each type must have (specification, tools: tool result)."""
_MAGIC: Mapping[str, tuple[bytes, ...]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/jpg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
    "image/bmp": (b"BM",),
    "image/tiff": (b"II*\x00", b"MM\x00*"),
    "audio/wav": (b"RIFF",),
    "audio/x-wav": (b"RIFF",),
    "audio/wave": (b"RIFF",),
    "audio/ogg": (b"OggS",),
    "audio/flac": (b"fLaC",),
    "application/pdf": (b"%PDF-",),
}
"""How the bytes of a type begin; of types that begin in many ways there is no row."""
_HEAD = 64
"""Characters of base64 that are decoded to see how the bytes begin."""
_BLANKS = re.compile(r"\s+")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_STARTS_JSON = re.compile(r'\s*(?:\{\s*"[^"\n]{0,200}"\s*:|\[\s*(?:\{\s*"|"|\[\s*[\["\d{]))')
_SAID = re.compile(
    r"truncat|omitted|\.\.\.|…|too (?:large|long)|more (?:lines|characters|bytes)", re.IGNORECASE
)
_TAIL = 300
_JSON_BOUND = 4_000_000


@dataclass(frozen=True, slots=True)
class BadBlock:
    """A block that is not what it says: the kind of fault, where it is, and what is wrong in a few words."""

    kind: str
    pointer: str
    problem: str


def bad_blocks(result: ToolResult, *, document: bool) -> Iterator[BadBlock]:
    """Find the blocks that a client cannot use as they are stated.

    `document`: a file was asked for, whose part may well end anywhere.
    """
    for position, block in enumerate(result.content):
        if isinstance(block, dict):
            yield from _of_block(block, f"/content/{position}", document=document)


def _of_block(block: dict[str, Json], pointer: str, *, document: bool) -> Iterator[BadBlock]:
    kind = block.get("type")
    missing = [name for name in REQUIRED.get(str(kind), ()) if name not in block]
    if missing:
        yield BadBlock("missing-member", pointer, f"a {kind} block has no {missing[0]}")
        return
    if kind in ("image", "audio"):
        yield from _of_bytes(block["data"], block["mimeType"], f"{pointer}/data")
    elif kind == "resource":
        yield from _of_resource(block["resource"], f"{pointer}/resource")
    elif kind == "text":
        yield from _of_text(block["text"], f"{pointer}/text", document=document)


def _of_resource(resource: Json, pointer: str) -> Iterator[BadBlock]:
    if not isinstance(resource, dict):
        yield BadBlock("missing-member", pointer, f"a resource is {json_type(resource)}, not an object")
        return
    if not isinstance(resource.get("uri"), str):
        yield BadBlock("missing-member", pointer, "an embedded resource has no uri")
    elif "text" not in resource and "blob" not in resource:
        yield BadBlock("missing-member", pointer, "an embedded resource has neither text nor blob")
    elif "blob" in resource:
        yield from _of_bytes(resource["blob"], resource.get("mimeType"), f"{pointer}/blob")


def _of_bytes(data: Json, stated: Json, pointer: str) -> Iterator[BadBlock]:
    if not isinstance(data, str):
        yield BadBlock("not-base64", pointer, f"the data is {json_type(data)}, not a text")
        return
    plain = _BLANKS.sub("", data)
    if not plain:
        yield BadBlock("not-base64", pointer, "the data is empty")
    elif not _BASE64.fullmatch(plain) or len(plain) % 4:
        said = "a data: URL" if plain.startswith("data:") else "no base64"
        yield BadBlock("not-base64", pointer, f"the data is {said}")
    elif isinstance(stated, str):
        yield from _of_type(plain, stated.partition(";")[0].strip().lower(), pointer)


def _of_type(plain: str, stated: str, pointer: str) -> Iterator[BadBlock]:
    begins = _MAGIC.get(stated)
    if begins is None:
        return
    try:
        head = base64.b64decode(plain[:_HEAD])
    except (binascii.Error, ValueError):
        return
    if not head.startswith(begins):
        found = next((name for name, magic in _MAGIC.items() if head.startswith(magic)), "something else")
        yield BadBlock("other-type", pointer, f"the data is stated as {stated} and begins like {found}")


def _of_text(text: Json, pointer: str, *, document: bool) -> Iterator[BadBlock]:
    if not isinstance(text, str):
        yield BadBlock("missing-member", pointer, f"the text is {json_type(text)}, not a text")
    elif not document and _is_torn(text):
        yield BadBlock("torn-json", pointer, f"the text is JSON that ends after {len(text)} characters")


def _is_torn(text: str) -> bool:
    """Whether a text is JSON but for an end that is missing, and does not say itself that it was cut."""
    if len(text) > _JSON_BOUND or not _STARTS_JSON.match(text) or _SAID.search(text[-_TAIL:]):
        return False
    try:
        json.loads(text)
    except json.JSONDecodeError as problem:
        unfinished = problem.msg.startswith("Unterminated string")
        return unfinished or problem.pos >= len(text.rstrip())
    except (ValueError, RecursionError):
        return False
    return False
