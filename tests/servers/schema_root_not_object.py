"""B22: the root of an input schema is a union, without the type that clients require."""

import mini

BY_NUMBER = {"type": "object", "properties": {"id": mini.INTEGER}, "required": ["id"]}
BY_NAME = {"type": "object", "properties": {"name": mini.NAME}, "required": ["name"]}
UNION: mini.Json = {"anyOf": [BY_NUMBER, BY_NAME]}


def find(arguments: mini.Json) -> str:
    return f"Found nobody by {', '.join(sorted(arguments)) or 'nothing'}."


FIND = mini.Tool("find", "Find a person by number or by name.", find)
PLANTED = FIND._replace(extra={"inputSchema": UNION})
FIXED = FIND._replace(properties={"id": mini.INTEGER, "name": mini.NAME})

mini.Server(PLANTED if mini.PLANTED else FIXED).run()
