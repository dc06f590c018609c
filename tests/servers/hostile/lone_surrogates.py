"""Halves of surrogate pairs, escaped, in the name of the server, in definitions and in results."""

import json

import frame


class HalfServer(frame.Server):
    def send(self, message: object) -> None:
        line = json.dumps(message).replace("zoo", r"zo\ud800").replace("Hello", r"\udfffHello")
        self.write(line.encode() + b"\n")


HalfServer(frame.GREET._replace(description="Greet\ud83d a person.")).run()
