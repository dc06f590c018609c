"""Judge whether a response that claims success is a refusal, an error, nothing, a stand-in or a trace.

One pure function over one response. It reads the beginning of each text and no more of a long one than
`PARSE_BOUND` characters, so its cost does not grow with the megabyte behind. It judges wording and structure,
never meaning. An honest `isError` is never a suspicion.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.judges.call_context import CallContext, read_context
from mcp_check_core.judges.disguise_object import message_members, object_sign, parse_text, unwrap
from mcp_check_core.judges.folding import fold, without_invisible
from mcp_check_core.judges.stack_trace import stack_trace_at
from mcp_check_core.judges.wordings import HEAD, Hit, fold_head, search
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Certainty
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import ToolResult

_EXCERPT = 240
_DOCUMENT_ANSWER = 300
"""Characters within which a message in place of a document stands; a longer text is the document."""
_ECHO_MIN = 4
_BLOCKS = 8
"""Text blocks that are read one by one."""
_NOTHING = frozenset(
    {"null", "none", "undefined", "n/a", "na", "nil", "nan", "-", "--", "void", "(none)", "(null)"}
)
_DATA_FILE = re.compile(r".*\.(?:json|jsonl|ya?ml|toml|csv|ini)", re.DOTALL)
_PAGE_START = re.compile(r"\s*<(?:!doctype html|html|head)\b", re.IGNORECASE)
_PAGE_TITLE = re.compile(r"<(title|h1)[^>]{0,100}>([^<]{1,200})<", re.IGNORECASE)
_PAGE_BOUND = 3_000
_MORE_LINES = re.compile(r"\n[^\s]")
_NAMED = re.compile(r"[\w.-]{4,60}(?=:)")


class Disguise(StrEnum):
    """What a success can be in truth."""

    REFUSAL = "refusal"
    ERROR = "error"
    EMPTY = "empty"
    PLACEHOLDER = "placeholder"
    STACK_TRACE = "stack-trace"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One reason to doubt a success.

    `reason` is the slug of the evidence (a wording's id, `success-false`, `blank`, …); `excerpt` the bounded
    text that shows it, as received; `pointer` where it stands in the result: a JSON pointer,
    and behind that of a text block, if its text is JSON, the pointer within it.
    """

    kind: Disguise
    certainty: Certainty
    reason: str
    excerpt: str
    pointer: str


def judge_response(
    tool: ToolDefinition, arguments: Mapping[str, Json], result: ToolResult
) -> tuple[Suspicion, ...]:
    """List what speaks against a success, at most one suspicion a kind, the strongest evidence of each."""
    if result.is_error:
        return ()
    context = read_context(tool, arguments)
    empty = _judge_empty(tool, context, result)
    if empty is not None:
        return (empty,)
    found: dict[Disguise, Suspicion] = {}
    for suspicion in _judge_content(context, result):
        known = found.get(suspicion.kind)
        if known is None or _rank(suspicion) < _rank(known):
            found[suspicion.kind] = suspicion
    if Disguise.STACK_TRACE in found or Disguise.REFUSAL in found:
        found = {kind: one for kind, one in found.items() if one.certainty is not Certainty.HEURISTIC}
    return tuple(found.values())


def _rank(suspicion: Suspicion) -> int:
    return 1 if suspicion.certainty is Certainty.HEURISTIC else 0


def _judge_content(context: CallContext, result: ToolResult) -> Iterator[Suspicion]:
    if result.has_structured:
        yield from _judge_value(context, result.structured, "/structuredContent")
    texts = [
        (f"/content/{position}/text", block["text"])
        for position, block in enumerate(result.content)
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ][:_BLOCKS]
    for order, (pointer, text) in enumerate(texts):
        if not isinstance(text, str) or (order > 0 and not _same_answer(texts)):
            continue
        is_json, value = parse_text(text)
        if is_json:
            yield from _judge_value(context, value, pointer)
        else:
            yield from _judge_text(context, text, pointer, first=order == 0)


def _same_answer(texts: list[tuple[str, Json]]) -> bool:
    """Whether the blocks are few, and so parts of one message rather than items of a list."""
    return len(texts) <= 2


def _judge_value(context: CallContext, value: Json, pointer: str) -> Iterator[Suspicion]:
    if context.document is not None and _DATA_FILE.fullmatch(context.document):
        return
    sign = object_sign(value, about_failures=context.about_failures)
    if sign is not None and not _echoed(context, str(sign.value)[:HEAD], whole=True):
        text = f'"{sign.pointer.rpartition("/")[2]}": {sign.value}'
        kind = Disguise.ERROR
        yield Suspicion(
            kind, Certainty.OBSERVED, sign.reason, cut_text(text, _EXCERPT), pointer + sign.pointer
        )
    for inner, text in message_members(value):
        yield from _judge_text(context, text, pointer + inner, first=True)


def _judge_text(context: CallContext, text: str, pointer: str, *, first: bool) -> Iterator[Suspicion]:
    excerpt = cut_text(text.strip()[:2000], _EXCERPT)
    yield from _judge_trace(context, text, pointer)
    if context.about_failures and context.document is not None:
        return
    page = None if context.document is not None else _error_page(text)
    head = fold_head(text) if page is None else page
    if not head or _echoed(context, head, whole=False):
        return
    whole = len(text) <= HEAD
    if context.document is not None and not _instead_of_document(text):
        return
    hits = tuple(search(head, whole=whole))
    if not hits or _asked_in_words(context):
        return
    for hit in hits:
        kind = Disguise(hit.wording.kind)
        if _is_data(context, hit, head, first=first) or (page is not None and hit.wording.place != "whole"):
            continue
        certainty = Certainty.HEURISTIC if hit.wording.heuristic else Certainty.OBSERVED
        yield Suspicion(kind, certainty, hit.wording.id, excerpt, pointer)


def _is_data(context: CallContext, hit: Hit, head: str, *, first: bool) -> bool:
    """Whether the caller asked for such words: about failures, a narrator's, a word's translation."""
    kind, place = Disguise(hit.wording.kind), hit.wording.place
    if kind is not Disguise.REFUSAL and (context.about_failures or not first):
        return True
    if context.fiction and place == "sentence":
        return True
    if context.transforms and kind is not Disguise.PLACEHOLDER and len(head.split()) <= 2:
        return True
    return hit.wording.heuristic and _MORE_LINES.search(head) is not None


def _judge_trace(context: CallContext, text: str, pointer: str) -> Iterator[Suspicion]:
    at = stack_trace_at(text)
    if at is None or context.about_failures:
        return
    if context.document is not None and not _names(context.document, text[:HEAD]):
        return
    if _echoed(context, fold(text[at : at + 200], 200), whole=False):
        return
    excerpt = cut_text(text[at : at + 2000], _EXCERPT)
    yield Suspicion(Disguise.STACK_TRACE, Certainty.OBSERVED, "stack-trace", excerpt, pointer)


def _instead_of_document(text: str) -> bool:
    """Whether the answer to a request for a file can be a message: one short line, not its content."""
    return len(text) <= _DOCUMENT_ANSWER and "\n" not in text.strip()


def _names(document: str, text: str) -> bool:
    name = document.rpartition("/")[2]
    return bool(name) and name in fold(text, HEAD)


def _echoed(context: CallContext, said: str, *, whole: bool) -> bool:
    """Whether the caller said it himself.

    His words hold the answer, or it begins with them, or with the name of an error that he asked about.
    """
    folded = fold(said, HEAD)
    if not folded:
        return False
    named = _NAMED.match(folded)
    for argument in context.arguments:
        if named and named[0] in argument and named[0] != "error":
            return True
        if len(argument) >= _ECHO_MIN and (folded in argument or (not whole and folded.startswith(argument))):
            return True
    return False


def _asked_in_words(context: CallContext) -> bool:
    """Whether an argument is such a text itself, so that the answer may repeat, translate or sum it up."""
    return any(
        True
        for argument in context.arguments
        if len(argument) >= _ECHO_MIN
        for _ in search(fold_head(argument[:HEAD]), whole=len(argument) <= HEAD)
    )


def _error_page(text: str) -> str | None:
    """Give the folded title of a short HTML page; None where the text is no such page."""
    if len(text) > _PAGE_BOUND or not _PAGE_START.match(text):
        return None
    title = _PAGE_TITLE.search(text)
    return fold(title[2], 200) if title else ""


def _judge_empty(tool: ToolDefinition, context: CallContext, result: ToolResult) -> Suspicion | None:
    """Find nothing where a reader was asked for something. An empty list is an answer, other content too."""
    if not context.reads:
        return None
    if len(result.texts) != len(result.content):
        return None
    if result.has_structured and not _is_nothing(tool, result.structured):
        return None
    if not result.content:
        pointer = "/structuredContent" if result.has_structured else "/content"
        excerpt = str(result.structured) if result.has_structured else ""
        return Suspicion(Disguise.EMPTY, Certainty.OBSERVED, "no-content", excerpt, pointer)
    if sum(len(text) for text in result.texts) > 10_000:
        return None
    visible = without_invisible(result.text).strip()
    reason = _emptiness(tool, context, visible)
    if reason is None:
        return None
    return Suspicion(
        Disguise.EMPTY, Certainty.OBSERVED, reason, cut_text(visible, _EXCERPT), "/content/0/text"
    )


def _emptiness(tool: ToolDefinition, context: CallContext, visible: str) -> str | None:
    if not visible:
        return "blank"
    word = fold(visible, 40)
    if _echoed(context, word, whole=True) or (context.document and _DATA_FILE.fullmatch(context.document)):
        return None
    if word.rstrip(".") in _NOTHING:
        return "nothing-word"
    is_json, value = parse_text(visible) if visible[0] == "{" else (False, None)
    return "empty-object" if is_json and _is_nothing(tool, value) else None


def _is_nothing(tool: ToolDefinition, value: Json) -> bool:
    """Whether structured content holds nothing: null, or an empty object where the schema is no map."""
    inner, _ = unwrap(value)
    if inner is None or (isinstance(inner, str) and not inner.strip()):
        return True
    return inner == {} and not _declares_map(tool)


def _declares_map(tool: ToolDefinition) -> bool:
    """Whether the output schema describes a map, of which an empty one is an answer."""
    schema = tool.fields.get("outputSchema")
    while isinstance(schema, dict):
        if "patternProperties" in schema or isinstance(schema.get("additionalProperties"), dict):
            return True
        properties = schema.get("properties")
        schema = properties.get("result") if isinstance(properties, dict) and len(properties) == 1 else None
    return False
