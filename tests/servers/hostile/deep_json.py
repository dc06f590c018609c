"""A tool answers with JSON of 5,000 levels; the tool beside it answers well."""

import json

import frame

LEVELS = 5_000


class DeepServer(frame.Server):
    def requested(self, request: frame.Json) -> None:
        params = request.get("params")
        if not (isinstance(params, dict) and params.get("name") == "dig"):
            super().requested(request)
            return
        deep = "[" * LEVELS + "]" * LEVELS
        number = json.dumps(request["id"])
        self.write(f'{{"jsonrpc":"2.0","id":{number},"result":{{"content":[],"deep":{deep}}}}}\n'.encode())


DIG = frame.Tool("dig", "Return a deep structure.", lambda _: "")

DeepServer(frame.GREET, DIG).run()
