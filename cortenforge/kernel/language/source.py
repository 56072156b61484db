"""The source of kernels as syntax trees."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap

from cortenforge.kernel.language.decorator import Kernel


@functools.cache
def syntax_of(kernel: Kernel) -> ast.FunctionDef:
    """The kernel's function, with line numbers of its file."""
    lines, first = inspect.getsourcelines(kernel.function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    return function


def file_of(kernel: Kernel) -> str:
    """Path of the file that holds the kernel."""
    return inspect.getsourcefile(kernel.function) or kernel.function.__module__


def parameters(kernel: Kernel) -> list[str]:
    """Names of the kernel's parameters."""
    return [argument.arg for argument in syntax_of(kernel).args.args]


def called_name(call: ast.Call) -> str:
    """The name by which a function is called; "" if it is not a plain name."""
    return call.func.id if isinstance(call.func, ast.Name) else ""
