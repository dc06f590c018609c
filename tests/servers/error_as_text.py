"""Fidelity (field: B16): every failure comes back as ordinary text, isError is never set."""

import json

import mini

NOTES = {"apple": "buy apples", "ada": "call Ada"}


class NotesServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        if tool.name == "get_note" and arguments["id"] not in NOTES:
            told = f"Error: there is no note {arguments['id']}"
            return mini.text_result(told) if mini.PLANTED else mini.error_result(told)
        return super().call(tool, arguments)


NotesServer(
    mini.Tool(
        "list_notes", "List the ids of all notes.", lambda _: json.dumps([{"id": name} for name in NOTES])
    ),
    mini.Tool(
        "get_note",
        "Return a note by its id.",
        lambda arguments: NOTES[arguments["id"]],
        {"id": {"type": "string", "description": "The id of the note."}},
        ("id",),
    ),
).run()
