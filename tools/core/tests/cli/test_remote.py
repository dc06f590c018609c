import importlib.util
import os

import pytest

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.frame import Invocation
from mcp_check_core.cli.options import LimitOptions, TargetOptions
from mcp_check_core.cli.remote import HttpServer
from mcp_check_core.cli.server import Server, read_any_server, read_limits, read_server
from mcp_check_core.model.report import TargetKind
from mcp_check_core.wire.versions import AUTO

SECRET = "hunter2-hunter2"
KNOWN = "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"
ENVIRON = {"PATH": os.environ["PATH"], "TOKEN": f"Bearer {SECRET}", "BLANK": ""}
URL = "https://host.example/mcp"


def read(
    url: str = URL,
    *,
    header: tuple[str, ...] = (),
    header_env: tuple[str, ...] = (),
    protocol: str = "auto",
    every_era: bool = False,
) -> HttpServer:
    options = TargetOptions(url=url, header=list(header), header_env=list(header_env), protocol=protocol)
    found = read_any_server(Invocation("toy"), options, ENVIRON, every_era=every_era)
    assert isinstance(found, HttpServer)
    return found


def test_headers_are_written_in_either_way_and_values_may_hold_both_signs() -> None:
    found = read(header=("X-One=a:b", "X-Two: c=d", "X-Three:e"), header_env=("Authorization=TOKEN",))
    assert found.target.headers == {
        "X-One": "a:b",
        "X-Two": "c=d",
        "X-Three": "e",
        "Authorization": f"Bearer {SECRET}",
    }
    assert found.described.kind is TargetKind.HTTP
    assert found.described.url == URL


def test_no_secret_is_in_what_a_report_says_of_the_target() -> None:
    url = "https://user:pass-of-the-url@host.example/mcp?key=key-of-the-query#part"
    found = read(url, header=("X-Key=key-of-the-header",), header_env=("Authorization=TOKEN",))
    assert found.target.url == url.removesuffix("#part")
    said = (
        f"you sent Bearer {SECRET}, that is {SECRET}, key-of-the-header, pass-of-the-url and key-of-the-query"
    )
    shown = repr(found.described) + found.redactor.text(said)
    for secret in (SECRET, "key-of-the-header", "pass-of-the-url", "key-of-the-query"):
        assert secret not in shown
    assert found.described.url is not None
    assert found.described.url.startswith("https://***@host.example/mcp?key=")


@pytest.mark.parametrize("host", ["localhost:1", "LOCALHOST", "127.0.0.1:8000", "127.9.9.9", "[::1]:8000"])
def test_a_credential_may_go_to_the_loopback_over_plain_http(host: str) -> None:
    assert read(f"http://{host}/mcp", header_env=("X=TOKEN",)).target.headers == {"X": f"Bearer {SECRET}"}


@pytest.mark.parametrize("host", ["host.example", "10.0.0.1", "localhost.example", "0.0.0.0", "[::2]"])
def test_a_credential_of_the_environment_goes_nowhere_else_over_plain_http(host: str) -> None:
    with pytest.raises(CommandError, match="not sent over plain http"):
        read(f"http://{host}/mcp", header_env=("X=TOKEN",))
    assert read(f"http://{host}/mcp", header=("X=1",)).target.headers == {"X": "1"}


@pytest.mark.parametrize(
    "url",
    [
        "host.example/mcp",
        "ftp://host/x",
        "http://",
        "http://[",
        "http://h:0/",
        "http://h:99999/",
        "http://a b/",
    ],
)
def test_what_is_no_url_to_check(url: str) -> None:
    with pytest.raises(CommandError) as caught:
        read(url)
    assert str(caught.value) == "--url: write a whole URL, as in https://host.example/mcp"


@pytest.mark.parametrize(
    ("header", "header_env", "message"),
    [
        (("X",), (), "--header: item 1 is not NAME=VALUE with a name of a header"),
        (("a b=1",), (), "--header: item 1 is not NAME=VALUE with a name of a header"),
        (("=1",), (), "--header: item 1 is not NAME=VALUE with a name of a header"),
        (("X=1", "x: 2"), (), "the header x is given twice"),
        (("X=1",), ("x=TOKEN",), "the header x is given twice"),
        (("X=",), (), "the value of the header X is empty or holds more than plain ASCII"),
        (("X=a\r\nY: b",), (), "the value of the header X is empty or holds more than plain ASCII"),
        (("X=é",), (), "the value of the header X is empty or holds more than plain ASCII"),
        (("Mcp-Session-Id=1",), (), "--header: Mcp-Session-Id is set by the protocol itself"),
        (("mcp-param-x=1",), (), "--header: mcp-param-x is set by the protocol itself"),
        ((), ("X=NONE",), "--header-env: the variable 'NONE' is not set"),
        ((), ("X=BLANK",), "the value of the header X is empty or holds more than plain ASCII"),
        ((), ("HOST=TOKEN",), "--header-env: HOST is set by the protocol itself"),
    ],
)
def test_headers_that_cannot_be_sent(
    header: tuple[str, ...], header_env: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError) as caught:
        read(header=header, header_env=header_env)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("options", "command", "message"),
    [
        (TargetOptions(url=URL), ("python",), "give the server's command after -- or --url, not both"),
        (
            TargetOptions(header=["X=1"]),
            ("python",),
            "--header is for a server behind a URL; there is no --url",
        ),
        (
            TargetOptions(header_env=["X=TOKEN"]),
            ("python",),
            "--header-env is for a server behind a URL; there is no --url",
        ),
        (
            TargetOptions(url=URL, pass_env=["TOKEN"]),
            None,
            "--pass-env is about a server that we start; with --url there is none",
        ),
        (
            TargetOptions(url=URL, env=["A=1"]),
            None,
            "--env is about a server that we start; with --url there is none",
        ),
        (
            TargetOptions(),
            None,
            "no server given; write its command after --, as in: toy -- python server.py",
        ),
        (
            TargetOptions(protocol="2020-01-01"),
            ("python",),
            f"--protocol: '2020-01-01' is not auto, all or one of {KNOWN}",
        ),
        (
            TargetOptions(protocol="all"),
            ("python",),
            "--protocol: this command checks one era at a time; name a version, or auto",
        ),
    ],
)
def test_what_does_not_go_together(
    options: TargetOptions, command: tuple[str, ...] | None, message: str
) -> None:
    with pytest.raises(CommandError) as caught:
        read_any_server(Invocation("toy", command), options, ENVIRON, must_exist=False)
    assert str(caught.value) == message


def test_the_version_to_speak_is_part_of_either_target() -> None:
    assert read(protocol="2026-07-28").target.protocol == "2026-07-28"
    assert read(protocol="all", every_era=True).target.protocol == "all"
    options = TargetOptions(protocol="2025-06-18")
    found = read_any_server(Invocation("toy", ("python",)), options, ENVIRON, must_exist=False)
    assert isinstance(found, Server)
    assert found.target.protocol == "2025-06-18"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            TargetOptions(url=URL),
            "--url: this version checks servers over stdio alone; give the command after --",
        ),
        (
            TargetOptions(protocol="2025-06-18"),
            "--protocol: toy does not choose a version yet; leave it out",
        ),
    ],
)
def test_a_command_that_knows_stdio_alone_says_so(options: TargetOptions, message: str) -> None:
    command = None if options.url else ("python",)
    with pytest.raises(CommandError) as caught:
        read_server(Invocation("toy", command), options, ENVIRON, must_exist=False)
    assert str(caught.value) == message


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(CommandError, match="install mcp-check-core with its extra http"):
        read()


def test_the_time_of_a_probe_has_its_option() -> None:
    assert read_limits(LimitOptions(probe_timeout="3s")).wire.probe_s == 3.0
    assert read_limits(LimitOptions()).wire.probe_s == 10.0
    assert TargetOptions().protocol == AUTO
