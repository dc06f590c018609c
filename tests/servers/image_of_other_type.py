"""Fidelity: an image is stated as PNG and is a GIF."""

import mini

GIF = "R0lGODlhAQABAAAAACw="


class PictureServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        stated = "image/png" if mini.PLANTED else "image/gif"
        return {"content": [{"type": "image", "data": GIF, "mimeType": stated}]}


PICTURE = mini.Tool("get_logo", "Return the logo of the shop.", lambda arguments: "")

PictureServer(PICTURE).run()
