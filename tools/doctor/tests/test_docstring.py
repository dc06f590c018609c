"""What docstrings say of parameters, in the forms that are in use."""

import pytest

from mcp_doctor.python.docstring import described_parameters

CASES = {
    "google": (
        "Do.\n\nArgs:\n    a: First.\n    b (int, optional): Second\n        goes on.\n\nReturns:\n    c: no",
        {"a", "b"},
    ),
    "google, text below": ("Do.\n\nArgs:\n    a:\n        First.\n    b: Second.", {"a", "b"}),
    "google, nested colons": (
        "Do.\n\nArgs:\n    a: One of:\n        x: this\n        y: that\n    b: B.",
        {"a", "b"},
    ),
    "google, stars": ("Do.\n\nParameters:\n    *args: All.\n    **kw: More.", {"args", "kw"}),
    "numpy": (
        ("Do.\n\nParameters\n----------\na : int\n    First.\nb, c : str\n    Both.\n\n"
        "Returns\n-------\nd : int\n    x"),
        {"a", "b", "c"},
    ),
    "rest": ("Do.\n\n:param a: First.\n:param int b: Second.\n:returns: c", {"a", "b"}),
    "list": ("Do.\n\n- a: First.\n- `b`: Second.", {"a", "b"}),
    "javadoc": ("Do.\n\n@param a First.\n@param b - Second.", {"a", "b"}),
    "nothing said": ("Do.\n\nArgs:\n    a:\n    b: Second.", {"b"}),
    "none": ("Do this: now.", set()),
    "empty": ("", set()),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_described(case: str) -> None:
    text, names = CASES[case]
    assert set(described_parameters(text)) == names
