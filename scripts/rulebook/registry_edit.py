"""Put a module of rules into the registry of its tool."""

import ast


def joined(text: str, package: str, module: str) -> str:
    """Give a registry that imports the module from `package` and lists it as it lists the others.

    The list is the first tuple at the top whose items are all modules of rules, or all one attribute of such
    (`crash`, `crash.RULE`). The result wants sorting and formatting. Raises LookupError where the import or
    the tuple is not there.
    """
    tree = ast.parse(text)
    found = _import(tree, package)
    modules = {alias.asname or alias.name for alias in found.names}
    items = _listing(tree, modules)
    member = module if isinstance(items.elts[0], ast.Name) else f"{module}.{_attribute(items.elts[0])}"
    names = ", ".join(sorted([*modules, module]))
    changed = _appended(text, items, member).splitlines(keepends=True)
    changed[found.lineno - 1 : found.end_lineno] = [f"from {package} import {names}\n"]
    return "".join(changed)


def _import(tree: ast.Module, package: str) -> ast.ImportFrom:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == package:
            return node
    raise LookupError(f"imports nothing from {package}")


def _listing(tree: ast.Module, modules: set[str]) -> ast.Tuple:
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Tuple) and value.elts and all(_is_of(item, modules) for item in value.elts):
            return value
    raise LookupError("has no tuple of modules of rules")


def _is_of(item: ast.expr, modules: set[str]) -> bool:
    holder = item.value if isinstance(item, ast.Attribute) else item
    return isinstance(holder, ast.Name) and holder.id in modules


def _attribute(item: ast.expr) -> str:
    return item.attr if isinstance(item, ast.Attribute) else ""


def _appended(text: str, items: ast.Tuple, member: str) -> str:
    """Write one more item before the closing bracket of a tuple."""
    lines = text.splitlines(keepends=True)
    row, column = (items.end_lineno or items.lineno) - 1, (items.end_col_offset or 1) - 1
    before = "".join(lines[:row]) + lines[row][:column]
    behind = lines[row][column:] + "".join(lines[row + 1 :])
    comma = "" if before.rstrip().endswith(",") else ","
    return f"{before.rstrip()}{comma} {member},{behind}"
