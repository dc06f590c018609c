"""Size: a tool answers with 20 MB in one line, and offers no way to ask for less (field: B29)."""

import mini

LINES = 400_000 if mini.PLANTED else 20

DUMP = mini.Tool(
    "dump", "Return the whole log.", lambda _: "2026-01-01 00:00:00 service is alive and well\n" * LINES
)

mini.Server(DUMP).run()
