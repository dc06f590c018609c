"""Parameters that a docstring describes: Google, NumPy and reST forms, and plain lists of names."""

import re
from collections.abc import Iterator
from inspect import cleandoc

_HEADINGS = re.compile(
    r"^(?:args|arguments|parameters|params|keyword args|keyword arguments|other parameters|inputs?)\s*:?\s*$",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"^\s*(?:[-*•]\s+)?[`*]{0,2}(\*{0,2}[A-Za-z_][\w.]*)[`*]{0,2}\s*(?:\([^\n]{0,200}?\))?\s*(?::|\s[-–—]\s)\s*(.*)$"
)
_NUMPY_ENTRY = re.compile(r"^([A-Za-z_*][\w*]*(?:\s*,\s*[A-Za-z_*][\w*]*)*)\s*(?::\s*[^\n]{0,200})?$")
_REST = re.compile(
    r":(?:param|parameter|arg|argument|key|keyword)\s+(?:[^\s:]{1,60}\s+)?\*{0,2}(\w+)\s*:\s*([^\n]*)"
)
_AT = re.compile(r"@param\s+(?:\{[^}\n]{0,200}\}\s+)?\[?(\w+)[^\n]*?[\s-]([^\n]*)")
_UNDERLINE = re.compile(r"^\s*-{3,}\s*$")


def described_parameters(docstring: str) -> dict[str, str]:
    """Map the names of parameters to what the docstring says of them, where it says anything."""
    lines = cleandoc(docstring).splitlines()
    found: dict[str, str] = {}
    for name, said in (*_sections(lines), *_fields(docstring), *_listed(lines)):
        if said.strip() and name not in found:
            found[name] = said.strip()
    return found


def _fields(docstring: str) -> Iterator[tuple[str, str]]:
    for pattern in (_REST, _AT):
        for match in pattern.finditer(docstring):
            rest = docstring[match.end() :].lstrip("\n").split("\n", 1)[0] if not match[2].strip() else ""
            yield match[1], match[2].strip() or rest


def _sections(lines: list[str]) -> Iterator[tuple[str, str]]:
    number = 0
    while number < len(lines):
        heading = _HEADINGS.match(lines[number].strip().strip("#*= ").rstrip(":") + ":") is not None
        if not heading:
            number += 1
            continue
        underlined = number + 1 < len(lines) and _UNDERLINE.match(lines[number + 1]) is not None
        start = number + 2 if underlined else number + 1
        end = _end(lines, start, _indent(lines[number]), underlined=underlined)
        yield from _numpy(lines[start:end]) if underlined else _google(lines[start:end])
        number = max(end, number + 1)


def _end(lines: list[str], start: int, heading_indent: int, *, underlined: bool) -> int:
    """Find where a section ends: at the next heading, or for Google where the indentation falls back."""
    for number in range(start, len(lines)):
        line = lines[number]
        if not line.strip():
            continue
        if underlined and number + 1 < len(lines) and _UNDERLINE.match(lines[number + 1]):
            return number
        entry = _ENTRY.match(line)
        if not underlined and _indent(line) <= heading_indent and not (entry and entry[2].strip()):
            return number
    return len(lines)


def _google(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Read entries `name (type): text`, whose text may begin on the next line."""
    outer = min((_indent(line) for line in lines if line.strip()), default=0)
    for number, line in enumerate(lines):
        match = _ENTRY.match(line) if _indent(line) <= outer else None
        if match is not None:
            more = (
                lines[number + 1].strip()
                if number + 1 < len(lines) and _indent(lines[number + 1]) > outer
                else ""
            )
            yield match[1].lstrip("*"), match[2].strip() or more


def _numpy(lines: list[str]) -> Iterator[tuple[str, str]]:
    outer = min((_indent(line) for line in lines if line.strip()), default=0)
    for number, line in enumerate(lines):
        match = _NUMPY_ENTRY.match(line.strip()) if line.strip() and _indent(line) <= outer else None
        if match is not None:
            more = next((one.strip() for one in lines[number + 1 : number + 3] if one.strip()), "")
            for name in match[1].split(","):
                yield name.strip().lstrip("*"), more


def _listed(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Read lists of `- name: text` outside of a section."""
    for line in lines:
        stripped = line.strip()
        match = _ENTRY.match(stripped) if stripped[:1] in "-*•" else None
        if match is not None:
            yield match[1].lstrip("*"), match[2]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
