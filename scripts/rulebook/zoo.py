"""The servers of the zoo that are known to show a rule."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from scripts.rulebook.homes import ROOT

MANIFEST = Path("tests", "servers", "manifest.toml")
SERVERS = MANIFEST.parent


def shown_by(root: Path = ROOT) -> Mapping[str, tuple[str, ...]]:
    """Map the id of each rule that the manifest of the zoo names to the servers planted for it."""
    found: dict[str, list[str]] = {}
    for pair in tomllib.loads((root / MANIFEST).read_text("utf-8"))["pair"]:
        planted = pair["planted"]
        for tool, ids in planted.items():
            if tool != "decision":
                for rule in dict.fromkeys(name.partition("@")[0] for name in ids):
                    found.setdefault(rule, []).append(pair["name"])
    return {rule: tuple(dict.fromkeys(names)) for rule, names in found.items()}
