"""A server that plays a transcript: `python replay.py FILE`.

Each line of the file is one JSON object. `{"sent": message}` opens what happens when the client sends that
method; each `{"received": x}` behind it is written then, an object as JSON, a text as it is. What stands
before the first `sent` is written at the start. `{"exit": n}` ends the process. Methods that the transcript
does not name are answered as a small, correct server does.
"""

import json
import sys
from pathlib import Path
from typing import Any

LISTS = {"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources"}


def sections(lines: list[str]) -> tuple[list[Any], list[tuple[dict[str, Any], list[Any]]]]:
    """Give what is written at the start, and for each message of the client what is written then."""
    opening: list[Any] = []
    found: list[tuple[dict[str, Any], list[Any]]] = []
    for line in lines:
        entry = json.loads(line)
        if "sent" in entry:
            found.append((entry["sent"], []))
        else:
            (found[-1][1] if found else opening).append(entry)
    return opening, found


def write(line: str) -> None:
    """Write one line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def play(entries: list[Any], ids: dict[str, Any]) -> None:
    """Write what was received; ids of the transcript become those that the client used."""
    for entry in entries:
        if "exit" in entry:
            sys.exit(entry["exit"])
        message = entry["received"]
        if isinstance(message, dict) and type(message.get("id")) is int and "method" not in message:
            message = {**message, "id": ids.get(str(message["id"]), message["id"])}
        write(message if isinstance(message, str) else json.dumps(message))


def default(message: dict[str, Any], methods: set[str]) -> dict[str, Any]:
    """Answer a request of which the transcript says nothing."""
    if message["method"] == "initialize":
        capabilities: dict[str, Any] = {LISTS[method]: {} for method in methods if method in LISTS}
        info = {"name": "replay", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": info}
        return {"result": result}
    if message["method"] in LISTS:
        return {"result": {LISTS[message["method"]]: []}}
    return {"error": {"code": -32601, "message": "Method not found"}}


def main() -> None:
    """Serve until stdin ends."""
    opening, found = sections(Path(sys.argv[1]).read_text("utf-8").splitlines())
    methods = {message["method"] for message, _ in found}
    play(opening, {})
    for line in sys.stdin:
        message = json.loads(line)
        place = next(
            (n for n, (sent, _) in enumerate(found) if sent["method"] == message.get("method")), None
        )
        if place is not None:
            sent, entries = found.pop(place)
            play(entries, {str(sent.get("id")): message.get("id")})
        elif "id" in message and "method" in message:
            write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **default(message, methods)}))


if __name__ == "__main__":
    main()
