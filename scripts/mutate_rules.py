"""Change each condition of the rules, one at a time, and see a test turn red; `--help` says how.

The checkout is not touched: each mutant lies in a copy of its package. Survivors are shown, and make the exit
code 1 unless `scripts/mutants.toml` lists them with a reason.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.mutation.cli import main

if __name__ == "__main__":
    sys.exit(main())
