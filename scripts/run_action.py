"""The body of the GitHub Action: runs mcp-trust-check with inputs that come through the environment alone.

Inputs are the variables MCP_TRUST_RUN, _PATH, _URL, _FAIL_ON, _FAIL_UNDER, _ENV, _ARGS and _REPORTS, a folder
that is made if need be. GitHub sets GITHUB_OUTPUT and GITHUB_STEP_SUMMARY, the files to append to.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SUMMARY_BYTES = 1_000_000
"""GitHub refuses a step's summary above 1 MiB."""


def arguments(inputs: Mapping[str, str], reports: Path) -> list[str]:
    """Return the words for mcp-trust-check. Raises ValueError for a quote that is not closed."""
    words = ["--json-out", str(reports / "report.json")]
    for form, name in (("markdown", "report.md"), ("sarif", "report.sarif"), ("html", "report.html")):
        words += ["--output", f"{form}={reports / name}"]
    for name in ("path", "url", "fail-on", "fail-under"):
        if value := inputs.get(name, "").strip():
            words += [f"--{name}", value]
    for pair in shlex.split(inputs.get("env", "")):
        words += ["--env", pair]
    words += shlex.split(inputs.get("args", ""))
    command = shlex.split(inputs.get("run", ""))
    return [*words, "--", *command] if command else words


def outputs(report: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of the Action's outputs from the merged report; null is an empty text."""
    combined, confidence = report.get("combined") or {}, report.get("confidence") or {}
    yield "decision", report.get("decision")
    yield "confidence", confidence.get("level")
    yield "combined-score", combined.get("value")
    yield "combined-grade", combined.get("grade")
    yield "blocker-count", report.get("blockerCount")
    yield "fix-count", report.get("fixCount")
    yield "coverage-percent", report.get("coveragePercent")
    yield "needs-human-review", report.get("needsHumanReview")


def plain(value: object) -> str:
    """Return a value as one line for GITHUB_OUTPUT; anything but a text, number or truth value is empty."""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(str(value).split()) if isinstance(value, int | float | str) else ""


def append(variable: str, text: str) -> None:
    """Append to the file that an environment variable of GitHub names, where it is set."""
    if name := os.environ.get(variable):
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(text)


def publish(reports: Path) -> None:
    """Hand the reports that were written to GitHub: outputs from the JSON, the summary from the Markdown."""
    document, page = reports / "report.json", reports / "report.md"
    if document.is_file():
        report = json.loads(document.read_text(encoding="utf-8"))
        append("GITHUB_OUTPUT", "".join(f"{name}={plain(value)}\n" for name, value in outputs(report)))
    if page.is_file():
        text = page.read_bytes()[:SUMMARY_BYTES].decode("utf-8", errors="ignore")
        append("GITHUB_STEP_SUMMARY", text + "\n")
    else:
        append("GITHUB_STEP_SUMMARY", "mcp-trust-check made no report; the log of this step says why.\n")


def main() -> int:
    """Run the check, publish what it wrote, and return its exit code."""
    prefix = "MCP_TRUST_"
    inputs = {
        name.removeprefix(prefix).lower().replace("_", "-"): value
        for name, value in os.environ.items()
        if name.startswith(prefix)
    }
    reports = Path(inputs["reports"])
    reports.mkdir(parents=True, exist_ok=True)
    for earlier in reports.glob("report.*"):
        earlier.unlink()
    try:
        words = arguments(inputs, reports)
    except ValueError as problem:
        sys.stderr.write(f"mcp-trust-check action: an input cannot be split into words: {problem}\n")
        return 2
    code = subprocess.run([sys.executable, "-I", "-m", "mcp_trust_check", *words], check=False).returncode
    publish(reports)
    return code


if __name__ == "__main__":
    sys.exit(main())
