"""What error texts show, on the messages of the SDKs and frameworks in use."""

import pytest

from mcp_fuzz.facts.signs import Sign, read_sign, refuses

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
STACKS = [
    "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in call\nKeyError: 'id'",
    "Traceback (most recent call last):\n  ...\nConnectionError: Max retries exceeded",
    "fetch failed\n    at Object.send (/srv/dist/index.js:10:5)\n    at process.main (node:internal:1:2)",
    "Error: boom\n    at Object.run (/srv/index.js:10:5)\n    at process.main (node:internal:1:2)",
    "thread 'main' panicked at src/main.rs:3:5",
]
EXCEPTIONS = [
    "TypeError: Cannot read properties of undefined (reading 'toLowerCase')",
    "Cannot read property 'length' of null",
    "args.query.trim is not a function",
    "ReferenceError: client is not defined",
    "'NoneType' object has no attribute 'lower'",
    "'int' object is not subscriptable",
    "unsupported operand type(s) for +: 'int' and 'str'",
    'can only concatenate str (not "int") to str',
    "java.lang.NullPointerException: Cannot invoke",
    "runtime error: invalid memory address or nil pointer dereference",
    "Object reference not set to an instance of an object.",
    "division by zero",
]
HIDDEN = [
    "Error executing tool boom",
    "Error calling tool 'boom'",
    "An error occurred invoking 'boom'.",
    "Internal server error",
    "An unexpected error occurred.",
    "Something went wrong",
    "Error processing forum query: ",
    "Error executing tool boom:",
    "Failed to fetch posts: None",
]
HONEST = [
    "Error executing tool terr: friendly",
    "Error calling tool 'boom': secret-detail q",
    "There is no bookmark 7.",
    "Entity with name garden not found",
    "Error executing tool boom: secret-detail q",
    "File not found: sample",
    "the query must not be empty",
    "Error: please give one of:",
    "Failed to find any of the following files:",
    "Error processing forum query: there is no such forum",
    "",
]
WORDS = [
    "Invalid arguments for web search",
    "Invalid URL",
    'URL Format Error: Invalid URL "garden"',
    "Either branch or number must be provided",
    "MCP error -32603: There is no bookmark 7.",
    'Invalid option: expected one of "asc"|"desc"',
]
NO_WORDS = [
    "",
    "boom",
    "no database",
    "'city'",
    "'the long key'",
    "Internal server error",
    "Internal error: please try again later",
    'MCP error -32603: MCP error -32603: An unexpected error occurred during "Failed to make a palette".',
    "Request failed",
    "Tool call failed",
    "cannot operate on a closed session",
    "database is locked",
]


@pytest.mark.parametrize("text", VALIDATION)
def test_validation_messages(text: str) -> None:
    assert read_sign(text) is Sign.VALIDATION


@pytest.mark.parametrize("text", STACKS)
def test_a_printed_stack_whatever_caused_it(text: str) -> None:
    assert read_sign(text) is Sign.STACK


@pytest.mark.parametrize("text", EXCEPTIONS)
def test_the_words_of_unhandled_exceptions(text: str) -> None:
    assert read_sign(text) is Sign.EXCEPTION


def test_a_text_that_names_what_was_sent_refuses() -> None:
    assert refuses("this is a stray garden", values=["garden"])
    assert refuses("wrong parameter colour", names=["colour"])
    assert not refuses("this is a stray garden")


@pytest.mark.parametrize("text", WORDS)
def test_words_that_refuse(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", NO_WORDS)
def test_words_that_refuse_nothing(text: str) -> None:
    assert not refuses(text)


@pytest.mark.parametrize("text", HIDDEN)
def test_errors_without_words(text: str) -> None:
    assert read_sign(text) is Sign.HIDDEN


@pytest.mark.parametrize("text", HONEST)
def test_honest_errors_show_nothing(text: str) -> None:
    assert read_sign(text) is None


@pytest.mark.parametrize(
    "piece", ["at ", "'a", "argument ", "error executing tool ", "[", "a" * 50, "\n ", "error "]
)
def test_reading_a_megabyte_takes_no_time(piece: str) -> None:
    import time

    began = time.process_time()
    read_sign(piece * (1_000_000 // len(piece)))
    refuses(piece * (1_000_000 // len(piece)))
    assert time.process_time() - began < 1.0
