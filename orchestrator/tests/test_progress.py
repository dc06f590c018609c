import io

from mcp_trust_check.progress import Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_live_line_for_each_tool() -> None:
    terminal = Terminal()
    progress = Progress(terminal, {"CI": "true"})
    progress.show("guard", "running")
    progress.show("fuzz", "running")
    progress.show("guard", "done, 2 findings")
    progress.clear()

    assert terminal.getvalue() == (
        "\x1b[2Kguard: running\n"
        "\x1b[1F\x1b[2Kguard: running\n\x1b[2Kfuzz: running\n"
        "\x1b[2F\x1b[2Kguard: done, 2 findings\n\x1b[2Kfuzz: running\n"
        "\x1b[2F\x1b[J"
    )


def test_ci_has_plain_lines() -> None:
    log = io.StringIO()
    progress = Progress(log, {"CI": "true"})
    progress.show("guard", "running")
    progress.show("guard", "done, 2 findings")
    progress.clear()

    assert log.getvalue() == "guard: running\nguard: done, 2 findings\n"


def test_elsewhere_nothing_is_said() -> None:
    log = io.StringIO()
    Progress(log, {}).show("guard", "running")

    assert log.getvalue() == ""
