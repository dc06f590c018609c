"""Whether a command starts Python with an output that is flushed only when full or at the end."""

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

_PYTHON = re.compile(r"python(\d+(\.\d+)?)?(\.exe)?|py(\.exe)?", re.IGNORECASE)
_HEAD_BYTES = 1_024
"""Bytes of a script in which its interpreter is named."""
_THROUGH_SHELL = re.compile(r"""'''exec' "?([^"\n]{1,500}?)"? "\$0" "\$@"$""", re.MULTILINE)
"""How an installer names an interpreter whose path is too long, or has a space, for the first line."""


def buffers_output(argv: Sequence[str], env: Mapping[str, str]) -> bool:
    """Tell whether `argv` is a Python without `-u` in an environment without PYTHONUNBUFFERED.

    A script whose first line names Python, such as those that installers make of entry points, is one too.
    """
    if not argv or env.get("PYTHONUNBUFFERED"):
        return False
    words = argv if _is_python(argv[0]) else _interpreter_of(argv[0], env)
    if not words or not _is_python(words[0]):
        return False
    for word in words[1:]:
        if not word.startswith("-") or word.startswith("--"):
            return True
        if "u" in re.split("[cmWX]", word, maxsplit=1)[0]:
            return False
        if word[-1] in "cm":
            return True
    return True


def _is_python(word: str) -> bool:
    return _PYTHON.fullmatch(PurePath(word).name) is not None


def _interpreter_of(command: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """Read the interpreter and its options from the head of a script; nothing where there is none."""
    found = shutil.which(command, path=env.get("PATH"))
    if found is None:
        return ()
    try:
        with Path(found).open("rb") as script:
            head = script.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ()
    if not head.startswith("#!"):
        return ()
    words = head[2:].partition("\n")[0].split()
    if words and PurePath(words[0]).name == "env":
        words = [word for word in words[1:] if word != "-S" and "=" not in word]
    if (through := _THROUGH_SHELL.search(head)) is not None:
        words = [through[1]]
    return tuple(words)
