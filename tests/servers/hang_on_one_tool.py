"""Hang: one of two tools never answers; the other does."""

import time

import mini


def search(arguments: mini.Json) -> str:
    if mini.PLANTED:
        time.sleep(60)
    return f"Nothing was found for {arguments['query']}."


SEARCH = mini.Tool(
    "search",
    "Search the archive.",
    search,
    {"query": {"type": "string", "description": "The words to look for."}},
    ("query",),
)

mini.Server(mini.GREET, SEARCH).run()
