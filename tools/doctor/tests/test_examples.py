"""The examples of the rules: source trees with exactly one tool."""

import json
import re
from pathlib import Path

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.pages import PageBlock
from tests.rules.examples import examples_test
from tools.doctor.tests.sources import check_files

REQUIREMENT = re.compile(r"(?:#|//) requirements: (\S+) ?(.*)")


def files_of(block: PageBlock) -> dict[str, str]:
    """Make the source tree that a block stands for; a first comment may give what it requires."""
    wanted = REQUIREMENT.match(block.text)
    if block.language == "python":
        manifest = {"requirements.txt": f"{wanted[1]}\n"} if wanted else {}
        return {"server.py": block.text, **manifest}
    manifest = {"package.json": json.dumps({"dependencies": {wanted[1]: wanted[2]}})} if wanted else {}
    return {"server.ts": block.text, **manifest}


def fired(rule: Rule, block: PageBlock, folder: Path) -> set[str]:
    """Give the ids of the rules that find something in the one tool of a block."""
    _, report = check_files(folder, files_of(block))
    assert report.coverage.tools_total == 1, rule.id
    return {finding.rule_id for finding in report.findings}


test_example = examples_test("doctor", fired)
