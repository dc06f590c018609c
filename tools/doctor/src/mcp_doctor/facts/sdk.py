"""What the majors of the SDKs took away, and which majors a project lets in. Facts: sdk_removals.json."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mcp_doctor.facts.code import SdkUse
from mcp_doctor.facts.requirement import NPM, PYPI, Declared


@dataclass(frozen=True, slots=True)
class Removal:
    """Names that a release of a package took away, and what stands in their place."""

    ecosystem: str
    package: str
    gone_in: str
    instead: str
    names: tuple[str, ...]

    def covers(self, use: SdkUse) -> bool:
        """Tell whether a use is of one of the names, or of something below one."""
        same = (use.ecosystem, use.package) == (self.ecosystem, self.package)
        return same and any(use.name == name or use.name.startswith(f"{name}.") for name in self.names)


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a project's manifests let in of a package; `requirement` is None where none names it."""

    requirement: Declared | None
    implied: str = ""


def removal_of(use: SdkUse) -> Removal | None:
    """Find the removal that took a name away."""
    return next((removal for removal in _removals() if removal.covers(use)), None)


def allowed(package: str, declared: Sequence[Declared]) -> Allowed:
    """Say what the manifests let in of a package; `implied` is what another requirement adds to it."""
    own = next((one for one in declared if one.package == package), None)
    return Allowed(own, _implied(package, declared))


def lets_in(found: Allowed, version: str, package: str) -> bool:
    """Tell whether a version or a later one may be installed: up to the newest that is known here."""
    if found.requirement is not None and found.requirement.ecosystem == NPM:
        return True
    if found.requirement is None and not found.implied:
        return False
    versions = found.requirement.versions if found.requirement is not None else ""
    return _meets(version, ",".join(filter(None, (versions, found.implied))), _facts()["newest"].get(package))


def diverts_stdout(declared: Sequence[Declared]) -> bool:
    """Tell whether a fresh install gives an SDK that keeps prints within calls away from the wire."""
    for package, since in _facts()["diverting"].items():
        found = allowed(package, declared)
        if found.requirement is not None and lets_in(found, since, package):
            return True
    return False


def _implied(package: str, declared: Sequence[Declared]) -> str:
    for rule in _facts()["implied"]:
        other = next((one for one in declared if one.package == rule["package"]), None)
        if rule["means"] != package or other is None:
            continue
        newest = _facts()["newest"][rule["package"]]
        reaches = _meets(rule.get("below") or rule["from"], other.versions, newest)
        if ("below" in rule) != reaches:
            return str(rule["versions"])
    return ""


def _meets(version: str, specifier: str, newest: str | None) -> bool:
    """Tell whether a specifier allows a version from `version` up to `newest`."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # noqa: PLC0415 - few runs need it
    from packaging.version import Version  # noqa: PLC0415

    try:
        wanted = SpecifierSet(specifier)
    except InvalidSpecifier:
        return False
    first, last = Version(version), Version(newest or version)
    named = [
        Version(one.version.removesuffix(".*")) for one in wanted if one.operator in ("==", "===", "~=", ">=")
    ]
    candidates = [first, last, *(one for one in named if first <= one)]
    return any(one >= first and wanted.contains(one, prereleases=True) for one in candidates)


@cache
def _facts() -> dict[str, Any]:
    text = files("mcp_doctor.facts").joinpath("sdk_removals.json").read_text("utf-8")
    facts: dict[str, Any] = json.loads(text)
    return facts


@cache
def _removals() -> tuple[Removal, ...]:
    return tuple(
        Removal(one["ecosystem"], one["package"], one["gone_in"], one["instead"], tuple(one["names"]))
        for one in _facts()["removals"]
    )


def ecosystems() -> frozenset[str]:
    """Name the package managers that facts are known of."""
    return frozenset({PYPI, NPM})
