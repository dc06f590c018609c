"""Internal error: the cause was to follow a colon, and the exception had no words."""

import mini

PHONES = {"Ada": "0100", "Grace": "0200"}


class ColonServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> object:
        try:
            return super().call(tool, arguments)
        except LookupError as error:
            cause = str(error) if mini.PLANTED else f"nobody is called {arguments['name']!r}"
            return mini.error_result(f"Error processing phone query: {cause}")


def look_up(arguments: mini.Json) -> str:
    if arguments["name"] not in PHONES:
        raise LookupError
    return PHONES[arguments["name"]]


PHONE = mini.Tool(
    "get_phone", "Return the phone number of a person.", look_up, {"name": mini.NAME}, ("name",)
)
ColonServer(PHONE).run()
