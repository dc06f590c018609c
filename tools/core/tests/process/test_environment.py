"""A launched process sees the variables that it needs, and those that it was promised."""

import sys

import pytest

from mcp_check_core.process.environment import (
    MissingVariable,
    minimal_environment,
    own_environment,
    own_python,
)

PARENT = {"HOME": "/home/me", "PATH": "/bin", "USER": "me", "API_KEY": "canary", "PYTHONPATH": "/evil"}


def test_only_what_clients_pass_on() -> None:
    assert minimal_environment(PARENT) == {"HOME": "/home/me", "PATH": "/bin", "USER": "me"}


def test_passed_by_name() -> None:
    assert minimal_environment(PARENT, passed=["API_KEY"])["API_KEY"] == "canary"


def test_explicit_value_wins() -> None:
    environment = minimal_environment(PARENT, {"API_KEY": "mine", "PATH": ""}, ["API_KEY"])
    assert (environment["API_KEY"], environment["PATH"]) == ("mine", "")


def test_passed_but_not_set() -> None:
    with pytest.raises(MissingVariable, match="'ABSENT' is not set") as caught:
        minimal_environment(PARENT, passed=["ABSENT"])
    assert caught.value.name == "ABSENT"


def test_shell_function_is_not_inherited() -> None:
    assert "TERM" not in minimal_environment({"TERM": "() { :; }"})


def test_windows_needs_other_variables() -> None:
    parent = {"SYSTEMROOT": "C:\\Windows", "PATHEXT": ".EXE", "HOME": "no", "SECRET": "no"}
    assert minimal_environment(parent, platform="win32") == {"SYSTEMROOT": "C:\\Windows", "PATHEXT": ".EXE"}


def test_own_interpreter_keeps_the_folder_off_its_path() -> None:
    assert own_python("mcp_fuzz", "--json") == (sys.executable, "-P", "-m", "mcp_fuzz", "--json")


def test_own_environment_has_nothing_that_turns_python_elsewhere() -> None:
    assert own_environment(PARENT) == {name: value for name, value in PARENT.items() if name != "PYTHONPATH"}
