"""What error texts show, on the messages of the SDKs and frameworks in use."""

import pytest

from mcp_fuzz.facts.signs import Sign, read_sign

VALIDATION = [
    "Error executing tool add: 1 validation error for addArguments\na\n  Field required [type=missing]",
    "Input validation error: 'a' is a required property",
    "Input validation error: '5' is not of type 'integer'",
    "1 validation error for call[add]\na\n  Missing required argument [type=missing_argument]",
    "1 validation error for call[add]\nz\n  Unexpected keyword argument [type=unexpected_keyword_argument]",
    "MCP error -32602: Input validation error: Invalid arguments for tool get-sum: Invalid input: ...",
    "Invalid input: expected number, received undefined at a",
    '[{"code": "invalid_type", "expected": "string", "received": "undefined", "path": ["name"]}]',
    "data must have required property 'name'",
    "data/age must be integer",
    "json: cannot unmarshal string into Go struct field args.count of type int",
    "failed to deserialize parameters: missing field `name`",
    'invalid type: string "x", expected i32',
    "The JSON value could not be converted to System.Int32. Path: $.count",
    "Cannot deserialize value of type `int` from String",
    "missing required argument: name",
    "argument name must be of type string",
    "Missing required parameter: query",
    "Invalid params",
]
TRACES = [
    "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in call\nKeyError: 'id'",
    "TypeError: Cannot read properties of undefined (reading 'toLowerCase')",
    "Cannot read property 'length' of null",
    "args.query.trim is not a function",
    "ReferenceError: client is not defined",
    "'NoneType' object has no attribute 'lower'",
    "'int' object is not subscriptable",
    "unsupported operand type(s) for +: 'int' and 'str'",
    'can only concatenate str (not "int") to str',
    "Error: boom\n    at Object.run (/srv/index.js:10:5)\n    at process.main (node:internal:1:2)",
    "java.lang.NullPointerException: Cannot invoke",
    "runtime error: invalid memory address or nil pointer dereference",
    "thread 'main' panicked at src/main.rs:3:5",
    "Object reference not set to an instance of an object.",
]
HIDDEN = [
    "Error executing tool boom",
    "Error calling tool 'boom'",
    "An error occurred invoking 'boom'.",
    "Internal server error",
    "An unexpected error occurred.",
    "Something went wrong",
]
HONEST = [
    "Error executing tool terr: friendly",
    "Error calling tool 'boom': secret-detail q",
    "There is no bookmark 7.",
    "Entity with name garden not found",
    "Error executing tool boom: secret-detail q",
    "File not found: sample",
    "the query must not be empty",
    "",
]


@pytest.mark.parametrize("text", VALIDATION)
def test_validation_messages(text: str) -> None:
    assert read_sign(text) is Sign.VALIDATION


@pytest.mark.parametrize("text", TRACES)
def test_unhandled_exceptions(text: str) -> None:
    assert read_sign(text) is Sign.TRACE


@pytest.mark.parametrize("text", HIDDEN)
def test_errors_without_words(text: str) -> None:
    assert read_sign(text) is Sign.HIDDEN


@pytest.mark.parametrize("text", HONEST)
def test_honest_errors_show_nothing(text: str) -> None:
    assert read_sign(text) is None


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("fetch failed", Sign.NETWORK),
        ("connect ECONNREFUSED 127.0.0.1:443", Sign.NETWORK),
        ("Traceback (most recent call last):\n  ...\nConnectionError: Max retries exceeded", Sign.NETWORK),
        ("[Errno -3] Temporary failure in name resolution", Sign.NETWORK),
        ("401 Unauthorized", Sign.CREDENTIAL),
        ("GITHUB_TOKEN is not set", Sign.CREDENTIAL),
        ("No API key provided", Sign.CREDENTIAL),
        ("Rate limit exceeded, retry later", Sign.RATE_LIMIT),
    ],
)
def test_the_environment_is_named(text: str, sign: Sign) -> None:
    assert read_sign(text) is sign


def test_a_lower_case_name_that_must_be_set_is_no_credential() -> None:
    assert read_sign("name must be set") is None


@pytest.mark.parametrize("piece", ["at ", "'a", "argument ", "error executing tool ", "[", "a" * 50, "\n "])
def test_reading_a_megabyte_takes_no_time(piece: str) -> None:
    import time

    began = time.process_time()
    read_sign(piece * (1_000_000 // len(piece)))
    assert time.process_time() - began < 1.0
