"""Whether a command starts Python with an output that is flushed only when full or at the end."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

_PYTHON = re.compile(r"python(\d+(\.\d+)?)?(\.exe)?|py(\.exe)?", re.IGNORECASE)


def buffers_output(argv: Sequence[str], env: Mapping[str, str]) -> bool:
    """Tell whether `argv` is a Python without `-u` in an environment without PYTHONUNBUFFERED."""
    if not argv or _PYTHON.fullmatch(PurePath(argv[0]).name) is None or env.get("PYTHONUNBUFFERED"):
        return False
    for word in argv[1:]:
        if not word.startswith("-") or word.startswith("--"):
            return True
        if "u" in re.split("[cmWX]", word, maxsplit=1)[0]:
            return False
        if word[-1] in "cm":
            return True
    return True
