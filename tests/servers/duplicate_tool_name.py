"""Tools: a tool is listed twice under one name (field: Q06)."""

import mini

mini.Server(mini.GREET, mini.GREET if mini.PLANTED else mini.ADD).run()
