"""S8: a text that a model reads hides something, or steers the model against its user."""

from collections.abc import Iterator

from mcp_check_core.judges.hidden_text import HiddenKind, HiddenText, judge_name, judge_text
from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.texts import Text, texts
from mcp_lint.rules.declare import HEURISTIC, PROVEN, Abstention, Judged, Judgement, declare

RULE = declare(
    "S8",
    "A text hides something, or steers the model against its user",
    Severity.ERROR,
    Category.SECURITY,
    kinds=tuple(kind.value for kind in HiddenKind),
    references=("Puliczek/awesome-mcp-security pull request 296", "Unicode Technical Report 36"),
    cwe=(1007, 451),
    owasp_mcp=(3,),
)
_SAYS = {
    HiddenKind.TAG_CHARACTERS: "holds Unicode tag characters, which nobody sees and a model reads",
    HiddenKind.BIDI_CONTROL: "holds controls of writing direction, so that it is shown in another order",
    HiddenKind.ZERO_WIDTH: "holds characters without width, which nobody sees",
    HiddenKind.VARIATION_SELECTORS: "holds variation selectors, which can carry hidden bytes",
    HiddenKind.HTML_COMMENT: "holds an HTML comment, which renderers leave out and a model reads",
    HiddenKind.HIDDEN_MARKUP: "holds markup that is not shown, which a model reads",
    HiddenKind.ANSI_ESCAPE: "holds terminal escape sequences",
    HiddenKind.PADDING: "pushes its end out of sight with blank space",
    HiddenKind.CREDENTIAL_FILE: "names a file that holds credentials",
    HiddenKind.CONCEALMENT: "tells the model to hide something from the user",
    HiddenKind.OVERRIDE: "claims to stand above other instructions or tools",
    HiddenKind.HOMOGLYPH_NAME: "is written in letters that look like others",
    HiddenKind.ENCODED_TEXT: "holds encoded text that reads as words",
}
_HINTS = {
    HiddenKind.CREDENTIAL_FILE: "Say what it reads without naming files that a model should never open.",
    HiddenKind.CONCEALMENT: "Take the sentence out; nothing that a tool does may be hidden from its user.",
    HiddenKind.OVERRIDE: "Say what this tool is for, and leave others and the user's instructions alone.",
    HiddenKind.HOMOGLYPH_NAME: "Write the name in one script.",
}
_HINT = "Take it out, or write it so that a reviewer sees it."
_SEEN = frozenset(
    {HiddenKind.CREDENTIAL_FILE, HiddenKind.CONCEALMENT, HiddenKind.OVERRIDE, HiddenKind.PADDING}
)
"""Kinds that rest on the reading of words, not on a character that is there."""


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge every text, the names of members among them."""
    known: dict[tuple[str, bool], tuple[HiddenText, ...]] = {}
    for text in texts(definitions):
        told = known.get((text.text, text.is_name))
        if told is None:
            told = judge_name(text.text) if text.is_name else judge_text(text.text)
            known[text.text, text.is_name] = told
        for found in _worst_of_each(told):
            yield _finding(text, found)
    unread = [f"{kind.value} ({one.problem})" for kind, one in definitions.others.items() if not one.whole]
    if unread:
        yield Abstention(f"these lists could not be read whole: {', '.join(unread)}", unknown=True)


def _worst_of_each(found: tuple[HiddenText, ...]) -> Iterator[HiddenText]:
    """Yield one place of each kind; the worst comes first in what the judge gives."""
    seen: set[HiddenKind] = set()
    for one in found:
        if one.kind not in seen:
            seen.add(one.kind)
            yield one


def _finding(text: Text, found: HiddenText) -> Finding:
    place = "The name" if text.is_name else "A text"
    decoded = f": it reads “{found.decoded}”" if found.decoded else ""
    return RULE.finding(
        f"{place} of {text.owner} {_SAYS[found.kind]}{decoded}.",
        kind=found.kind.value,
        severity=found.severity,
        location=Location(tool=text.tool, parameter=text.parameter, pointer=text.pointer),
        key=text.identity,
        hint=_HINTS.get(found.kind, _HINT),
        evidence={"text": found.excerpt, "decoded": found.decoded, "places": found.count},
        certainty=HEURISTIC if found.kind in _SEEN else PROVEN,
    )


JUDGED = Judged(RULE, judge, of_server=True)
