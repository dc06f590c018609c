import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from mcp_check_core.model.finding import Location
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit, Report, Suppressed
from mcp_check_core.report.head import Head, Tone
from mcp_check_core.report.html import FINDINGS_SHOWN, PAGE_BOUND, render_html
from mcp_check_core.report.rule_book import RuleBook
from tools.core.tests.report.builders import CRASH, HANG, STYLE, collector, finished, report_with
from tools.core.tests.report.injections import ATTEMPTS, attacked

ALLOWED = {
    "html": {"lang"},
    "meta": {"charset", "http-equiv", "content", "name"},
    "details": {"class", "open"},
    "pre": {"tabindex"},
    "th": {"scope"},
    "section": {"aria-label", "aria-labelledby"},
    "h2": {"id"},
}
VOID = {"meta", "br"}


class Page(HTMLParser):
    """A page as a browser without error correction would read it: every element is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


def full_report() -> Report:
    run = collector()
    for number in range(5):
        run.found(
            CRASH.finding(
                f"It died <{number}>.",
                location=Location(tool="add", parameter="a"),
                hint="Catch it.",
                evidence={"stderr": "one\ntwo"},
                reproduce={"method": "tools/call"},
                key=str(number),
            )
        )
    run.could_not_tell(HANG.id, "no time")
    run.not_applicable(STYLE.id, "no style")
    run.limit(LimitHit("tools", 10, "tools/list"))
    held = (Suppressed(STYLE.finding("m"), "see the plan"),)
    return replace(finished(run, interrupted="Stopped."), suppressed=held)


def test_a_page_holds_what_the_report_says() -> None:
    page = Page(render_html(full_report(), RuleBook({CRASH.id: replace(CRASH, references=("MCP, errors",))})))
    assert page.open == []
    for part in (
        "INCOMPLETE · mcp-fuzz 2.0.0",
        "python server.py",
        "interrupted Stopped.",
        "Server: weather 1.0, protocol 2025-11-25",
        "Findings (5)",
        "error fuzz/crash add(a)",
        "It died <0>.",
        "What to do: Catch it.",
        '{"method": "tools/call"}',
        "stderr one two",
        "Not answered, or not in full (2)",
        "Limits reached (1)",
        "Tools that were not checked (1)",
        "Held back (1)",
        "fuzz/style : see the plan",
        "Not applicable (1)",
        "All rules (3)",
        "fuzz/crashThe server diesMCP, errorsfail5",
        'Hold it back, with a reason [[suppress]] rule = "fuzz/crash" fingerprint =',
    ):
        assert part in page.text


def test_nothing_is_loaded_and_nothing_runs() -> None:
    for report in (full_report(), *(attacked(text) for text in ATTEMPTS)):
        page = Page(render_html(report))
        names = {name for name, _ in page.elements}
        assert names.isdisjoint({"script", "link", "img", "iframe", "object", "form", "base", "a"})
        for name, attributes in page.elements:
            assert set(attributes) <= ALLOWED.get(name, {"class"}), name


def test_the_policy_admits_the_style_sheet_by_its_hash_alone() -> None:
    text = render_html(full_report())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert policy
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy[1] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"url\(|@import|http", style[1])


def test_a_page_suits_light_and_dark_phone_and_keyboard() -> None:
    text = render_html(full_report())
    page = Page(text)
    assert ("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}) in page.elements
    assert ("meta", {"name": "color-scheme", "content": "light dark"}) in page.elements
    assert "prefers-color-scheme: dark" in text
    assert ":focus-visible" in text
    names = [name for name, _ in page.elements]
    assert names.count("summary") == names.count("details") > 5
    assert names.count("main") == names.count("h1") == names.count("header") == 1
    assert all(attributes.get("tabindex") == "0" for name, attributes in page.elements if name == "pre")


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as the Web Content Accessibility Guidelines (1.4.3) define it."""

    def luminance(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_colours_are_readable_in_light_and_dark() -> None:
    text = render_html(full_report())
    schemes = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block)) for block in text.split("@media")[:2]]
    for scheme in schemes:
        assert len(scheme) == 10
        for name in ("ink", "quiet", "good", "fair", "bad", "unknown", "info"):
            assert contrast(scheme[name], scheme["ground"]) >= 4.5, name
            assert contrast(scheme[name], scheme["panel"]) >= 4.5, name


def test_the_first_findings_are_open() -> None:
    findings = [
        one for name, one in Page(render_html(full_report())).elements if one.get("class") == "finding"
    ]
    assert ["open" in one for one in findings] == [True, True, True, False, False]


def test_a_flood_is_bounded_and_said() -> None:
    flood = "word " * 200_000
    report = report_with(CRASH.finding(flood, hint=flood, evidence={flood: flood}, reproduce=flood))
    assert len(render_html(report)) < 30_000
    worst = "\U000e0041" * 3_000
    evidence: dict[str, Json] = {f"{number}{worst}": worst for number in range(6)}
    floods = tuple(
        replace(CRASH.finding(worst, hint=worst, evidence=evidence), stored_fingerprint=f"{number:016x}")
        for number in range(500)
    )
    text = render_html(replace(report_with(), findings=floods))
    shown = text.count('<details class="finding"')
    assert PAGE_BOUND / 2 < len(text) < PAGE_BOUND * 1.2
    assert f"{500 - shown} of 500 findings are left out here; the JSON report has them all." in text
    many = tuple(
        replace(CRASH.finding("m"), stored_fingerprint=f"{number:016x}")
        for number in range(FINDINGS_SHOWN + 7)
    )
    text = render_html(replace(report_with(), findings=many))
    assert text.count('<details class="finding"') == FINDINGS_SHOWN
    assert f"7 of {FINDINGS_SHOWN + 7} findings are left out here; the JSON report has them all." in text


def test_a_caller_may_give_the_head() -> None:
    page = Page(render_html(report_with(), head=Head("BLOCK", Tone.BAD, ("why it is so",))))
    assert "BLOCK · mcp-fuzz 2.0.0" in page.text
    assert "why it is so" in page.text
    assert ("span", {"class": "bad"}) in page.elements


def test_no_other_format_needs_jinja2() -> None:
    code = (
        "import sys; sys.modules['jinja2'] = None\n"
        "from mcp_check_core.cli.rendering import Rendering, render\n"
        "from mcp_check_core.cli.options import Format\n"
        "from tools.core.tests.report.builders import report_with\n"
        "forms = [form for form in Format if form is not Format.HTML]\n"
        "print(all(render(report_with(), form, Rendering(), width=80) for form in forms), len(forms))"
    )
    root = Path(__file__).parents[4]
    ran = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, timeout=60, check=True)
    assert ran.stdout.split() == [b"True", b"8"]


@pytest.fixture(scope="module")
def chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    found = os.environ.get("MCP_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip("needs chromium (or MCP_CHROMIUM, the path of another such browser)")
    return found


def test_a_browser_shows_a_hostile_page_as_text(chromium: str, tmp_path: Path) -> None:
    hostile = "".join(text for text in ATTEMPTS if "<" in text) + "<script>document.title='owned'</script>"
    page = tmp_path / "report.html"
    page.write_text(render_html(attacked(hostile)), "utf-8")
    options = [
        "--headless",
        "--disable-gpu",
        "--no-sandbox",
        "--no-first-run",
        f"--user-data-dir={tmp_path}/p",
    ]
    command = [chromium, *options, "--window-size=360,640", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, timeout=90, check=True).stdout.decode()
    browsed = Page(shown)
    written = Page(page.read_text("utf-8"))
    assert [name for name, _ in browsed.elements] == [name for name, _ in written.elements]
    assert "<title>INCOMPLETE · mcp-fuzz 2.0.0</title>" in shown
