"""Tools: a tool has no description."""

import mini

mini.Server(mini.GREET._replace(description=None) if mini.PLANTED else mini.GREET).run()
