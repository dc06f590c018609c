"""Which folders and files are not the server's own source."""

import re
from enum import StrEnum

_TESTS = frozenset(
    {"test", "tests", "__tests__", "__mocks__", "testing", "e2e", "spec", "specs", "fixtures", "testdata"}
)
_EXAMPLES = frozenset(
    {"example", "examples", "samples", "sample", "demo", "demos", "docs", "doc", "benchmarks", "cookbook"}
)
_VENDORED = frozenset(
    {
        "node_modules", "vendor", "vendored", "_vendor", "third_party", "bower_components", "site-packages",
        "venv", "env", "virtualenv",
    }
)  # fmt: skip
_GENERATED = frozenset(
    {"__pycache__", "generated", "__generated__", "coverage", "htmlcov", "storybook-static"}
)
_TEST_FILE = re.compile(
    r"(?:test_.*|.*_test|conftest)\.pyw?|.*[.-](?:test|tests|spec|e2e|stories|bench)\.[cm]?[jt]sx?|(?:setup-)?jest.*\.[cm]?[jt]s"
)
_CONFIGURATION = re.compile(r".*\.config\.[cm]?[jt]s|\..*rc\.[cm]?js|(?:gulp|grunt)file\.[cm]?js")
_DECLARATIONS = re.compile(r".*\.d\.[cm]?ts")
_GENERATED_FILE = re.compile(
    r".*(?:_pb2(?:_grpc)?\.pyi?|\.generated\.[cm]?[jt]s|\.gen\.[cm]?[jt]s|\.min\.[cm]?js)"
)
BUILT = frozenset({"dist", "build", "out", "esm", "cjs", "bundle", "bundles", "umd", "output", ".output"})
"""Folders that hold what a build makes; read only where the sources are not there."""


class Exclusion(StrEnum):
    """Why a file or folder was not read."""

    TESTS = "tests"
    EXAMPLES = "examples or documentation"
    VENDORED = "code of others"
    GENERATED = "generated"
    HIDDEN = "hidden folder"
    IGNORED = "named in .gitignore"
    CONFIGURATION = "configuration of a build"
    DECLARATIONS = "declarations alone"
    OUTSIDE = "a link that leads out of the root"
    LOOP = "a link to a folder"
    TOO_LARGE = "larger than the limit"
    TOO_MANY = "beyond the limit on files or bytes"
    BUILT = "made from sources that are here"
    BINARY = "not text"
    UNREADABLE = "cannot be read"


def folder_exclusion(name: str) -> Exclusion | None:
    """Say why a folder is left out by its name."""
    lower = name.lower()
    for names, why in (
        (_TESTS, Exclusion.TESTS),
        (_EXAMPLES, Exclusion.EXAMPLES),
        (_VENDORED, Exclusion.VENDORED),
        (_GENERATED, Exclusion.GENERATED),
    ):
        if lower in names:
            return why
    if lower.endswith((".egg-info", ".dist-info")) or (name.startswith(".") and lower not in BUILT):
        return Exclusion.HIDDEN
    return None


def file_exclusion(name: str) -> Exclusion | None:
    """Say why a file is left out by its name."""
    for pattern, why in (
        (_TEST_FILE, Exclusion.TESTS),
        (_CONFIGURATION, Exclusion.CONFIGURATION),
        (_DECLARATIONS, Exclusion.DECLARATIONS),
        (_GENERATED_FILE, Exclusion.GENERATED),
    ):
        if pattern.fullmatch(name):
            return why
    return None
