"""Take the words of a server's command out of a finding: lint never stores or prints them."""

from mcp_check_core.model.finding import Finding
from mcp_check_core.report.redact import Redactor
from mcp_check_core.report.redacted_report import redacted_finding


def without_command(finding: Finding, argv: tuple[str, ...]) -> Finding:
    """Replace each word of the command that is long enough to be told from other text."""
    words = {f"word {number} of the command": word for number, word in enumerate(argv, start=1)}
    return redacted_finding(finding, Redactor(words))
