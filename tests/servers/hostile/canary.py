"""Says its environment and its arguments in all that it says: a secret that it was given comes back."""

import json
import os
import sys

import frame

ALL = json.dumps([sys.argv, dict(os.environ)])


class TellingServer(frame.Server):
    def initialize(self, params: frame.Json) -> frame.Json:
        info = {"name": ALL, "version": ALL}
        return {**super().initialize(params), "serverInfo": info, "instructions": ALL}

    def started(self) -> None:
        print(f"debug: {ALL}", flush=True)
        print(f"debug: {ALL}", file=sys.stderr, flush=True)

    def call(self, tool: frame.Tool, arguments: frame.Json) -> object:
        if tool.name == "add":
            raise frame.RpcError(-32603, f"failed with {ALL}")
        return {**frame.text_result(ALL), "structuredContent": {"environment": dict(os.environ)}}


TellingServer(frame.ADD._replace(description=ALL), frame.GREET._replace(description=ALL)).run()
