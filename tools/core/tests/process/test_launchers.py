"""How the command lines of launchers are read, without running any."""

import pytest

from mcp_check_core.process.launchers import Answer, Errand, ResolutionError, errand, node_name


def read(line: str) -> Errand:
    plan = errand(tuple(line.split()), "/into")
    assert plan is not None
    return plan


@pytest.mark.parametrize(
    "line",
    [
        "python server.py",
        "node npx",
        "npm start",
        "npm run exec",
        "uv run server.py",
        "uv tool list",
        "pnpm start",
        "bun server.ts",
        "pipx list",
        "./uvxx a",
    ],
)
def test_other_commands_fetch_nothing(line: str) -> None:
    assert errand(tuple(line.split()), "/into") is None


@pytest.mark.parametrize(
    ("line", "package", "command", "arguments"),
    [
        ("npx -y @s/p@1 a -b", "@s/p@1", None, "a -b"),
        ("/usr/bin/npx --yes p -- x", "p", None, "-- x"),
        ("npx -p p@2 cmd -c d", "p@2", "cmd", "-c d"),
        ("npx --package=p cmd", "p", "cmd", ""),
        ("npx --cache /c p --cache d", "p", None, "--cache d"),
        ("npm exec -- p --flag", "p", None, "--flag"),
        ("npm exec p --yes -- --flag", "p", None, "--flag"),
        ("npm x --package=p -- cmd a", "p", "cmd", "a"),
        ("pnpm dlx p a", "p", None, "a"),
        ("pnpm --package=p dlx cmd a", "p", "cmd", "a"),
        ("pnpx p a", "p", None, "a"),
        ("bunx p@1 a", "p@1", None, "a"),
        ("bun x -p p cmd a", "p", "cmd", "a"),
        ("uvx p --a b", "p", "p", "--a b"),
        ("uvx p@1.2 a", "p==1.2", "p", "a"),
        ("uvx p@latest", "p", "p", ""),
        ("uvx --python 3.12 --from p[x]==1 cmd a", "p[x]==1", "cmd", "a"),
        ("uvx --with q p", "p", "p", ""),
        ("uv tool run --from=p cmd -p 1", "p", "cmd", "-p 1"),
        ("uv --quiet tool run p", "p", "p", ""),
        ("pipx run p==1 a", "p==1", "p", "a"),
        ("pipx run --spec p cmd", "p", "cmd", ""),
    ],
)
def test_package_program_and_arguments(line: str, package: str, command: str | None, arguments: str) -> None:
    plan = read(line)
    assert (plan.package, plan.command, " ".join(plan.arguments)) == (package, command, arguments)
    assert plan.script is None


def test_options_of_the_user_stay() -> None:
    assert read("npx --cache /c -y p").ask[:6] == ("npx", "--cache", "/c", "-y", "--yes", "--package")
    assert read("uvx --index here --from p c").ask[:5] == ("uvx", "--index", "here", "--from", "p")
    assert read("npm exec p --cache /c -- a").ask[:4] == ("npm", "exec", "--cache", "/c")
    assert read("uv --quiet tool run p").ask[:4] == ("uv", "--quiet", "tool", "run")


def test_scripts_are_kept_as_scripts() -> None:
    plan = errand(("npx", "-p", "p", "-c", "p --a | cat"), "/into")
    assert plan is not None
    assert (plan.script, plan.command, plan.arguments) == ("p --a | cat", None, ())
    assert "p --a | cat" not in plan.ask
    assert read("pnpm --package=p dlx -c p --a").script == "p --a"


def test_bun_installs_into_the_folder_given() -> None:
    plan = read("/opt/bunx --bun p a")
    assert plan.ask == ("/opt/bun", "add", "--cwd", "/into", "p")
    assert (plan.answer, plan.runner) == (Answer.FOLDER, ("/opt/bun",))


@pytest.mark.parametrize(
    "line", ["npx", "npx -y", "uvx --from p", "pnpm dlx", "bunx", "pipx run", "npm exec --"]
)
def test_no_package(line: str) -> None:
    with pytest.raises(ResolutionError, match="is given no package to run"):
        errand(tuple(line.split()), "/into")


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("p", "p"),
        ("@s/p@1.0", "@s/p"),
        ("p@npm:q@1", "p"),
        ("./p", None),
        ("../p", None),
        ("git+https://host/p.git", None),
        ("https://host/p.tgz", None),
    ],
)
def test_names_of_node_packages(package: str, name: str | None) -> None:
    assert node_name(package) == name
