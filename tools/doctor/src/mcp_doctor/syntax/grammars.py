"""Parsers for source files; a grammar is imported when the first file of its language is parsed."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

PYTHON = "python"
JAVASCRIPT = "javascript"
TYPESCRIPT = "typescript"
TSX = "tsx"

GRAMMARS = {
    ".py": PYTHON,
    ".pyw": PYTHON,
    ".js": JAVASCRIPT,
    ".mjs": JAVASCRIPT,
    ".cjs": JAVASCRIPT,
    ".jsx": JAVASCRIPT,
    ".ts": TYPESCRIPT,
    ".mts": TYPESCRIPT,
    ".cts": TYPESCRIPT,
    ".tsx": TSX,
}
"""The grammar for each file name extension that is read."""


@cache
def language(grammar: str) -> "Language":
    """Load a grammar."""
    from tree_sitter import Language  # noqa: PLC0415 - costs start-up time, and help needs none

    match grammar:
        case "python":
            import tree_sitter_python  # noqa: PLC0415

            return Language(tree_sitter_python.language())
        case "javascript":
            import tree_sitter_javascript  # noqa: PLC0415

            return Language(tree_sitter_javascript.language())
        case "typescript":
            import tree_sitter_typescript  # noqa: PLC0415

            return Language(tree_sitter_typescript.language_typescript())
        case "tsx":
            import tree_sitter_typescript  # noqa: PLC0415

            return Language(tree_sitter_typescript.language_tsx())
    raise ValueError(f"there is no grammar {grammar!r}")


def parse(grammar: str, source: bytes) -> "Node":
    """Parse UTF-8 source and give the root; what could not be parsed is in nodes of type ERROR."""
    from tree_sitter import Parser  # noqa: PLC0415

    return Parser(language(grammar)).parse(source).root_node


@cache
def query(grammar: str, pattern: str) -> "Query":
    """Compile a query, once."""
    from tree_sitter import Query  # noqa: PLC0415

    return Query(language(grammar), pattern)


def captures(grammar: str, pattern: str, node: "Node") -> dict[str, list["Node"]]:
    """Find the nodes that a query names, below a node and in the order of the text."""
    from tree_sitter import QueryCursor  # noqa: PLC0415

    found = QueryCursor(query(grammar, pattern)).captures(node)
    return {name: sorted(nodes, key=lambda one: one.start_byte) for name, nodes in found.items()}
