"""Install the servers of a corpus, capture their definitions, run a tool over them; `--help` says how."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.fieldwork.cli import main

if __name__ == "__main__":
    sys.exit(main())
