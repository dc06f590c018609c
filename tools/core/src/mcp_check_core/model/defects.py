"""Keys of faults that several rules can see; the orchestrator merges findings by them."""

STDOUT_NOISE = "stdout-noise"
SERVER_DEATH = "server-death"
NO_CONNECTION = "no-connection"
NULL_DEFAULT = "null-default"
ERROR_AS_SUCCESS = "error-as-success"
SCHEMA_INVALID = "schema-invalid"
DESCRIPTION_MISSING = "description-missing"
LEFT_BEHIND = "process-left-behind"
MALFORMED_ANSWER = "malformed-answer"
SLOW_ANSWER = "slow-answer"

DEFECTS = frozenset(
    {
        STDOUT_NOISE,
        SERVER_DEATH,
        NO_CONNECTION,
        NULL_DEFAULT,
        ERROR_AS_SUCCESS,
        SCHEMA_INVALID,
        DESCRIPTION_MISSING,
        LEFT_BEHIND,
        MALFORMED_ANSWER,
        SLOW_ANSWER,
    }
)
