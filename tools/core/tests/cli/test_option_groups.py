from dataclasses import dataclass, field
from typing import Annotated

import typer

from mcp_check_core.cli.frame import Program, run
from mcp_check_core.cli.option_groups import grouped


@dataclass(frozen=True)
class First:
    """One group."""

    name: Annotated[str, typer.Option("--name")] = "none"
    words: Annotated[list[str], typer.Option("--word")] = field(default_factory=list)


@dataclass(frozen=True)
class Second:
    """Another."""

    number: Annotated[int, typer.Option("--number")] = 7


def made() -> tuple[Program, list[object]]:
    app = typer.Typer(add_completion=False)
    seen: list[object] = []

    @app.command("go")
    @grouped
    def go(
        ctx: typer.Context,
        first: First,
        second: Second,
        plain: Annotated[bool, typer.Option("--plain")] = False,
    ) -> int:
        seen.append((first, second, plain, ctx.obj.program))
        return 5

    return Program("p", "1", "2", app, "go"), seen


def test_a_command_gets_its_groups_filled() -> None:
    program, seen = made()
    assert run(program, ["--name", "n", "--word", "a", "--word", "b", "--number", "3", "--plain"]) == 5
    assert run(program, ["go"]) == 5
    assert seen == [(First("n", ["a", "b"]), Second(3), True, "p"), (First(), Second(), False, "p")]
