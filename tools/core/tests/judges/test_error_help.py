"""Error texts of the frameworks, and of people, get the grade that an agent would give."""

import json
import time
from typing import Any

import pytest

from mcp_check_core.judges.error_help import HelpGrade, judge_error_text
from tools.core.tests.judges.responses import DATA

ROWS = [json.loads(line) for line in (DATA / "error_texts.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["sample"])
def test_each_sample_gets_its_grade(row: dict[str, Any]) -> None:
    judged = judge_error_text(row["text"], names=row["names"], values=row["values"])
    assert judged.grade == row["grade"], judged
    assert judged.reasons
    assert judged.guides is (judged.grade in {HelpGrade.HELPFUL, HelpGrade.PARTIAL})


def test_every_grade_has_samples() -> None:
    assert {row["grade"] for row in ROWS} == {grade.value for grade in HelpGrade}


@pytest.mark.parametrize("seed", ["a", "error ", "must ", "'a", "a:", "error:error ", "\n", " ", "(", "at "])
def test_the_work_does_not_grow_with_the_text(seed: str) -> None:
    def seconds(length: int) -> float:
        text = (seed * (length // len(seed) + 1))[:length]
        start = time.process_time()
        judge_error_text(text, names=("a", "name"), values=("v",))
        return time.process_time() - start

    assert seconds(2_000_000) <= 4 * seconds(500_000) + 0.1
