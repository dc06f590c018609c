"""Prints every measurement with its bound, and exits 1 where one is over it."""

import sys

from benchmarks.help_cost import measure


def main() -> int:
    """Measure, print one line for each, and return 0 where all are within their bounds."""
    results = list(measure())
    for result in results:
        sys.stdout.write(f"{result}\n")
    return int(any(not result.holds for result in results))


if __name__ == "__main__":
    sys.exit(main())
