from dataclasses import replace
from pathlib import Path

import pytest

from mcp_check_core.wire.connector import ConnectFailure, Connector, NotConnectedError
from mcp_check_core.wire.eras import find_eras
from mcp_check_core.wire.versions import AUTO, LATEST_HANDSHAKE, LATEST_MODERN, Era, era_of
from tools.core.tests.wire.servers import LIMITS, connector

pytestmark = pytest.mark.anyio

HANDSHAKE_ONLY = """
request = read()
if request["method"] == "initialize":
    answer(request, {"protocolVersion": "2025-06-18", "capabilities": {}})
    until_the_end()
refuse(request, -32601, "Method not found")
until_the_end()
"""
MODERN_ONLY = "modern()"
DUAL = """
request = read()
if request["method"] == "initialize":
    answer(request, {"protocolVersion": "2025-11-25", "capabilities": {}})
    until_the_end()
discovered(request)
modern()
"""
SILENT_TO_INITIALIZE = """
request = read()
if request["method"] == "initialize":
    stay()
discovered(request)
modern()
"""
DIES_OF_INITIALIZE = SILENT_TO_INITIALIZE.replace("stay()", "sys.exit(4)")
NAMES_IT = """
request = read()
if request["method"] == "initialize":
    answer(request, {"protocolVersion": "2026-07-28", "capabilities": {}})
    until_the_end()
discovered(request)
modern()
"""
SHORT = replace(LIMITS, startup_s=1.0, probe_s=1.0)


async def opened(folder: Path, body: str, protocol: str = AUTO) -> tuple[Era, str, int]:
    found = connector(folder, body, SHORT if "stay()" in body else LIMITS)
    found.target = replace(found.target, protocol=protocol)
    async with found.session() as session:
        assert session.connection.transcript.invalid == 0
        return session.era, session.protocol, found.starts


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (HANDSHAKE_ONLY, (Era.HANDSHAKE, "2025-06-18", 1)),
        (DUAL, (Era.HANDSHAKE, "2025-11-25", 1)),
        (MODERN_ONLY, (Era.MODERN, "2026-07-28", 2)),
        (SILENT_TO_INITIALIZE, (Era.MODERN, "2026-07-28", 2)),
        (DIES_OF_INITIALIZE, (Era.MODERN, "2026-07-28", 2)),
        (NAMES_IT, (Era.MODERN, "2026-07-28", 2)),
    ],
)
async def test_auto_is_one_start_in_the_common_case(
    tmp_path: Path, body: str, expected: tuple[Era, str, int]
) -> None:
    assert await opened(tmp_path, body) == expected


@pytest.mark.parametrize(
    ("body", "protocol", "expected"),
    [
        (DUAL, "2026-07-28", (Era.MODERN, "2026-07-28", 1)),
        (DUAL, "2025-11-25", (Era.HANDSHAKE, "2025-11-25", 1)),
        (HANDSHAKE_ONLY, "2025-06-18", (Era.HANDSHAKE, "2025-06-18", 1)),
    ],
)
async def test_a_version_is_pinned(
    tmp_path: Path, body: str, protocol: str, expected: tuple[Era, str, int]
) -> None:
    assert await opened(tmp_path, body, protocol) == expected


async def failing(opener: Connector, version: str | None = None) -> NotConnectedError:
    with pytest.raises(NotConnectedError) as caught:
        async with opener.session(version):
            pytest.fail("there must be no session")
    return caught.value


@pytest.mark.parametrize(
    ("body", "version", "message"),
    [
        (
            HANDSHAKE_ONLY,
            "2025-11-25",
            "it does not speak 2025-11-25: it answered initialize with protocol version 2025-06-18",
        ),
        (
            HANDSHAKE_ONLY,
            LATEST_MODERN,
            "it answered server/discover with error -32601: Method not found",
        ),
        (MODERN_ONLY, LATEST_HANDSHAKE, "it answered initialize with error -32022: modern only"),
    ],
)
async def test_a_pinned_version_has_no_second_choice(
    tmp_path: Path, body: str, version: str, message: str
) -> None:
    found = connector(tmp_path, body)
    problem = await failing(found, version)
    assert (problem.message, found.starts) == (message, 1)


async def test_a_malformed_answer_to_initialize_does_not_ask_for_another_era(tmp_path: Path) -> None:
    found = connector(tmp_path, "answer(read(), {'protocolVersion': 5}); until_the_end()")
    problem = await failing(found)
    assert (problem.failure, found.starts) == (ConnectFailure.UNUSABLE, 1)
    assert "discover" not in problem.evidence


@pytest.mark.parametrize(
    ("body", "versions", "modern"),
    [
        (HANDSHAKE_ONLY, ("2025-06-18",), False),
        (DUAL, ("2025-11-25", "2026-07-28"), True),
        (MODERN_ONLY, ("2026-07-28",), True),
        (DIES_OF_INITIALIZE, ("2026-07-28",), True),
    ],
)
async def test_each_era_is_asked_for_in_a_server_of_its_own(
    tmp_path: Path, body: str, versions: tuple[str, ...], modern: bool
) -> None:
    found = connector(tmp_path, body)
    eras = await find_eras(found)
    assert (eras.versions, eras.modern.present, found.starts) == (versions, modern, 2)
    assert (eras.modern.problem is None) is modern


async def test_a_modern_server_of_another_version_is_known_for_one(tmp_path: Path) -> None:
    body = """
    request = read()
    if request["method"] == "initialize":
        answer(request, {"protocolVersion": "2025-11-25", "capabilities": {}})
    else:
        refuse(request, -32022, "no", {"supported": ["2027-01-01"], "requested": "2026-07-28"})
    until_the_end()
    """
    eras = await find_eras(connector(tmp_path, body))
    assert eras.versions == ("2025-11-25",)
    assert (eras.modern.present, eras.modern.supported) == (True, ("2027-01-01",))


async def test_a_server_of_no_era_is_the_failure_of_its_handshake(tmp_path: Path) -> None:
    with pytest.raises(NotConnectedError) as caught:
        await find_eras(connector(tmp_path, "refuse(read(), -32601); until_the_end()"))
    assert caught.value.message == "it answered initialize with error -32601: no"


@pytest.mark.parametrize(
    ("version", "era"),
    [
        ("2024-10-07", Era.HANDSHAKE),
        ("2025-11-25", Era.HANDSHAKE),
        ("2026-07-28", Era.MODERN),
        ("2030", None),
    ],
)
def test_the_era_of_a_version(version: str, era: Era | None) -> None:
    assert era_of(version) is era
