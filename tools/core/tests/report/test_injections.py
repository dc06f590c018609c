"""Every attempt of `injections` is inert in every format: the structure is that of a harmless report."""

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Report
from mcp_check_core.report.agent import render_agent
from mcp_check_core.report.badge import badge_document
from mcp_check_core.report.document import to_document
from mcp_check_core.report.github import render_github
from mcp_check_core.report.head import Head, Tone
from mcp_check_core.report.html import render_html
from mcp_check_core.report.json_format import dump_document
from mcp_check_core.report.junit import render_junit
from mcp_check_core.report.markdown import render_markdown
from mcp_check_core.report.sarif import sarif_document
from mcp_check_core.report.text import render_text
from tools.core.tests.report.injections import ATTEMPTS, attacked

UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
HARMLESS = attacked("x y")
each_attempt = pytest.mark.parametrize("text", ATTEMPTS, ids=ascii)


def test_there_are_enough_attempts() -> None:
    assert len(set(ATTEMPTS)) == len(ATTEMPTS) >= 60


@each_attempt
def test_text(text: str) -> None:
    shown = render_text(attacked(text), width=200, color=False)
    assert not UNSEEN.search(shown)
    assert not re.search(r"^\s*::|##\[", shown, re.MULTILINE)
    starts = [line[:4] for line in shown.splitlines() if line.startswith(("[", "INCOMPLETE", "PASS"))]
    assert starts == ["INCO", "[err"]


@each_attempt
def test_json(text: str) -> None:
    document = json.loads(dump_document(to_document(attacked(text))))
    assert list(document) == list(to_document(HARMLESS))
    assert len(document["findings"]) == len(document["suppressed"]) == 1


@each_attempt
def test_markdown(text: str) -> None:
    shown = render_markdown(attacked(text))
    outside = re.sub(r"^(`{3,})text\n.*?\n\1$", "", shown, flags=re.DOTALL | re.MULTILINE)
    outside = re.sub(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", "", outside)
    outside = re.sub(r"</?(?:details|summary)>", "", outside)
    assert not re.search(r"[<>`\[\]]|@\w|:(?!&#8203;)\S|(?<!&)#\d", outside)
    assert not UNSEEN.search(shown)


def shape(value: Json) -> Json:
    """The members and lengths of a document, without its texts and numbers."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items() if name != "evidence"}
    return [shape(item) for item in value] if isinstance(value, list) else type(value).__name__


def texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from (name, *texts(member))
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def sarif(report: Report) -> dict[str, Json]:
    document: dict[str, Json] = json.loads(dump_document(sarif_document(report)))
    return document


@each_attempt
def test_sarif(text: str) -> None:
    document = sarif(attacked(text))
    assert shape(document) == shape(sarif(HARMLESS))
    assert not any(UNSEEN.search(one) or "\n" in one for one in texts(document))
    for message in re.findall(r'"text":\s*("(?:[^"\\]|\\.)*")', json.dumps(document)):
        assert not re.search(r"\]\(|(?<!\{)\{\d+\}", json.loads(message))
    for uri in re.findall(r'"uri":\s*"([^"]*)"', json.dumps(document)):
        assert re.fullmatch(r"(?!/)[\w.~%/-]+", uri)
        assert ".." not in uri.split("/")


@each_attempt
def test_junit(text: str) -> None:
    written = render_junit(attacked(text))
    assert b"<!" not in written
    root, harmless = ET.fromstring(written), ET.fromstring(render_junit(HARMLESS))
    assert [one.tag for one in root.iter()] == [one.tag for one in harmless.iter()]
    assert [sorted(one.attrib) for one in root.iter()] == [sorted(one.attrib) for one in harmless.iter()]
    assert not any(UNSEEN.search(value) for one in root.iter() for value in one.attrib.values())
    assert not any(UNSEEN.search(one.text or "") for one in root.iter())


COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^,:\n]*,)*\w+=[^,:\n]*)::[^\n]+")


@each_attempt
def test_github(text: str) -> None:
    shown = render_github(attacked(text))
    lines = shown.split("\n")
    commands = [line for line in lines if re.match(r"\s*::", line)]
    assert len(commands) == 2
    assert all(COMMAND.fullmatch(line) for line in commands)
    names = [
        re.findall(r"(?:^|,)(\w+)=", match[2]) for line in commands if (match := COMMAND.fullmatch(line))
    ]
    assert names == [["title"], ["file", "line", "title"]]
    assert "##[" not in shown
    assert not UNSEEN.search(shown)
    assert len(lines) == len(render_github(HARMLESS).split("\n"))


class Elements(HTMLParser):
    """The elements of a page with the names of their attributes, and all its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.comments: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@each_attempt
def test_html(text: str) -> None:
    page = Elements(render_html(attacked(text)))
    assert page.found == Elements(render_html(HARMLESS)).found
    assert page.comments == []
    assert not UNSEEN.search(render_html(attacked(text)))


QUOTED = r'"(?:[^"\\]|\\.)*"'
WORD = rf"(?:[A-Za-z][\w-]*|{QUOTED})"
AGENT_LINES = re.compile(
    rf"INCOMPLETE: mcp-fuzz 2\.0\.0 on {QUOTED}|Findings: 1 error|Text in \"double quotes\" comes from .*"
    rf"|\d+\. error(?: \(\w+\))? fuzz/crash \({WORD}\) at {QUOTED}|   (?:saw|change): {QUOTED}"
    rf"|   reproduce: \{{(?:[^\"]|{QUOTED})*\}}"
    rf"|(?:incomplete|not answered): [\w/]+: {QUOTED}|1 finding held back by suppressions or a baseline"
)


@each_attempt
def test_agent(text: str) -> None:
    lines = render_agent(attacked(text)).removesuffix("\n").split("\n")
    assert [line for line in lines if not AGENT_LINES.fullmatch(line)] == []
    assert len(lines) == len(render_agent(HARMLESS).removesuffix("\n").split("\n"))
    assert not any(UNSEEN.search(line) for line in lines)


@each_attempt
def test_badge(text: str) -> None:
    badge = json.loads(dump_document(badge_document(attacked(text))))
    assert badge == badge_document(HARMLESS)
    hostile = json.loads(dump_document(badge_document(attacked(text), head=Head(text, Tone.BAD))))
    assert list(hostile) == list(badge)
    assert not UNSEEN.search(hostile["message"])


Renderer = Callable[[Report, Head], str]
HEADED: dict[str, Renderer] = {
    "github": lambda report, head: render_github(report, head=head),
    "html": lambda report, head: render_html(report, head=head),
    "agent": lambda report, head: render_agent(report, head=head),
    "junit": lambda report, head: render_junit(report, head=head).decode(),
    "sarif": lambda report, head: dump_document(sarif_document(report, head=head)).decode(),
}


@each_attempt
@pytest.mark.parametrize("name", HEADED)
def test_a_head_of_a_caller_is_as_inert(name: str, text: str) -> None:
    shown = HEADED[name](HARMLESS, Head(text, Tone.FAIR, (text,)))
    harmless = HEADED[name](HARMLESS, Head("x y", Tone.FAIR, ("x y",)))
    assert not UNSEEN.search(shown)
    assert shown.count("\n") == harmless.count("\n")
    assert not re.search(r"<(?:script|img|svg|iframe|base|a)\b", shown) or name in (
        "github",
        "agent",
        "sarif",
    )
