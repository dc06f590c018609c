"""Write our own messages as lines."""

import json
from collections.abc import Mapping

from mcp_check_core.model.json_value import Json


def encode_line(message: Mapping[str, Json]) -> bytes:
    """Write a message as one line of compact UTF-8 JSON with its newline.

    Text goes out as UTF-8, as clients send it; a message with a lone surrogate, which UTF-8 cannot hold,
    goes out with all text escaped.
    """
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
    try:
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"
