"""B02: a library logs breadcrumbs of several lines to stdout while a request is answered."""

import sys

import mini


def synchronise() -> None:
    """Stand for the call into a library that logs on its own."""
    stream = sys.stdout if mini.PLANTED else sys.stderr
    print("[Breadcrumb] {\n  message: 'sync done',\n}", file=stream, flush=True)


class SyncingServer(mini.Server):
    def result(self, method: str, params: object) -> object:
        if method in {"tools/list", "tools/call"}:
            synchronise()
        return super().result(method, params)


SyncingServer().run()
