"""Reports of every shape, generated."""

from dataclasses import replace

from hypothesis import strategies as st

from mcp_check_core.model.finding import Certainty, Finding, Location, Severity
from mcp_check_core.model.report import ErrorKind, LimitHit, Report, RunError, Suppressed
from tools.core.tests.report.builders import CRASH, HANG, RULES, STYLE, collector, finished

names = st.none() | st.text(max_size=12)
locations = st.builds(
    Location,
    tool=names,
    parameter=names,
    pointer=names,
    file=names,
    line=st.none() | st.integers(-2, 10**6),
    column=st.none() | st.integers(-2, 500),
    end_line=st.none() | st.integers(-2, 10**6),
    end_column=st.none() | st.integers(-2, 500),
)


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    """A finding of any of the rules, at any place."""
    return draw(st.sampled_from(RULES)).finding(
        draw(st.text(min_size=1, max_size=40)),
        severity=draw(st.sampled_from(Severity)),
        location=draw(locations),
        key=draw(st.text(max_size=4)),
        hint=draw(names),
        evidence=draw(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=8)),
        reproduce=draw(names),
        certainty=draw(st.sampled_from(Certainty)),
    )


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A finished report: any findings, held back or not, any outcomes, limits and errors."""
    run = collector()
    found = draw(st.lists(findings(), max_size=40))
    held = {one.fingerprint for one in found if draw(st.integers(0, 4)) == 0}
    for finding in found:
        if finding.fingerprint not in held:
            run.found(finding)
    for rule in (CRASH, HANG, STYLE):
        end = draw(st.sampled_from((run.not_applicable, run.not_run, run.could_not_tell, None)))
        if end is None:
            run.answered(rule.id)
        else:
            end(rule.id, "why")
    for number in range(draw(st.integers(0, 3))):
        run.limit(LimitHit("tools", number, "here"))
    if draw(st.booleans()):
        run.error(RunError(ErrorKind.UNREACHABLE, draw(st.text(min_size=1, max_size=20))))
    unique = {one.fingerprint: one for one in found if one.fingerprint in held}
    suppressed = tuple(Suppressed(one, draw(st.text(min_size=1, max_size=10))) for one in unique.values())
    return replace(finished(run), suppressed=suppressed)
