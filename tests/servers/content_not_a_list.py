"""Malformed: the content of a tool result is a string in place of a list of blocks."""

import mini


class PlainServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> object:
        text = tool.run(arguments)
        return {"content": text} if mini.PLANTED else mini.text_result(text)


PlainServer(mini.GREET).run()
