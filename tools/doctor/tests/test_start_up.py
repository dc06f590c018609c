"""Help is cheap: what a check needs is imported only by a check."""

import subprocess
import sys

HEAVY = {
    "anyio", "jsonschema_rs", "orjson", "rich", "mcp", "tree_sitter", "tree_sitter_python", "packaging",
    "pathspec", "mcp_doctor.registry", "mcp_doctor.python.adapter",
}  # fmt: skip


def loaded(program: str) -> set[str]:
    command = [sys.executable, "-c", f"{program}; import sys; print('\\n'.join(sys.modules))"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_the_command_imports_nothing_heavy() -> None:
    assert HEAVY.isdisjoint(loaded("import mcp_doctor.cli"))


def test_a_grammar_is_loaded_when_a_file_of_its_language_is_parsed() -> None:
    modules = loaded("import mcp_doctor.engine.build")
    assert {name for name in modules if name.startswith("tree_sitter")} == set()
    parsed = loaded("from mcp_doctor.syntax.grammars import parse; parse('python', b'x = 1')")
    assert "tree_sitter_python" in parsed
    assert "tree_sitter_typescript" not in parsed
