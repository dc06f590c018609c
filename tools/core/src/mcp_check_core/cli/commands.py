"""Subcommands that every tool has: `schema` and `explain`."""

import json
from collections.abc import Callable, Sequence
from importlib.resources import files

import typer

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.stdout import write_stdout
from mcp_check_core.model.rule import Rule

SHARED = ("explain", "schema")


def add_shared(app: typer.Typer, package: str, rules: Callable[[], Sequence[Rule]]) -> None:
    """Add `explain RULE` and `schema` to a tool's app; its schema lies in the package as `schema.json`.

    `rules` is asked when a page is wanted, so that reading the command line loads none.
    """

    @app.command("explain", help="Print the page of a rule.")
    def explain_rule(
        rule: str = typer.Argument(help="Its id, such as fuzz/crash, or the part behind the slash."),
    ) -> int:
        from mcp_check_core.report.pages import UnknownRule, explain
        from mcp_check_core.report.sanitise import visible

        try:
            page = explain(package, rules(), rule)
        except UnknownRule as problem:
            raise CommandError(visible(str(problem))) from None
        write_stdout(page.encode())
        return 0

    @app.command("schema", help="Print the JSON Schema of the report.")
    def print_schema() -> int:
        text = files(package).joinpath("schema.json").read_text(encoding="utf-8")
        write_stdout((json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n").encode())
        return 0
