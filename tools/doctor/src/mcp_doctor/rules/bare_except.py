"""Rule bare-except: a handler that also catches what asks the process to end."""

from collections import Counter
from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Certainty, Severity
from mcp_doctor.facts.source import ServerSource
from mcp_doctor.rules.judgement import (
    REPOSITORY,
    DoctorRule,
    Found,
    Judged,
    Judgement,
    declare,
    not_applicable,
)

RULE = declare(
    "bare-except",
    "An except without a type also catches what asks the process to end",
    Severity.ERROR,
    Category.RELIABILITY,
    references=("Python documentation: BaseException, SystemExit, asyncio.CancelledError",),
)


def judge(source: ServerSource) -> Iterator[Judgement]:
    """Judge all handlers of the server's own Python source."""
    if not any(facts.language == "python" for facts in source.languages):
        yield not_applicable("there is no Python source")
        return
    seen: Counter[str] = Counter()
    for catch in source.catches:
        where = f"{catch.place.file}:{catch.function}"
        seen[where] += 1
        finding = RULE.finding(
            f"“{catch.what}” also catches SystemExit, KeyboardInterrupt and cancellation, and goes on.",
            location=catch.place.location(tool=catch.tool),
            key=f"{where}:{seen[where]}",
            hint="Name what is expected, or write `except Exception:`.",
            certainty=Certainty.PROVEN,
        )
        yield Found(finding, (catch.tool or REPOSITORY,))
    names = tuple(dict.fromkeys(tool.name for tool in source.tools if tool.language == "python"))
    yield Judged((*names, REPOSITORY), len(names) + 1)


DECLARED = DoctorRule(RULE, judge)
