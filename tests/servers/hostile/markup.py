"""Escape codes, bidirectional controls, Markdown, HTML, mentions, workflow commands in all that it says."""

import sys

import frame

TERMINAL = (
    "\x1b[2J\x1b[31mRED\x1b]0;title\x07\x1b]8;;https://evil.example/\x1b\\link\x1b]8;;\x1b\\\x9b1m\r\x00"
)
HIDDEN = "\u202eesrever\u2066\u200b\u200d\ufeff\U000e0041"
MARKUP = "@everyone #1 **b** [l](https://evil.example/) ![i](https://evil.example/p.png) ``` <!-- --> | </td>"
HTML = "<script>alert(1)</script><img src=x onerror=alert(1)><details open>&lt;"
COMMANDS = "\n::error file=a::pwned\n::set-output name=x::y\n## heading\n- [ ] task\n~~~\n]]>"
ALL = TERMINAL + HIDDEN + MARKUP + HTML + COMMANDS


def evil(arguments: frame.Json) -> str:
    return ALL + str(arguments.get("text", ""))


EVIL = frame.Tool(
    ALL,
    ALL,
    evil,
    {ALL: {"type": "string", "description": ALL, "title": ALL, "enum": [ALL]}},
    (ALL,),
    {"title": ALL},
)
GOOD = frame.GREET._replace(description=ALL)


class MarkupServer(frame.Server):
    def initialize(self, params: frame.Json) -> frame.Json:
        info = {"name": ALL, "version": ALL, "title": ALL}
        return {**super().initialize(params), "serverInfo": info, "instructions": ALL}

    def started(self) -> None:
        print(ALL, flush=True)
        print(ALL, file=sys.stderr, flush=True)

    def call(self, tool: frame.Tool, arguments: frame.Json) -> object:
        raise frame.RpcError(-32603, ALL)


MarkupServer(EVIL, GOOD).run()
