"""A tool answers with 50 MB of text; the tool beside it answers well."""

import frame

DUMP = frame.Tool("dump", "Return the whole log.", lambda _: "0123456789" * 5_000_000)

frame.Server(frame.GREET, DUMP).run()
