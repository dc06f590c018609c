"""The declarations of the rules, read from the committed file: no rule is loaded before the server starts."""

import json
from importlib.resources import files

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.rule_file import RULE_FILE, read_rules


def declared_rules() -> tuple[Rule, ...]:
    """Give what the registry declares; a test holds the two equal."""
    return read_rules(json.loads(files("mcp_stdio_guard").joinpath(RULE_FILE).read_text("utf-8")))
