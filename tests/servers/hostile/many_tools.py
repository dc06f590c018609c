"""12,000 tools on one page of 3 MB, more than a checker has to take."""

import frame

TOOLS = [frame.GREET._replace(name=f"greet_{number}") for number in range(12_000)]

frame.Server(*TOOLS).run()
