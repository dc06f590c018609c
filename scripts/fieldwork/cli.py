"""The command line: install, capture, run, sample."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.values import duration
from mcp_check_core.report.sanitise import terminal
from scripts.fieldwork.corpus import INDEX, CorpusError, choose, read_index
from scripts.fieldwork.extras import read_extras
from scripts.fieldwork.index import index_text
from scripts.fieldwork.install import write_atomically
from scripts.fieldwork.sample import as_tsv, draw, kept_findings
from scripts.fieldwork.sweep import REPORTS, SERVERS, Field, ToolRun, capture_all, install_all, run_all
from scripts.fieldwork.table import markdown_table, text_table
from scripts.fieldwork.toolrun import COMMANDS, NoToolError

_OK, _FAILED, _UNUSABLE, _INTERRUPTED = 0, 1, 2, 130
_ROOT = Path(__file__).resolve().parents[2]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 some server failed, 2 cannot, 130 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    cut = words.index("--") if "--" in words else len(words)
    options = _parser().parse_args(words[:cut])
    options.tool_options = tuple(words[cut + 1 :])
    try:
        return int(options.act(options))
    except (CorpusError, CommandError, NoToolError, OSError) as problem:
        print(f"field: {terminal(str(problem))}", file=sys.stderr)
        return _UNUSABLE
    except KeyboardInterrupt:
        print("field: interrupted; the same command goes on where this one stopped", file=sys.stderr)
        return _INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="field.py", description="Work with the servers of a corpus.")
    parser.add_argument("--corpus", type=Path, default=_default_corpus(), help="folder with INDEX.tsv")
    cache = Path("~/.cache/mcp-trust-check/field").expanduser()
    parser.add_argument("--cache", type=Path, default=cache, help="folder for installs and reports")
    work = "where throw-away folders are made; some servers refuse those of the system"
    parser.add_argument("--work", type=Path, metavar="DIR", help=work)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    install = commands.add_parser("install", help="install servers, each once, in a folder of its own")
    _names(install)
    install.add_argument("--jobs", type=_positive, default=1, metavar="N", help="installs at once")
    install.add_argument("--retry", action="store_true", help="try again what failed before")
    newer = "another interpreter, for servers that refuse ours"
    install.add_argument("--python", action="append", default=[], metavar="FILE", help=newer)
    install.set_defaults(act=_install)

    capture = commands.add_parser("capture", help="write fresh definitions, in the form of the corpus")
    _names(capture)
    capture.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    capture.set_defaults(act=_capture)

    run = commands.add_parser("run", help="run a tool over servers; its own options stand after --")
    run.add_argument("tool", choices=COMMANDS, metavar="TOOL", help=", ".join(COMMANDS))
    _names(run)
    run.add_argument("--out", type=Path, metavar="DIR", help="folder for the JSON reports")
    run.add_argument("--markdown", type=Path, metavar="FILE", help="write the table here as Markdown too")
    run.add_argument("--time-limit", default="420s", metavar="TIME", help="for one server (default: 420s)")
    run.add_argument("--resume", action="store_true", help="keep the reports that are there")
    run.set_defaults(act=_run)

    sample = commands.add_parser("sample", help="print kept findings of a rule, to be read by hand, as TSV")
    sample.add_argument("rule", metavar="RULE", help="such as fuzz/crash; * for all")
    sample.add_argument("--seed", type=int, default=0, metavar="N")
    sample.add_argument("--count", type=_positive, default=20, metavar="K")
    sample.add_argument("--out", type=Path, action="append", metavar="DIR", help="folder of reports")
    sample.set_defaults(act=_sample)
    return parser


def _names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="servers of the index; none: all")
    parser.add_argument("--limit", type=_positive, metavar="N", help="the first N alone")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def _default_corpus() -> Path:
    return Path(os.environ.get("MCP_CORPUS") or _ROOT.parent / "shared" / "corpus")


def _field(options: argparse.Namespace) -> Field:
    if options.work is not None and not options.work.is_dir():
        raise CommandError(f"--work: there is no folder {str(options.work)!r}")
    pythons = (sys.executable, *getattr(options, "python", ()))
    cache = options.cache.resolve()
    return Field(options.corpus, cache, read_extras(), _say, pythons=pythons, work=options.work)


def _say(line: str) -> None:
    print(terminal(line), file=sys.stderr, flush=True)


def _install(options: argparse.Namespace) -> int:
    entries = choose(read_index(options.corpus), options.names, options.limit)

    async def go() -> int:
        records = await install_all(_field(options), entries, jobs=options.jobs, retry=options.retry)
        print(f"{sum(record.ok for record in records)} of {len(records)} servers are installed")
        return _OK if all(record.ok for record in records) else _FAILED

    return anyio.run(go)


def _capture(options: argparse.Namespace) -> int:
    entries = choose(read_index(options.corpus), options.names, options.limit)
    out: Path = options.out.resolve()
    if out == options.corpus.resolve():
        raise CommandError("--out: the recorded corpus would be overwritten; name another folder")
    out.mkdir(parents=True, exist_ok=True)
    field = _field(options)

    async def go() -> int:
        results = await capture_all(field, entries, out)
        write_atomically(out / INDEX, index_text(results, field.cache / SERVERS))
        captured = sum(result.captured.document is not None for result in results)
        changed = sum(
            bool(result.difference and (result.difference.gone or result.difference.new))
            for result in results
        )
        print(f"{captured} of {len(results)} servers captured; {changed} have other tools than recorded")
        return _OK if captured == len(results) else _FAILED

    return anyio.run(go)


def _run(options: argparse.Namespace) -> int:
    entries = choose(read_index(options.corpus), options.names, options.limit)
    field = _field(options)
    out = (options.out or field.cache / REPORTS / options.tool).resolve()
    seconds = duration(options.time_limit, "--time-limit")
    plan = ToolRun(options.tool, options.tool_options, out, seconds, options.resume)

    async def go() -> int:
        rows = await run_all(field, entries, plan)
        print(text_table(rows), end="")
        if options.markdown:
            write_atomically(options.markdown, markdown_table(rows))
        return _OK if all(row.counted for row in rows) else _FAILED

    return anyio.run(go)


def _sample(options: argparse.Namespace) -> int:
    folders = options.out or sorted(path for path in (options.cache / REPORTS).glob("*") if path.is_dir())
    readings = draw(kept_findings(folders, options.rule), options.seed, options.count)
    print(f"seed {options.seed}: {len(readings)} findings of {options.rule}", file=sys.stderr)
    sys.stdout.write(as_tsv(readings))
    return _OK if readings else _FAILED
