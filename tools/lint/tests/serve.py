"""A server over stdio that lists what a file says: `serve.py FILE`, an object with `tools` and the like."""

import json
import sys
from pathlib import Path

told = json.loads(Path(sys.argv[1]).read_text("utf-8"))
LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    method, answer = request["method"], {"jsonrpc": "2.0", "id": request["id"]}
    member = LISTS.get(method, "")
    if method == "initialize":
        capabilities: dict[str, object] = {
            name: {} for name in ("tools", "prompts", "resources") if name in told
        }
        answer["result"] = {
            "protocolVersion": told.get("protocol", request["params"]["protocolVersion"]),
            "capabilities": capabilities,
            "serverInfo": told.get("server", {"name": "served", "version": "1.0"}),
        }
        if "instructions" in told:
            answer["result"]["instructions"] = told["instructions"]
    elif member in told:
        answer["result"] = {member: told[member]}
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
