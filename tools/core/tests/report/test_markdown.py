import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.model.finding import Location
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit, Report, Skipped, Suppressed
from mcp_check_core.report.markdown import MARKDOWN_BOUND, render_markdown
from tools.core.tests.report.builders import (
    CRASH,
    RULES,
    STYLE,
    collector,
    finished,
    hostile_report,
    report_with,
)

SPITE = ("`", "```", "\n", "|", "@a", "<b>", "](http://e)", "-->", "</details>", "#1")

FULL = """\
### FAIL · mcp-fuzz 2.0.0

`python server.py`

- Server: `weather 1.0, protocol 2025-11-25`
- Score 83.3 (B): 10 of 12 calls were answered.
- Tools checked: 1 of 2; not checked: write&#95;file (it is not read-only)
- Rules: 2 passed, 1 failed
- Findings: 1 error

**error** `fuzz/crash` `add(a)`

It died, says @&#8203;octocat.

What to do: Catch it.

<details><summary>Evidence</summary>

See it again:

```text
{"method": "tools/call"}
```

`stderr`:

````text
one
```
two
````

</details>

<details><summary>All rules (3)</summary>

- `fuzz/crash`: fail
- `fuzz/hang`: pass
- `fuzz/style`: pass

</details>
"""


def full_report() -> Report:
    finding = CRASH.finding(
        "It died, says @octocat.",
        location=Location(tool="add", parameter="a"),
        hint="Catch it.",
        evidence={"stderr": "one\n```\ntwo"},
        reproduce={"method": "tools/call"},
    )
    return report_with(finding)


def test_a_report_is_short_on_top_and_folded_below() -> None:
    assert render_markdown(full_report()) == FULL


def test_what_is_not_known_is_folded_and_counted() -> None:
    run = collector()
    run.could_not_tell(CRASH.id, "no @idea")
    run.not_applicable(STYLE.id, "no style")
    run.limit(LimitHit("tools", 10, "here"))
    held = (Suppressed(CRASH.finding("m"), "known"),)
    report = replace(finished(run, interrupted="Stopped."), suppressed=held)
    text = render_markdown(report)
    assert text.startswith("### INCOMPLETE · mcp-fuzz 2.0.0\n")
    assert "- **interrupted**: Stopped.\n" in text
    assert "<summary>Not answered, or not in full (2)</summary>\n\n- fuzz/crash: no @&#8203;idea\n" in text
    assert "<summary>Limits reached (1)</summary>\n\n- tools = 10 (here)\n" in text
    assert "<summary>Held back (1)</summary>\n\n- `fuzz/crash`: known\n" in text
    assert "<summary>Not applicable (1)</summary>" in text
    assert f"<summary>All rules ({len(RULES)})</summary>" in text


@pytest.mark.parametrize("bound", [MARKDOWN_BOUND, 20_000])
def test_what_is_too_much_is_cut_and_said(bound: int) -> None:
    worst = "\U000e0041" * 5000
    evidence: dict[str, Json] = {worst: worst}
    made = [CRASH.finding(worst, hint=worst, evidence=evidence, key=str(number)) for number in range(200)]
    text = render_markdown(report_with(*made), bound=bound)
    shown = text.count("**error** `fuzz/crash`")
    assert len(text) <= bound
    assert f"**{200 - shown} of 200 findings are left out here; the JSON report has them all.**" in text
    assert text.endswith("</details>\n")


def test_every_part_at_its_worst_stays_within_the_bound() -> None:
    worst = "\U000e0041" * 5000
    report = hostile_report(worst)
    skipped = tuple(Skipped(worst, worst) for _ in range(1000))
    report = replace(
        report,
        rules=tuple(replace(report.rules[1], rule=f"fuzz/r{number}") for number in range(500)),
        limits_hit=tuple(LimitHit(worst, worst, worst) for _ in range(500)),
        suppressed=tuple(Suppressed(CRASH.finding("m"), worst) for _ in range(500)),
        coverage=replace(report.coverage, skipped=skipped),
        errors=(*report.errors, *(replace(error, message=worst) for error in report.errors * 500)),
    )
    text = render_markdown(report)
    assert len(text) <= MARKDOWN_BOUND
    assert "more in the JSON report" in text


@settings(max_examples=60)
@given(st.text(st.characters(codec=None), max_size=60) | st.lists(st.sampled_from(SPITE)).map("".join))
def test_a_hostile_report_is_inert(text: str) -> None:
    rendered = render_markdown(hostile_report(text))
    outside = re.sub(r"^(`{3,})text\n.*?\n\1$", "", rendered, flags=re.DOTALL | re.MULTILINE)
    outside = re.sub(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", "", outside)
    outside = re.sub(r"</?(?:details|summary)>", "", outside)
    assert not re.search(r"[<>`\[\]]|@\w|:(?!&#8203;)\S|(?<!&)#\d", outside)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff]", rendered)
    assert rendered.count("<details>") == rendered.count("</details>") or "details" in text
