"""The README shows what the commands really print."""

from collections.abc import Callable

from scripts.readme_output import README, filled


def test_demo_output_is_the_real_one() -> None:
    readme = README.read_text(encoding="utf-8")
    assert filled(readme, ["demo", "demo-fixed"]) == readme


def test_server_output_is_the_real_one(node_server: Callable[[str], list[str]]) -> None:
    assert node_server("everything")
    readme = README.read_text(encoding="utf-8")
    assert filled(readme, ["server-everything"]) == readme
