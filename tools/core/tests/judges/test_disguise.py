"""Disguised failures are found, honest look-alikes are left alone."""

import sys
import time
from collections import Counter
from typing import Any

import pytest

from mcp_check_core.judges.disguise import Disguise, Suspicion, judge_response
from mcp_check_core.judges.disguise_object import PARSE_BOUND
from mcp_check_core.judges.wordings import Wording, fold_head, search, wordings
from mcp_check_core.model.bounds import TEXT_BOUND
from mcp_check_core.model.finding import Certainty
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import read_tool_result
from tools.core.tests.judges.responses import Labelled, labelled

ROWS = tuple(labelled())
READER = ToolDefinition({"name": "get_note", "annotations": {"readOnlyHint": True}}, "get_note")


def judge_text(text: str, **fields: Json) -> tuple[Suspicion, ...]:
    tool = ToolDefinition({**READER.fields, **fields}, "get_note")
    return judge_response(tool, {}, read_tool_result({"content": [{"type": "text", "text": text}]}))


def judge_result(result: dict[str, Any], **fields: Json) -> tuple[Suspicion, ...]:
    tool = ToolDefinition({**READER.fields, **fields}, "get_note")
    return judge_response(tool, {}, read_tool_result(result))


def test_the_labelled_set_is_as_large_and_varied_as_it_has_to_be() -> None:
    counts = Counter((row.disguised, row.language) for row in ROWS)
    assert sum(count for (bad, _), count in counts.items() if bad) >= 160
    assert sum(count for (bad, _), count in counts.items() if not bad) >= 320
    assert all(
        counts[bad, language] >= 10
        for bad in (True, False)
        for language in ("en", "es", "fr", "de", "pt", "zh", "ja")
    )
    assert Counter(row.disguised for row in ROWS if row.known) == {True: 18, False: 8}


def test_precision_and_recall_on_the_held_out_half(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row for row in ROWS if row.held_out]
    hits = Counter((row.disguised, bool(row.judge())) for row in rows)
    precision = hits[True, True] / (hits[True, True] + hits[False, True])
    recall = hits[True, True] / (hits[True, True] + hits[True, False])
    with capsys.disabled():
        sys.stdout.write(
            f"\nheld out: {len(rows)} responses, precision {precision:.3f}, recall {recall:.3f}\n"
        )
    assert precision >= 0.99
    assert recall >= 0.95


@pytest.mark.parametrize(
    "row", [row for row in ROWS if not row.held_out or row.known], ids=lambda row: row.kind
)
def test_each_tune_and_known_response(row: Labelled) -> None:
    assert bool(row.judge()) is row.disguised, row.result


def test_the_kind_is_the_labelled_one_nearly_always() -> None:
    judged = [
        (row.kind, {one.kind.value for one in row.judge()}) for row in ROWS if row.disguised and row.held_out
    ]
    right = [kind in kinds for kind, kinds in judged if kinds]
    assert sum(right) / len(right) >= 0.95


@pytest.mark.parametrize("wording", wordings(), ids=lambda wording: f"{wording.language}-{wording.id}")
def test_each_wording_matches_its_samples_and_misses_its_near_misses(wording: Wording) -> None:
    assert wording.match
    assert wording.miss
    for text in wording.match:
        assert _finds(wording, text), text
    for text in wording.miss:
        assert not _finds(wording, text), text


def _finds(wording: Wording, text: str) -> bool:
    return any(hit.wording is wording for hit in search(fold_head(text), whole=True))


@pytest.mark.parametrize(
    "text",
    [
        "I’m sorry, but I can’t help with that.",
        "I'M SORRY, BUT I CAN'T HELP WITH THAT.",
        "  I'm  sorry, but\tI can't help with that.",
        "\uff29'm sorry, but I can't help with that.",
        "\u200bI'm sor\u200bry, but I can't help with that.",
        "⚠️ **I'm sorry**, but I can't help with that.",
    ],
)
def test_apostrophes_case_width_space_and_marks_do_not_matter(text: str) -> None:
    assert [one.kind for one in judge_text(text)] == [Disguise.REFUSAL]


def test_a_refusal_has_to_start_within_the_first_200_characters() -> None:
    preface = "The sky is clear over all of Oslo. "
    refusal = "I'm sorry, but I can't help with that."
    assert judge_text(preface * 5 + refusal)
    assert not judge_text(preface * 6 + refusal)


def test_a_bare_prefix_is_a_heuristic_and_structure_is_observed() -> None:
    (prefix,) = judge_text("Error: the lamp is broken and nobody knows why it should be so")
    (structure,) = judge_text('{"success": false, "message": "no"}')
    assert (prefix.kind, prefix.certainty) == (Disguise.ERROR, Certainty.HEURISTIC)
    assert (structure.kind, structure.certainty) == (Disguise.ERROR, Certainty.OBSERVED)


@pytest.mark.parametrize(
    ("result", "pointer"),
    [
        (
            {"content": [], "structuredContent": {"success": False, "code": "E1"}},
            "/structuredContent/success",
        ),
        (
            {"content": [], "structuredContent": {"result": {"error": "gone"}}},
            "/structuredContent/result/error",
        ),
        (
            {"content": [{"type": "text", "text": '{"data": {"isError": true}}'}]},
            "/content/0/text/data/isError",
        ),
        ({"content": [{"type": "text", "text": "Access denied"}]}, "/content/0/text"),
    ],
)
def test_the_pointer_says_where_it_stands(result: dict[str, Any], pointer: str) -> None:
    assert [one.pointer for one in judge_result(result)] == [pointer]


def test_structure_and_text_that_mirror_each_other_are_one_suspicion() -> None:
    text = {"type": "text", "text": '{"success": false, "error": "x"}'}
    assert len(judge_result({"content": [text], "structuredContent": {"success": False, "error": "x"}})) == 1


def test_a_stack_trace_in_an_example_of_a_document_is_no_leak() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1\n'
    assert [one.kind for one in judge_text(trace)] == [Disguise.STACK_TRACE]
    assert judge_text(f"# Errors\n\n```\n{trace}```\n") == ()
    assert judge_text("Some words on what follows. " * 40 + "\n" + trace) == ()


def test_an_honest_error_is_never_suspicious() -> None:
    assert judge_result({"content": [{"type": "text", "text": "Access denied"}], "isError": True}) == ()


@pytest.mark.parametrize(
    ("result", "fields"),
    [
        ({"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]}, {}),
        ({"content": [], "structuredContent": {"result": []}}, {}),
        ({"content": [{"type": "text", "text": "[]"}]}, {}),
        ({"content": []}, {"annotations": {"readOnlyHint": False}}),
        (
            {"content": [], "structuredContent": {}},
            {"outputSchema": {"additionalProperties": {"type": "string"}}},
        ),
    ],
)
def test_what_is_not_empty(result: dict[str, Any], fields: dict[str, Any]) -> None:
    assert judge_result(result, **fields) == ()


def test_a_large_error_object_is_found_by_its_first_members() -> None:
    text = '{"success": false, "error": "no", "log": "' + "x" * (PARSE_BOUND * 2) + '"}'
    assert [one.reason for one in judge_text(text)] == ["success-false"]


def test_excerpts_are_bounded() -> None:
    (one,) = judge_text("I'm sorry, but I can't help with that. " + "y" * 100_000)
    assert len(one.excerpt) <= TEXT_BOUND


@pytest.mark.parametrize(
    "seed",
    [
        *(
            "I'm sorry, ",
            "unfortunately, ",
            "error: ",
            "a",
            "(",
            "{",
            '{"a": ',
            "[",
            "<html>",
            " ",
            "\n",
            "- ",
            "a.",
        ),
        *(
            "at /a/b:1 ",
            "\n at ",
            "Traceback (most recent call last):\n",
            "#0 a(",
            "i understand that ",
            "ich kann ",
        ),
        *("抱歉\uff0c", "できません", "申し訳ありません", "。", "e\u0301", "\u200b"),
    ],
)
def test_the_work_does_not_grow_with_the_text(seed: str) -> None:
    def seconds(length: int) -> float:
        text = (seed * (length // len(seed) + 1))[:length]
        best = 1e9
        for _ in range(2):
            start = time.process_time()
            judge_text(text)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(2_000_000) <= 4 * seconds(500_000) + 0.1


@pytest.mark.parametrize(
    "value", [None, [], "x", {"content": [{"type": "text"}]}, {"content": "x"}, {"content": [None, 3]}]
)
def test_broken_results_and_tools_do_not_raise(value: Json) -> None:
    tool = ToolDefinition(value, "#1")
    result = read_tool_result(value if isinstance(value, dict) else {"structuredContent": value})
    assert isinstance(judge_response(tool, {"a": [{"b": value}]}, result), tuple)


def test_deep_json_is_no_error_of_ours() -> None:
    assert judge_text("[" * 100_000) == ()
    assert judge_text('{"a":' * 100_000) == ()
