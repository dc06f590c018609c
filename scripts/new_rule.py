"""Make the files of a new rule: `python scripts/new_rule.py TOOL SLUG`; `--help` says more.

Module, page, cases, test and the place in the registry are made; what an author has to write is marked, and
the tests fail until it is written.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.rulebook.new_rule import main

if __name__ == "__main__":
    sys.exit(main())
