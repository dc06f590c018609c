"""The contents of the sample folder: a few small real files, the same ones each time."""

import struct
import zlib
from collections.abc import Mapping

TEXT = "A note about the harbor.\n\nThe boats leave at nine and return at four.\n"
MARKDOWN = "# Sample\n\nA short document with a [link](https://example.com/) and a list:\n\n- one\n- two\n"
CSV = "id,name,amount\n1,lantern,12.50\n2,notebook,3.20\n3,window,80.00\n"
JSON = (
    '{\n  "title": "Sample",\n  "items": [{"id": 1, "name": "lantern"}, {"id": 2, "name": "notebook"}]\n}\n'
)
_SIDE = 8
"""Pixels of the picture on each side."""


def sample_contents() -> Mapping[str, bytes]:
    """Give the relative path and the content of each file; one lies in a folder of its own."""
    return {
        "notes.txt": TEXT.encode(),
        "readme.md": MARKDOWN.encode(),
        "table.csv": CSV.encode(),
        "data.json": JSON.encode(),
        "picture.png": png(),
        "document.pdf": pdf(),
        "inner/more.txt": b"Another note.\n",
    }


def png() -> bytes:
    """Make a small picture in one color (PNG, 8-bit RGB)."""
    rows = b"".join(b"\0" + b"\x33\x66\x99" * _SIDE for _ in range(_SIDE))
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def pdf() -> bytes:
    """Make a document of one page that says "Sample" (PDF 1.4)."""
    stream = b"BT /F1 24 Tf 72 720 Td (Sample) Tj ET"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    )
    document = b"%PDF-1.4\n"
    places: list[int] = []
    for number, content in enumerate(objects, start=1):
        places.append(len(document))
        document += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    count = len(objects) + 1
    return document + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + trailer % (count, len(document))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
