"""Tokens, as an estimate: characters of compact JSON, divided by four."""

import json

from mcp_check_core.model.json_value import Json

CHARACTERS_A_TOKEN = 4


def estimate_tokens(value: Json) -> int:
    """Estimate the tokens that a value takes in a model's context, rounded to the nearest."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return round(len(text) / CHARACTERS_A_TOKEN)
