"""Prints every measurement with its bound, and exits 1 where one is over it."""

import sys

from benchmarks import help_cost, memory_server


def main() -> int:
    """Measure, print one line for each, and return 0 where all are within their bounds."""
    over = False
    for measure in (help_cost.measure, memory_server.measure):
        for result in measure():
            sys.stdout.write(f"{result}\n")
            sys.stdout.flush()
            over |= not result.holds
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
