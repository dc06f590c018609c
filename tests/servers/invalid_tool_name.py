"""Tools: the name of a tool holds a blank and an exclamation mark."""

import mini

mini.Server(mini.GREET._replace(name="say hello!" if mini.PLANTED else "say_hello")).run()
