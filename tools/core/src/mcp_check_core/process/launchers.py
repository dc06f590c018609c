"""Reads the command lines of programs that fetch a package and run it: npx, uvx and the like.

For each it says what to run in order to have the package and to learn where its programs are, without
running them. Options that are given stay as they are, so that a registry, cache or version is the user's.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

SAID = "mcp-check-found:"
"""What the line of the answer begins with; the programs print more than that."""

_SAY_PATH = f"""printf '\\n{SAID}%s\\n' "$PATH\""""
_SAY_PREFIX = f"import sys; print('\\n{SAID}' + sys.prefix)"

_NPM_VALUED = frozenset(
    (
        *("-p", "--package", "-c", "--call", "-w", "--workspace", "--cache", "--registry", "--userconfig"),
        *("--globalconfig", "--loglevel", "--prefix", "--script-shell", "--before", "--tag", "--cafile"),
        *("--proxy", "--https-proxy", "--omit", "--include"),
    )
)
_PNPM_VALUED = frozenset(
    (
        *("--package", "--allow-build", "-C", "--dir", "--registry", "--cache-dir", "--store-dir"),
        *("--reporter", "--loglevel", "--config"),
    )
)
_BUN_VALUED = frozenset(("-p", "--package"))
_UV_VALUED = frozenset(
    (
        *("--from", "-w", "--with", "--with-editable", "--with-requirements", "-c", "--constraints"),
        *("-b", "--build-constraints", "--overrides", "--env-file", "--python-platform", "--torch-backend"),
        *("--index", "--default-index", "-i", "--index-url", "--extra-index-url", "-f", "--find-links"),
        *("--index-strategy", "--keyring-provider", "-P", "--upgrade-package", "--upgrade-group"),
        *("--resolution", "--prerelease", "--prerelease-package", "--fork-strategy", "--exclude-newer"),
        *("--exclude-newer-package", "--no-sources-package", "--reinstall-package", "--link-mode", "-C"),
        *("--config-setting", "--config-settings-package", "--no-build-isolation-package"),
        *("--no-build-package", "--no-binary-package", "--cache-dir", "--refresh-package", "-p", "--python"),
        *("--color", "--allow-insecure-host", "--directory", "--project", "--config-file"),
    )
)
_PIPX_VALUED = frozenset(("--spec", "--python", "--pip-args", "-i", "--index-url", "--with"))


class Answer(StrEnum):
    """What an errand prints, or where it leaves the package."""

    NODE_PATH = "a PATH that begins with the package's programs"
    PYTHON_PREFIX = "the prefix of the environment that has the package"
    FOLDER = "the folder that it was told to install into"


@dataclass(frozen=True)
class Errand:
    """What to run outside, and what its answer is for.

    `command` is the program of `package` to run, None for the one that bears its name; `script` is a shell
    script to run instead. `runner` are words before the program.
    """

    launcher: str
    ask: tuple[str, ...]
    answer: Answer
    package: str
    command: str | None = None
    script: str | None = None
    arguments: tuple[str, ...] = ()
    runner: tuple[str, ...] = ()


class ResolutionError(Exception):
    """A package could not be fetched or has no such program; `message` is one sentence."""

    def __init__(self, message: str) -> None:
        """Keep the sentence as `message`."""
        super().__init__(message)
        self.message = message


def errand(argv: tuple[str, ...], folder: str) -> Errand | None:
    """Return what has to be run first for `argv`, None for a command that fetches nothing.

    `folder` is where a launcher that keeps nothing shall install. Raises `ResolutionError` where the command
    line names no package.
    """
    program = PurePath(argv[0]).name.lower().removesuffix(".exe").removesuffix(".cmd")
    for words, read in _LAUNCHERS:
        if words[0] == program and (rest := _after(argv[1:], words[1:])) is not None:
            return read(" ".join(words), argv[0], rest, folder)
    return None


def node_name(package: str) -> str | None:
    """Return the name in a package specifier of npm, such as `@scope/name@1.2`; None for a path or a URL."""
    match = re.fullmatch(r"(@[^/@:]+/[^/@:]+|[^/@:.~][^/@:]*)(?:@.*)?", package)
    return match[1] if match else None


def _after(words: Sequence[str], subcommand: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Return the options before `subcommand` and all words after it; None where it is another one."""
    before, rest = _split(words, _PNPM_VALUED) if subcommand else ([], list(words))
    if rest[: len(subcommand)] == list(subcommand):
        return before, rest[len(subcommand) :]
    return None


def _split(words: Sequence[str], valued: frozenset[str]) -> tuple[list[str], list[str]]:
    """Return the options that `words` begin with, and the words from the first other one on."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-", "--"):
        at += 2 if words[at] in valued else 1
    return list(words[:at]), list(words[at + 1 :] if words[at : at + 1] == ["--"] else words[at:])


def _take(options: Sequence[str], names: Iterable[str], *, flag: bool = False) -> tuple[list[str], list[str]]:
    """Return the values of the options `names` and the other options; the names themselves for a flag."""
    values, others = [], []
    at = 0
    while at < len(options):
        name, equals, value = options[at].partition("=")
        at += 1
        if name not in names:
            others.append(options[at - 1])
        elif equals or flag:
            values.append(value or name)
        elif at < len(options):
            values.append(options[at])
            at += 1
    return values, others


def _npm(launcher: str, program: str, rest: tuple[list[str], list[str]], _folder: str) -> Errand:
    before, words = rest
    options, others = _split(words, _NPM_VALUED)
    if launcher != "npx" and "--" in others:  # npm takes options up to its `--` for its own
        cut = others.index("--")
        more, _ = _split(others[1:cut], _NPM_VALUED)
        options, others = options + more, others[:1] + others[1 + len(more) : cut] + others[cut + 1 :]
    scripts, options = _take(options, ("-c", "--call"))
    packages, _ = _take(options, ("-p", "--package"))
    command = others.pop(0) if others and packages and not scripts else None
    package = packages[0] if packages else _first(launcher, others)
    named = [] if packages else ["--package", package]
    ask = (program, *before, *launcher.split()[1:], *options, "--yes", *named, "-c", _SAY_PATH)
    script = scripts[-1] if scripts else None
    return Errand(launcher, ask, Answer.NODE_PATH, package, command, script, tuple(others))


def _pnpm(launcher: str, program: str, rest: tuple[list[str], list[str]], _folder: str) -> Errand:
    before, words = rest
    options, others = _split(words, _PNPM_VALUED)
    shell, options = _take(options, ("-c", "--shell-mode"), flag=True)
    packages, _ = _take([*before, *options], ("--package",))
    package = packages[0] if packages else _first(launcher, others)
    command = others.pop(0) if others and packages and not shell else None
    named = [] if packages else [f"--package={package}"]
    ask = (program, *before, *named, *launcher.split()[1:], *options, "-c", _SAY_PATH)
    script = " ".join(others) if shell else None
    return Errand(launcher, ask, Answer.NODE_PATH, package, command, script, () if shell else tuple(others))


def _bun(launcher: str, program: str, rest: tuple[list[str], list[str]], folder: str) -> Errand:
    options, others = _split(rest[1], _BUN_VALUED)
    packages, options = _take(options, ("-p", "--package"))
    command = others.pop(0) if others and packages else None
    package = packages[0] if packages else _first(launcher, others)
    bun = program.removesuffix("x") if launcher == "bunx" else program
    runner = (bun,) if "--bun" in options else ()
    ask = (bun, "add", "--cwd", folder, package)
    return Errand(launcher, ask, Answer.FOLDER, package, command, None, tuple(others), runner)


def _uv(launcher: str, program: str, rest: tuple[list[str], list[str]], _folder: str) -> Errand:
    before, words = rest
    options, others = _split(words, _UV_VALUED)
    sources, options = _take(options, ("--from",))
    name, _, version = _first(launcher, others).partition("@")
    package = sources[-1] if sources else name if version in ("", "latest") else f"{name}=={version}"
    leading = (program, *before, *launcher.split()[1:], *options)
    return _python(launcher, (*leading, "--from", package), package, name, others)


def _pipx(launcher: str, program: str, rest: tuple[list[str], list[str]], _folder: str) -> Errand:
    options, others = _split(rest[1], _PIPX_VALUED)
    sources, options = _take(options, ("--spec",))
    name = _first(launcher, others)
    package = sources[-1] if sources else name
    return _python(launcher, (program, "run", *options, "--spec", package), package, name, others)


def _python(launcher: str, ask: tuple[str, ...], package: str, name: str, others: list[str]) -> Errand:
    command = re.split(r"[\[=<>!~; ]", name, maxsplit=1)[0]
    asked = (*ask, "python", "-c", _SAY_PREFIX)
    return Errand(launcher, asked, Answer.PYTHON_PREFIX, package, command, arguments=tuple(others))


def _first(launcher: str, others: list[str]) -> str:
    if not others:
        raise ResolutionError(f"{launcher} is given no package to run")
    return others.pop(0)


_Reader = Callable[[str, str, tuple[list[str], list[str]], str], Errand]
_LAUNCHERS: tuple[tuple[tuple[str, ...], _Reader], ...] = (
    (("npx",), _npm),
    (("npm", "exec"), _npm),
    (("npm", "x"), _npm),
    (("pnpm", "dlx"), _pnpm),
    (("pnpx",), _pnpm),
    (("bunx",), _bun),
    (("bun", "x"), _bun),
    (("uvx",), _uv),
    (("uv", "tool", "run"), _uv),
    (("pipx", "run"), _pipx),
)
