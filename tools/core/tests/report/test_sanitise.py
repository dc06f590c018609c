import html
import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mcp_check_core.report.sanitise import (
    annotation,
    annotation_property,
    html_text,
    markdown_code,
    markdown_fence,
    markdown_text,
    terminal,
    visible,
    visible_lines,
)

any_text = st.text(st.characters(codec=None), max_size=60)
MARKS = ("`", "``", "```", "~~~", "*", "_", "[", "]", "(", ")", "!", "<", ">", "&", "|", "#", "@", ":", "::")
WORDS = ("a", "1", "%0A", "\\", "http://", "www.", "-->", "<!--", "@everyone", "#1", "##[", "::error::")
BLANKS = (":smile:", " ", "\n", "\r", "\t", "\x1b", "\u202e", "\ud800", "\n- ", "\n1. ", "$x$")
spiteful = st.lists(st.sampled_from((*MARKS, *WORDS, *BLANKS)), max_size=20).map("".join)
hostile = (any_text | spiteful).filter(lambda text: "`" * 17 not in text)

ONE_LINE = [visible, terminal, markdown_text, markdown_code, html_text, annotation_property]


def unseen(text: str) -> list[str]:
    return [
        character
        for character in text
        if unicodedata.category(character) in ("Cc", "Cs", "Co", "Zl", "Zp")
        or "\u200b" <= character <= "\u200f"
        or "\u202a" <= character <= "\u202e"
        or "\u2060" <= character <= "\u206f"
        or 0xE0000 <= ord(character) <= 0xE0FFF
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünïcödé 漢字 🙂 עברית", "plain ünïcödé 漢字 🙂 עברית"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "\\x1b]8;;http://x\\x07link\\x1b]8;;\\x07"),
        ("\x1b]52;c;AAAA\x07", "\\x1b]52;c;AAAA\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\x00b\x7fc\x08", "a\\x00b\\x7fc\\x08"),
        ("one\ntwo\r\nthree\ttab", "one\\ntwo\\r\\nthree\\ttab"),
        ("\x85next", "\\x85next"),
        ("safe\u202eexe.txt", "safe<U+202E>exe.txt"),
        ("\u2066isolate\u2069", "<U+2066>isolate<U+2069>"),
        ("zero\u200bwidth\u200d\ufeff", "zero<U+200B>width<U+200D><U+FEFF>"),
        ("soft\u00adhyphen\u061c", "soft<U+00AD>hyphen<U+061C>"),
        ("tag\U000e0041\U000e007f", "tag<U+E0041><U+E007F>"),
        ("selector\ufe0f\U000e0100", "selector<U+FE0F><U+E0100>"),
        ("half\ud83d", "half<U+D83D>"),
        ("line\u2028end\u2029", "line<U+2028>end<U+2029>"),
        ("filler\u3164\u115f\uffa0\u2800", "filler<U+3164><U+115F><U+FFA0><U+2800>"),
        ("private\ue000\U000f0000\uffff", "private<U+E000><U+F0000><U+FFFF>"),
        ("joiner\u2060\u034f\u180e", "joiner<U+2060><U+034F><U+180E>"),
    ],
)
def test_what_cannot_be_seen_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_stay_lines_where_they_may() -> None:
    assert visible_lines("a\tb\r\nc\n\x1bd\re") == "a    b\nc\n\\x1bd\\re"
    assert terminal("a\nb") == "a\\nb"
    assert terminal("a\nb", multi=True) == "a\nb"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::gone", "\\::error::gone"),
        ("  ::add-mask::x", "  \\::add-mask::x"),
        ("##[error]gone", "##\\[error]gone"),
        ("x ##[group]", "x ##\\[group]"),
        ("std::vector", "std::vector"),
    ],
)
def test_a_runner_reads_no_command_in_its_log(text: str, shown: str) -> None:
    assert terminal(text) == shown


def test_a_runner_reads_no_command_in_a_later_line() -> None:
    assert terminal("a\n::error::b\n\t::c", multi=True) == "a\n\\::error::b\n    \\::c"


MARKDOWN = {
    "@octocat": "@&#8203;octocat",
    "@org/team": "@&#8203;org/team",
    "me@example.org": "me@&#8203;example.org",
    "http://evil.example": "http:&#8203;//evil.example",
    "HTTPS://evil.example": "HTTPS:&#8203;//evil.example",
    "ftp://evil.example": "ftp:&#8203;//evil.example",
    "mailto:a@b.c": "mailto:&#8203;a@&#8203;b.c",
    "www.evil.example": "www&#8203;.evil.example",
    "WWW.evil.example": "WWW&#8203;.evil.example",
    "#1": "&#35;&#8203;1",
    "owner/repo#12": "owner/repo&#35;&#8203;12",
    "GH-12": "GH-&#8203;12",
    "GHSA-aaaa-bbbb": "GHSA-&#8203;aaaa-bbbb",
    "CVE-2026-1": "CVE-&#8203;2026-1",
    "commit deadbeef": "commit dea&#8203;dbeef",
    ":smile:": ":&#8203;smile:",
    "[x](http://e)": "&#91;x&#93;(http:&#8203;//e)",
    "![x](http://e)": "&#33;&#91;x&#93;(http:&#8203;//e)",
    "[x]: http://e": "&#91;x&#93;: http:&#8203;//e",
    "[^1]": "&#91;&#94;1&#93;",
    "<img src=x>": "&#60;img src=x&#62;",
    "<!-- hidden -->": "&#60;&#33;-- hidden --&#62;",
    "</details>": "&#60;/details&#62;",
    "<http://e>": "&#60;http:&#8203;//e&#62;",
    "&lt;b&gt;": "&#38;lt;b&#38;gt;",
    "&#64;octocat": "&#38;&#35;&#8203;64;octocat",
    "*a* _b_ **c** __d__": "&#42;a&#42; &#95;b&#95; &#42;&#42;c&#42;&#42; &#95;&#95;d&#95;&#95;",
    "~~gone~~": "&#126;&#126;gone&#126;&#126;",
    "`code`": "&#96;code&#96;",
    "```\nfence": "&#96;&#96;&#96;&#92;nfence",
    "~~~": "&#126;&#126;&#126;",
    "a|b": "a&#124;b",
    "# heading": "&#35; heading",
    "> quote": "&#62; quote",
    "- item": "&#45; item",
    "+ item": "&#43; item",
    "* item": "&#42; item",
    "1. item": "1&#46; item",
    "12) item": "12&#41; item",
    "---": "&#45;--",
    "===": "&#61;==",
    "    code": "code",
    "$x$": "&#36;x&#36;",
    "\\*": "&#92;&#42;",
    "a\n\n# b": "a&#92;n&#92;n&#35; b",
    "\u202e\u200b": "&#60;U+202E&#62;&#60;U+200B&#62;",
    "It died with signal 11, twice.": "It died with signal 11, twice.",
}


@pytest.mark.parametrize("text", MARKDOWN)
def test_nothing_is_active_in_markdown(text: str) -> None:
    assert markdown_text(text) == MARKDOWN[text]


@given(hostile)
def test_markdown_text_shows_what_was_said_and_holds_no_markup(text: str) -> None:
    shown = markdown_text(text)
    assert html.unescape(shown).replace("\u200b", "") == visible(text).strip()
    assert not re.search(r"[\\`*_{}\[\]|~$^<>\"!]", shown)
    assert not re.search(r"&(?!#\d+;)|(?<!&)#", shown)
    assert not re.search(r"@\w|:(?!&#8203;)\S|(?i:\bwww\.)", shown)


def parsed(source: str) -> list[Token]:
    """Tokens of a source as an independent parser of Markdown with tables and strike-through sees them."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return [leaf for token in parser.parse(source) for leaf in (token.children or [token])]


@given(hostile)
def test_a_parser_sees_only_text(text: str) -> None:
    shown = visible(text).strip()
    leaves = parsed(markdown_text(text))
    assert {leaf.type for leaf in leaves} <= {"paragraph_open", "text", "text_special", "paragraph_close"}
    assert "".join(leaf.content for leaf in leaves).replace("\u200b", "") == shown


@given(hostile)
def test_a_parser_sees_only_code(text: str) -> None:
    leaves = parsed(f"x {markdown_code(text)} y")
    assert {leaf.type for leaf in leaves} <= {"paragraph_open", "text", "code_inline", "paragraph_close"}
    plain = "".join(leaf.content for leaf in leaves if leaf.type == "text")
    assert plain.replace("|", "").split() == ["x", "y"]
    code = "".join(leaf.content for leaf in leaves if leaf.type == "code_inline")
    assert code == visible(text).replace("|", "")


@given(hostile, hostile)
def test_a_table_keeps_its_cells(one: str, other: str) -> None:
    leaves = parsed(f"| a | b |\n| --- | --- |\n| {markdown_text(one)} | {markdown_code(other)} |")
    assert [leaf.type for leaf in leaves].count("td_open") == 2
    assert not {leaf.type for leaf in leaves} & {"link_open", "image", "html_inline", "html_block", "fence"}


@given(hostile)
def test_a_parser_sees_one_fence(text: str) -> None:
    (leaf,) = parsed(markdown_fence(text))
    assert (leaf.type, leaf.content) == ("fence", visible_lines(text) + "\n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`a`", "`` `a` ``"),
        ("```", "```` ``` ````"),
        ("a|b", "`a`&#124;`b`"),
        ("|", "&#124;"),
        (" a ", "`  a  `"),
        ("", ""),
        ("@octocat http://e #1", "`@octocat http://e #1`"),
        ("x\n```\ny", "````x\\n```\\ny````"),
        ("<b>\x1b", "`<b>\\x1b`"),
        ("a\\", "`a\\`"),
        (" ", "` `"),
        ("`" * 16, "`" * 17 + " " + "`" * 16 + " " + "`" * 17),
        ("`" * 90 + "@octocat", "`[90 backticks]@octocat`"),
    ],
)
def test_code_is_not_left(text: str, code: str) -> None:
    assert markdown_code(text) == code


@given(hostile)
def test_code_spans_hold_all_of_the_text(text: str) -> None:
    shown = markdown_code(text)
    spans = re.findall(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", shown)
    outside = re.sub(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", shown)
    assert set(outside.replace("&#124;", "")) == set()
    inner = [body[1:-1] if body[:1] == body[-1:] == " " and body.strip() else body for _, body in spans]
    assert "".join(inner) == visible(text).replace("|", "")


@given(hostile)
def test_a_fence_is_not_left(text: str) -> None:
    first, *body, last = markdown_fence(text).split("\n")
    assert first == f"{last}text"
    assert "\n".join(body) == visible_lines(text)
    assert not any(line.strip().startswith(last) for line in body)


def test_a_parser_that_counts_few_backticks_is_not_misled() -> None:
    assert markdown_fence("`" * 300 + "\n@octocat") == "```text\n[300 backticks]\n@octocat\n```"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ('" onload="x', "&quot; onload=&quot;x"),
        ("' x", "&#x27; x"),
        ("&amp;", "&amp;amp;"),
        ("\x00\u202e", "\\x00&lt;U+202E&gt;"),
    ],
)
def test_html(text: str, shown: str) -> None:
    assert html_text(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n::error::b", "a%0A::error::b"),
        ("100%0A", "100%250A"),
        ("a\rb", "a\\rb"),
        ("##[error]", "##\\[error]"),
        ("\x1b[0m", "\\x1b[0m"),
    ],
)
def test_annotations(text: str, shown: str) -> None:
    assert annotation(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a,line=1::b", "a%2Cline=1%3A%3Ab"),
        ("C:\\x\n", "C%3A\\x\\n"),
        ("50%", "50%25"),
    ],
)
def test_annotation_properties(text: str, shown: str) -> None:
    assert annotation_property(text) == shown


@given(hostile)
def test_no_function_leaves_what_cannot_be_seen(text: str) -> None:
    for function in ONE_LINE:
        assert unseen(function(text)) == [], function
        assert "\n" not in function(text)
    assert unseen(annotation(text)) == []
    for several in (visible_lines(text), terminal(text, multi=True), markdown_fence(text)):
        assert set(unseen(several)) <= {"\n"}
    assert not re.search(r"^\s*::|##\[", terminal(text, multi=True), re.MULTILINE)


@given(hostile)
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    assert html.unescape(html_text(text)) == visible(text)


@pytest.mark.parametrize("piece", ["`", "@a", "[](", "\x1b", "f", ":", "|", "1", "::\n", "<", "# "])
def test_time_is_linear(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    started = time.process_time()
    for function in (*ONE_LINE, annotation, markdown_fence, visible_lines):
        function(text)
    assert time.process_time() - started < 8
