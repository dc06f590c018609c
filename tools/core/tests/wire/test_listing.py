from dataclasses import replace
from pathlib import Path

import pytest

from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.listing import ListEnd, Listing
from mcp_check_core.wire.reply import ReplyKind
from tools.core.tests.wire.servers import LIMITS, ready

pytestmark = pytest.mark.anyio
PAGES = """
asked = []
while True:
    request = read()
    cursor = request["params"].get("cursor")
    asked.append(cursor)
    answer(request, page(cursor))
"""


async def listed(folder: Path, page: str, limits: WireLimits = LIMITS) -> Listing:
    """Read the tools of a server whose pages are `page`, an expression over `cursor` and `asked`."""
    async with ready(folder, f"page = lambda cursor: {page}\n{PAGES}", limits) as session:
        listing = await session.list("tools/list")
        assert session.connection.limits_hit == [] or listing.end in (ListEnd.PAGE_LIMIT, ListEnd.ITEM_LIMIT)
        return listing


async def test_all_pages_are_read_an_empty_cursor_included(tmp_path: Path) -> None:
    first, second = '{"tools": [1], "nextCursor": ""}', '{"tools": [2, 3], "nextCursor": "z"}'
    page = f'{{None: {first}, "": {second}}}.get(cursor, {{"tools": []}})'
    listing = await listed(tmp_path, page)
    assert (listing.items, listing.pages, listing.end) == ((1, 2, 3), 3, ListEnd.COMPLETE)
    assert (listing.complete, listing.method, listing.problem) == (True, "tools/list", None)


async def test_a_null_cursor_ends_the_list(tmp_path: Path) -> None:
    listing = await listed(tmp_path, '{"tools": [{"name": "a"}], "nextCursor": None}')
    assert (listing.items, listing.end) == (({"name": "a"},), ListEnd.COMPLETE)


async def test_a_cursor_that_comes_again_ends_the_list(tmp_path: Path) -> None:
    listing = await listed(tmp_path, '{"tools": [len(asked)], "nextCursor": "ab"[len(asked) % 2]}')
    assert (listing.end, listing.pages, listing.complete) == (ListEnd.REPEATED_CURSOR, 3, False)


async def test_a_cursor_without_end_is_bounded(tmp_path: Path) -> None:
    page = '{"tools": [0], "nextCursor": str(len(asked))}'
    async with ready(tmp_path, f"page = lambda cursor: {page}\n{PAGES}", replace(LIMITS, pages=7)) as session:
        listing = await session.list("tools/list")
        assert (listing.end, listing.pages, len(listing.items)) == (ListEnd.PAGE_LIMIT, 7, 7)
        (hit,) = session.connection.limits_hit
        assert (hit.limit, hit.value, hit.where) == ("pages", 7, "tools/list")


async def test_items_without_end_are_bounded(tmp_path: Path) -> None:
    page = '{"tools": [0] * 40, "nextCursor": str(len(asked))}'
    async with ready(
        tmp_path, f"page = lambda cursor: {page}\n{PAGES}", replace(LIMITS, items=100)
    ) as session:
        listing = await session.list("tools/list")
        assert (listing.end, listing.pages, len(listing.items)) == (ListEnd.ITEM_LIMIT, 3, 100)
        (hit,) = session.connection.limits_hit
        assert (hit.limit, hit.value, hit.where) == ("tools", 100, "tools/list")


@pytest.mark.parametrize(
    ("page", "items", "problem"),
    [
        ("{}", (), "tools is missing, not an array"),
        ('{"tools": None}', (), "tools is null, not an array"),
        ('{"tools": {"a": {}}}', (), "tools is object, not an array"),
        ('{"tools": [1], "nextCursor": 5}', (1,), "nextCursor is integer, not a string"),
        ('{"tools": [1], "nextCursor": {}}', (1,), "nextCursor is object, not a string"),
    ],
)
async def test_a_page_of_a_wrong_shape(
    tmp_path: Path, page: str, items: tuple[int, ...], problem: str
) -> None:
    listing = await listed(tmp_path, page)
    assert (listing.items, listing.end, listing.problem) == (items, ListEnd.BAD_SHAPE, problem)


async def test_an_error_on_a_later_page_keeps_the_earlier_ones(tmp_path: Path) -> None:
    body = """
    answer(read(), {"tools": [1], "nextCursor": "x"})
    send(id=read()["id"], error={"code": -32602, "message": "bad cursor"})
    until_the_end()
    """
    async with ready(tmp_path, body) as session:
        listing = await session.list("tools/list")
        assert (listing.items, listing.pages, listing.end) == ((1,), 1, ListEnd.NO_RESULT)
        assert listing.reply.kind is ReplyKind.ERROR


@pytest.mark.parametrize(
    ("method", "member"),
    [
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ],
)
async def test_every_kind_of_list_has_its_member(tmp_path: Path, method: str, member: str) -> None:
    async with ready(tmp_path, f"answer(read(), {{{member!r}: [1, 2]}})\nuntil_the_end()") as session:
        assert (await session.list(method)).items == (1, 2)
