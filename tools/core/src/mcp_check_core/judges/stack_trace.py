"""Stack traces of the languages that servers are written in, found in the beginning of a text."""

import re

_WINDOW = 2_000
"""Characters of a text that are looked at."""
_START = 600
"""A trace that starts later is quoted by a longer text."""
_EXAMPLE = re.compile(r"```|^[ \t]*>>> ", re.MULTILINE)
_PYTHON = r"Traceback \(most recent call last\):[ \t]*\n[ \t]*File \""
_NODE = (
    r"(?:async |new )?[\w$.<>\[\] ]{0,120}\(?(?:file://|node:|/|[A-Za-z]:\\|webpack)[^\n()]{1,300}:\d{1,6}"
)
_JAVA_FILE = r"(?:[\w$]{1,80}\.(?:java|kt|scala|groovy)(?::\d{1,6})?|Native Method|Unknown Source)"
_TRACES = tuple(
    re.compile(expression)
    for expression in (
        rf"(?:^|\n)(?:[^\s\n][^\n]{{0,80}})?{_PYTHON}",
        rf"\n[ \t]{{1,8}}at {_NODE}",
        rf"\n[ \t]{{1,8}}at [\w$]{{1,60}}(?:[./][\w$<>]{{1,80}}){{1,12}}\({_JAVA_FILE}\)",
        r"\n[ \t]{1,8}at [\w.`<>]{1,200}\([^\n()]{0,200}\) in [^\n]{1,300}:line \d{1,6}",
        r"\ngoroutine \d{1,9} \[[a-z ,0-9]{1,40}\]:\n",
        r"(?:^|\n)thread '[^'\n]{1,80}' (?:\(\d{1,9}\) )?panicked at ",
        r"(?:^|\n)#0 [^\n(]{1,200}\(\d{1,6}\): [^\n]{1,200}",
        r"\n[ \t]{0,8}from /[^\n:]{1,300}:\d{1,6}:in [`'][^\n]{1,80}'",
    )
)


def stack_trace_at(text: str) -> int | None:
    """Give the offset of the first stack trace that starts within the beginning, or None.

    One behind a fence or a prompt is an example in a document.
    """
    head = text[:_WINDOW].replace("\r\n", "\n")
    starts = [found.start() for trace in _TRACES if (found := trace.search(head))]
    if not starts or min(starts) > _START or _EXAMPLE.search(head, 0, min(starts)):
        return None
    return min(starts)
