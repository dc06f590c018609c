"""Malformed: the result of a call is an array."""

import mini


class FlatServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> object:
        result = mini.text_result(tool.run(arguments))
        return result["content"] if mini.PLANTED else result


FlatServer(mini.GREET).run()
