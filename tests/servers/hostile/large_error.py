"""A tool fails with an error message of 20 MB; the tool beside it answers well."""

import frame


class WordyServer(frame.Server):
    def call(self, tool: frame.Tool, arguments: frame.Json) -> object:
        if tool.name == "fail":
            raise frame.RpcError(-32603, "failed! " * 2_500_000)
        return super().call(tool, arguments)


WordyServer(frame.GREET, frame.Tool("fail", "Fail at length.", lambda _: "")).run()
