"""What the tests of guard share."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
