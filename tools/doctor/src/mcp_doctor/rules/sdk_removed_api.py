"""Rule sdk-removed-api: names that a release of the SDK which the project lets in no longer has."""

from collections import defaultdict
from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Certainty, Severity
from mcp_doctor.facts.code import SdkUse
from mcp_doctor.facts.requirement import NPM
from mcp_doctor.facts.sdk import Allowed, Removal, allowed, lets_in, removal_of
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
    "sdk-removed-api",
    "A fresh install gets a release of the SDK without a name that the source uses",
    Severity.ERROR,
    Category.RELIABILITY,
    references=("Facts of the package: facts/sdk_removals.json",),
)
_SHOWN = 10


def judge(source: ServerSource) -> Iterator[Judgement]:
    """Judge the uses of the SDKs against what the manifests let in."""
    if not source.uses:
        yield not_applicable("the source uses no SDK of which removals are known")
        return
    if not source.declared:
        yield not_applicable("there is no manifest that says which release of the SDK is installed")
        return
    uses: dict[str, list[SdkUse]] = defaultdict(list)
    for use in source.uses:
        if not use.guarded:
            uses[use.name].append(use)
    for name in sorted(uses):
        removal = removal_of(uses[name][0])
        if removal is not None:
            yield from _judged(source, name, uses[name], removal)
    yield Judged((REPOSITORY,), 1)


def _judged(source: ServerSource, name: str, uses: list[SdkUse], removal: Removal) -> Iterator[Found]:
    found = allowed(removal.package, source.declared)
    if not lets_in(found, removal.gone_in, removal.package):
        return
    places = [f"{use.place.file}:{use.place.line}" for use in uses]
    finding = RULE.finding(
        f"{_shown(name)} is gone from {removal.package} {removal.gone_in}, which {_lets(found, removal)}.",
        location=uses[0].place.location(),
        key=name,
        hint=removal.instead,
        evidence={"places": [*places[:_SHOWN]], "uses": len(places)},
        certainty=Certainty.PROVEN,
    )
    yield Found(finding, (REPOSITORY,))


def _shown(name: str) -> str:
    package, _, rest = name.partition(":")
    return f"{rest} of {package}" if rest else name


def _lets(found: Allowed, removal: Removal) -> str:
    requirement = found.requirement
    if requirement is None:
        return "another requirement brings in"
    if removal.ecosystem == NPM:
        return f"{requirement.file} requires"
    return f"“{requirement.package}{requirement.versions}” in {requirement.file} lets in"


DECLARED = DoctorRule(RULE, judge, scored=False, breaks=True)
