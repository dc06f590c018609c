"""What a fault costs in tokens of a session. All of these are rough guesses, kept in one place.

They are set by what an agent does about the fault: it reads more, asks again, calls the wrong tool.
"""

HALVING_TOOL = 5_000
"""Wasted tokens that halve the score of a tool."""
HALVING_SERVER = 10_000
FREE_DEFINITION = 300
"""Tokens of a definition that cost nothing."""
DEFINITION_WEIGHT = 2
"""A definition is read with every request, hence it counts twice."""
USES_A_SESSION = 3

FINDING_COSTS: dict[tuple[str, str | None], int] = {
    ("lint/S1", "missing"): 2_000,
    ("lint/S1", "short"): 500,
    ("lint/S2", None): 300,
    ("lint/S3", "untyped"): 300,
    ("lint/S3", "undescribed"): 100,
    ("lint/S4", None): 500,
    ("lint/S7", None): 2_000,
}
"""By rule and kind. A rule that is not here is not part of the score."""
ONCE_A_PARAMETER = frozenset({("lint/S2", None), ("lint/S3", "untyped")})
"""Of these, one parameter is charged for one alone."""
ONCE_A_TOOL = frozenset({("lint/S4", None)})
"""Of these, a tool is charged for one; each of the tools that the finding names is."""
