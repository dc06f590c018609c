"""Put what the commands of the README really print into it, or check that it stands there.

    python scripts/readme_output.py            # write
    python scripts/readme_output.py --check    # exit 1 where the README says something else

The first lines of each report are shown. The servers are the pinned ones of the checkout; what a report
depends on beside them (the words of the command) is put as the README has it.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
SHOWN = 26
PROGRAM = Path(sys.executable).parent / "mcp-trust-check"
EVERYTHING = ROOT / "tests/node/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
COMMANDS = {
    "demo": [sys.executable, "tests/servers/demo/planted.py"],
    "demo-fixed": [sys.executable, "tests/servers/demo/fixed.py"],
    "server-everything": ["node", str(EVERYTHING)],
}
SHOWN_AS = {
    "demo": ".venv/bin/python tests/servers/demo/planted.py",
    "demo-fixed": ".venv/bin/python tests/servers/demo/fixed.py",
    "server-everything": "npx -y @modelcontextprotocol/server-everything",
}
WIDTH = 100
HEAD = re.compile(r"\A(\S+  mcp-trust-check \S+)(?:  ·  [^\n]*|(?:\n  (?!- )[^\n]*)+)")


def output(name: str) -> str:
    """Run a command of the README and give what it prints, from its own words on."""
    command = [str(PROGRAM), "--", *COMMANDS[name]]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    opening = HEAD.match(ran.stdout)
    if opening is None:
        raise SystemExit(f"the report on {name} does not begin with a decision:\n{ran.stdout[:200]}")
    line = f"{opening[1]}  ·  {SHOWN_AS[name]}"
    head = line if len(line) <= WIDTH else f"{opening[1]}\n  {SHOWN_AS[name]}"
    return head + ran.stdout[opening.end() :].replace(f"{ROOT}/", "")


def block(name: str) -> str:
    """Give the Markdown that stands behind a mark: the command and the beginning of its output."""
    lines = output(name).rstrip("\n").splitlines()
    shown = lines[:SHOWN]
    if len(lines) > SHOWN:
        shown.append(f"… ({len(lines) - SHOWN} more lines)")
    return "\n".join(["```console", f"$ mcp-trust-check -- {SHOWN_AS[name]}", *shown, "```"])


def filled(readme: str, names: list[str]) -> str:
    """Give the README with the output behind each mark of `names` as it is now."""
    for name in names:
        pattern = re.compile(rf"(<!-- output: {re.escape(name)} -->\n)(?:```console\n.*?\n```\n)?", re.DOTALL)
        marks = list(pattern.finditer(readme))
        if len(marks) != 1:
            raise SystemExit(f"README.md has {len(marks)} marks for {name}; it must have one")
        readme = f"{readme[: marks[0].start()]}{marks[0][1]}{block(name)}\n{readme[marks[0].end() :]}"
    return readme


def main(arguments: list[str]) -> int:
    """Write or check the README; names choose some of the outputs."""
    names = [word for word in arguments if not word.startswith("-")] or list(COMMANDS)
    before = README.read_text(encoding="utf-8")
    after = filled(before, names)
    if "--check" in arguments:
        return int(before != after)
    README.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
