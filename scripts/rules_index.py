"""Write what is made from the registries again: index in docs, declarations and schemas of the tools.

`python scripts/rules_index.py` writes; `--check` only says what is stale, and then exits with code 1.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.rulebook.homes import ROOT
from scripts.rulebook.index import made_files


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check each file; the exit code is 1 where a check found one stale."""
    parser = argparse.ArgumentParser(prog="rules_index.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, say what is stale")
    check = parser.parse_args(argv).check
    stale = {name: text for name, text in made_files(ROOT).items() if _held(ROOT / name) != text}
    for name, text in stale.items():
        if not check:
            (ROOT / name).parent.mkdir(exist_ok=True)
            (ROOT / name).write_text(text, "utf-8", newline="\n")
        print(f"{'stale' if check else 'written'}: {name.as_posix()}")
    return int(check and bool(stale))


def _held(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
