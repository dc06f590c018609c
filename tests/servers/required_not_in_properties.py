"""Tools: an input schema requires a property that it does not describe."""

import mini

REQUIRED = ("name", "title") if mini.PLANTED else ("name",)

mini.Server(mini.GREET._replace(required=REQUIRED)).run()
