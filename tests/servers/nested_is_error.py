"""Fidelity (field: B17): a result that says isError: true is put as text into one that does not."""

import json

import mini


class WrappingServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        if mini.PLANTED:
            return mini.text_result(json.dumps(mini.error_result("the index is out of range")))
        return super().call(tool, arguments)


WrappingServer(mini.GREET).run()
