"""The labelled responses and their fixed split; `data/README.md` tells how they were made."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp_check_core.judges.disguise import Suspicion, judge_response
from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_check_core.model.tool_result import read_tool_result

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Labelled:
    kind: str
    language: str
    tool: ToolDefinition
    arguments: dict[str, Any]
    result: dict[str, Any]
    disguised: bool
    known: bool
    held_out: bool

    def judge(self) -> tuple[Suspicion, ...]:
        return judge_response(self.tool, self.arguments, read_tool_result(self.result))


def labelled() -> Iterator[Labelled]:
    tools = {tool.name: tool for tool in read_tools(json.loads((DATA / "tools.json").read_text("utf-8")))}
    for name in ("disguised", "honest", "tune_more"):
        for line in (DATA / f"responses_{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            yield Labelled(
                kind=row["kind"],
                language=row["lang"],
                tool=tools[row["tool"]],
                arguments=row["arguments"],
                result=row["result"],
                disguised=not row["honest"] if name == "tune_more" else name == "disguised",
                known=row.get("known", False),
                held_out=name != "tune_more" and _is_odd(row),
            )


def _is_odd(row: dict[str, Any]) -> bool:
    key = json.dumps([row["tool"], row["arguments"], row["result"]], sort_keys=True, ensure_ascii=False)
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 2 == 1
