"""Making hostile text inert for the place where it is shown.

What a server, a source file or a configuration says may hold escape sequences, invisible characters, markup
and commands for the machine that reads the log. Each function here is pure, linear, and for one place.
"""

import html
import re

_INVISIBLE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # controls: C0, DEL, C1
    "\u00ad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5"  # soft hyphen, joiners, fillers
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, line ends, bidirectional
    "\u2800\u3164\uffa0\ufeff\ufff0-\ufffb"  # blanks that are no spaces, byte order mark
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors, tags
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # shorthand and music formatting
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff"  # surrogates, private use, no characters
    "\U000f0000-\U0010ffff"  # private use
    "]"
)
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}

_PLACEHOLDER = re.compile(r"\{(\d+)\}")

_LONG_RUN = re.compile("`{17,}")

_RUNNER_COMMAND = re.compile(r"^(\s*)::", re.MULTILINE)

_MARKDOWN = re.compile(r"[\\`*_{}\[\]#|~$^<>&\"!]")
_LEADING = re.compile(r"(?:[-+=]|\d{1,9}[.)])")
_BREAK = "&#8203;"
_BREAKS = (
    (re.compile(r"@(?=\w)"), f"@{_BREAK}"),
    (re.compile(r":(?=\S)"), f":{_BREAK}"),
    (re.compile(r"&#35;(?=\d)"), f"&#35;{_BREAK}"),
    (re.compile(r"\b(www)(?=\.)", re.IGNORECASE), rf"\1{_BREAK}"),
    (re.compile(r"\b(GH|GHSA|CVE)-(?=\w)", re.IGNORECASE), rf"\1-{_BREAK}"),
    (re.compile(r"\b([0-9a-f]{3})(?=[0-9a-f]{4,37}\b)", re.IGNORECASE), rf"\1{_BREAK}"),
)


def visible(text: str) -> str:
    r"""Show every character that cannot be seen, on one line: `\x1b`, `\n`, `<U+202E>`."""
    return _INVISIBLE.sub(lambda match: _shown(match[0]), text)


def visible_lines(text: str) -> str:
    """Show every character that cannot be seen, but keep line ends; a tab becomes four spaces."""
    return "\n".join(visible(line.replace("\t", "    ")) for line in re.split(r"\r\n|\n", text))


def terminal(text: str, *, multi: bool = False) -> str:
    """Make a text safe for a terminal and for the log of a CI runner; one line unless `multi`.

    A runner takes `::name` at the start of a line, and `##[name]` anywhere, as a command to itself.
    """
    shown = visible_lines(text) if multi else visible(text)
    return _RUNNER_COMMAND.sub(r"\1\\::", shown.replace("##[", "##\\["))


def markdown_text(text: str) -> str:
    """Make a text inert in GitHub Markdown, on one line, also inside a table.

    Markup becomes numeric references. What GitHub makes active after Markdown is done (mentions, addresses,
    references to issues and commits, emoji codes) is broken by a reference to a zero-width space.
    """
    shown = visible(text).strip()
    escaped = _MARKDOWN.sub(lambda match: f"&#{ord(match[0])};", shown)
    for pattern, replacement in _BREAKS:
        escaped = pattern.sub(replacement, escaped)
    lead = _LEADING.match(escaped)
    if lead:
        escaped = f"{lead[0][:-1]}&#{ord(lead[0][-1])};{escaped[lead.end() :]}"
    return escaped


def markdown_code(text: str) -> str:
    """Show a text as inline code that no backtick of its own can leave, on one line, also inside a table.

    A pipe, which would end a table's cell even in code, stands between two spans of code.
    """
    return "&#124;".join(_code_span(part) for part in _few_marks(visible(text)).split("|"))


def markdown_fence(text: str) -> str:
    """Show a text of several lines as a code block that no fence of its own can leave."""
    shown = _few_marks(visible_lines(text))
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"


def html_text(text: str) -> str:
    """Make a text safe in HTML, between tags and in quoted attributes."""
    return html.escape(visible(text), quote=True)


def sarif_text(text: str) -> str:
    """Make a text inert as a SARIF message, on one line.

    A viewer takes `[words](target)` in plain text for a link and `{0}` for a place to fill (SARIF 2.1.0,
    sections 3.11.5 and 3.11.6): a blank parts the first, doubled braces mark the second.
    """
    shown = visible(text).replace("](", "] (")
    return _PLACEHOLDER.sub(r"{{\1}}", shown)


def quoted(text: str) -> str:
    """Show a text between double quotes that it cannot leave, on one line."""
    shown = visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}"'


def annotation(text: str) -> str:
    """Encode a text as the message of a GitHub workflow command; line ends stay, encoded."""
    shown = visible_lines(text).replace("##[", "##\\[")
    return shown.replace("%", "%25").replace("\n", "%0A")


def annotation_property(text: str) -> str:
    """Encode a text as a property of a GitHub workflow command, such as a file or a title."""
    shown = visible(text).replace("##[", "##\\[")
    return shown.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")


def _shown(character: str) -> str:
    code = ord(character)
    if code < 0xA0:
        return _SHORT.get(character, f"\\x{code:02x}")
    return f"<U+{code:04X}>"


def _few_marks(text: str) -> str:
    """Name long runs of backticks: GitHub's parser takes no more than 80 for the marks of code."""
    return _LONG_RUN.sub(lambda match: f"[{len(match[0])} backticks]", text)


def _code_span(part: str) -> str:
    if not part:
        return ""
    marks = "`" * (_longest_run(part) + 1)
    padding = " " if part.strip(" ") and (part[0] in "` " or part[-1] in "` ") else ""
    return f"{marks}{padding}{part}{padding}{marks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
