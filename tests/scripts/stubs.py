"""A corpus of made-up packages, and an `npm` that lays them out from this checkout instead of a registry."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

SERVERS = Path(__file__).parents[1] / "servers"
INDEX_HEAD = "name\tregistry\tpackage\tversion\tnotes\tlaunch\tenv"

NPM = """#!{python}
import pathlib, sys, time

words = sys.argv[1:]
prefix = pathlib.Path(words[words.index("--prefix") + 1])
package, _, version = words[-1].rpartition("@")
with open({log!r}, "a") as log:
    log.write(package + "\\n")
if package == "absent":
    sys.exit("npm error 404 Not Found: absent")
if package == "stuck" and not pathlib.Path({log!r}).with_name("free").exists():
    (prefix / "half").touch()
    time.sleep(600)
server = {servers!r} + "/" + {programs!r}.get(package, "demo/fixed.py")
(prefix / "node_modules" / ".bin").mkdir(parents=True)
(prefix / "node_modules" / package).mkdir()
(prefix / "node_modules" / package / "package.json").write_text(
    '{{"version": "%s", "bin": {{"%s": "run"}}}}' % (version, package)
)
program = prefix / "node_modules" / ".bin" / package
program.write_text(
    "#!{python}\\nimport os, sys\\nos.execv(sys.executable, [sys.executable, %r, *sys.argv[1:]])\\n" % server
)
program.chmod(0o755)
"""


class Stubs:
    """A folder with a corpus, a cache, and a folder with the made-up npm to put first on the PATH."""

    def __init__(self, folder: Path, programs: dict[str, str]) -> None:
        self.corpus = folder / "corpus"
        self.cache = folder / "cache"
        self.path = folder / "bin"
        self.log = folder / "log"
        self.corpus.mkdir()
        self.path.mkdir()
        self.programs = dict(programs)
        self.lay_out()
        self.index([row(name) for name in programs])

    def lay_out(self) -> None:
        """Write the made-up npm, which knows the programs of now."""
        npm = self.path / "npm"
        known = {"python": sys.executable, "log": str(self.log), "servers": str(SERVERS)}
        npm.write_text(NPM.format(**known, programs=self.programs))
        npm.chmod(0o755)

    def index(self, rows: Sequence[str]) -> None:
        """Write the index."""
        (self.corpus / "INDEX.tsv").write_text("\n".join((INDEX_HEAD, *rows, "")), encoding="utf-8")

    def record(self, name: str, tools: Sequence[str]) -> None:
        """Write a recorded capture with tools of these names."""
        document = {"tools": [{"name": tool} for tool in tools]}
        (self.corpus / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")

    @property
    def asked(self) -> list[str]:
        """The packages that npm was asked for, in order."""
        return self.log.read_text().split() if self.log.exists() else []

    @property
    def environment(self) -> dict[str, str]:
        """Our environment with the made-up npm first on the PATH."""
        return {**os.environ, "PATH": f"{self.path}{os.pathsep}{os.environ['PATH']}"}

    def words(self, *words: str) -> list[str]:
        """Return the words of a command line on this corpus and cache."""
        return ["--corpus", str(self.corpus), "--cache", str(self.cache), *words]


def row(name: str, notes: str = "", launch: str = "", env: str = "") -> str:
    """Return a line of the index for an npm package of this name."""
    return f"{name}\tnpm\t{name}\t1.0.0\t{notes}\t{launch}\t{env}"
