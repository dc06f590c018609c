"""A server over stdio that lists what a file says: `serve.py FILE`, an object with `tools` and the like.

Its member `to` maps names of clients to members that they are shown instead; `later` holds those of all
starts after the first, which leaves a file beside it.
"""

import json
import sys
from pathlib import Path

told = json.loads(Path(sys.argv[1]).read_text("utf-8"))
started = Path(f"{sys.argv[1]}.started")
if "later" in told and started.exists():
    told.update(told["later"])
started.touch()
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
        asked_by = request["params"]["clientInfo"]["name"]
        told.update(told.get("to", {}).get(asked_by, {}))
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
