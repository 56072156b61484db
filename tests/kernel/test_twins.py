"""No physics stands twice: the bodies of all kernels differ, whatever their names are called."""

from __future__ import annotations

import ast
import copy
from collections import defaultdict

import cortenforge.warmup  # noqa: F401 - registers every kernel
from cortenforge.kernel import all_kernels
from cortenforge.kernel.language.source import syntax_of


class _Renamed(ast.NodeTransformer):
    """Names of a function's own by their order, without annotations."""

    def __init__(self, own: set[str]) -> None:
        self.numbers: dict[str, str] = {}
        self.own = own

    def _name(self, name: str) -> str:
        return self.numbers.setdefault(name, f"v{len(self.numbers)}") if name in self.own else name

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._name(node.arg))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._name(node.id), node.ctx)


def body_of(syntax: ast.FunctionDef) -> str:
    """What a function computes, without docstring; "" if it looks at none of its arguments."""
    function = copy.deepcopy(syntax)
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        del function.body[0]
    given = {argument.arg for argument in function.args.args}
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    if not given & {name.id for name in names}:
        return ""
    stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    renamed = _Renamed(given | stored).visit(function)
    return ast.dump(ast.Module([renamed.args, *renamed.body], []))


def test_no_kernel_stands_twice() -> None:
    """Kernels with the same arguments and the same body would be one kernel."""
    found = defaultdict(list)
    for kernel in all_kernels():
        if kernel.function.__module__.startswith("cortenforge."):
            found[body_of(syntax_of(kernel))].append(kernel.name)
    twins = [names for body, names in found.items() if body and len(names) > 1]
    assert len(found) > 1000
    assert not twins


def test_names_do_not_matter() -> None:
    """Two spellings of one function are seen to be the same, another function is not."""
    texts = (
        'def last(m, b: int):\n    """Last."""\n    end = m.adr[b] + m.num[b]\n    return end - 1',
        "def final(m, body):\n    x = m.adr[body] + m.num[body]\n    return x - 1",
        "def first(m, b: int):\n    end = m.adr[b] + m.num[b]\n    return end - 2",
    )
    parsed = [ast.parse(text).body[0] for text in texts]
    one, same, other = [body_of(node) for node in parsed if isinstance(node, ast.FunctionDef)]
    assert one == same != other
