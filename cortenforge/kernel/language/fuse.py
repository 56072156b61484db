"""Products that are added are fused into one rounding, by a rule on source.

The compiler could fuse by itself, but it decides differently for one world and for eight, and then
their bits differ. Here `a * b + c` in a kernel's text becomes one fused multiply-add on every CPU
target, wherever it stands; of two products the left one is fused. `run_on` follows the same rule
where it runs kernels as plain Python; a kernel that is called as a Python function does not fuse,
and so differs from compiled code in last bits.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from types import FunctionType
from typing import Any

from cortenforge.kernel.language.conditions import WithoutJumps
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.eights import EightAtOnce
from cortenforge.kernel.language.source import file_of, syntax_of

#: names under which compiled kernels find the functions of `numba_fuse`
MULTIPLY_ADD = "fused_multiply_add"
MULTIPLY_SUBTRACT = "fused_multiply_subtract"
SUBTRACT_PRODUCT = "fused_subtract_product"


def plain_code(kernel: Kernel) -> ast.Module:
    """The kernel as a module with one function, without decorators and annotations."""
    function = copy.deepcopy(syntax_of(kernel))
    function.decorator_list = []
    for argument in function.args.args:
        argument.annotation = None
    return ast.Module([function], [])


def compiled_code(
    kernel: Kernel, *, fuse: bool, is_uniform: Callable[[ast.expr], bool] | None = None
) -> ast.Module:
    """The kernel as a module with one function: products fused, conditions without jumps, and
    independent elements eight at a time.

    is_uniform: for worlds in lockstep, whether an expression is the same in all of them.
    """
    function = EightAtOnce(kernel).of(syntax_of(kernel))
    if is_uniform is not None:
        function = WithoutJumps(is_uniform).visit(function)
    function.decorator_list = []
    for argument in function.args.args:
        argument.annotation = None
    if fuse:
        function = _Fuser().visit(function)
    return ast.fix_missing_locations(ast.Module([function], []))


def compiled_function(
    kernel: Kernel,
    scope: dict[str, Any],
    *,
    fuse: bool,
    is_uniform: Callable[[ast.expr], bool] | None = None,
) -> FunctionType:
    """The kernel's function as it is compiled, made in a scope."""
    made = compiled_code(kernel, fuse=fuse, is_uniform=is_uniform)
    exec(compile(made, file_of(kernel), "exec"), scope)
    function: FunctionType = scope[kernel.function.__name__]
    return function


class _Fuser(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return fused_operation(node.left, node.op, node.right, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.op, (ast.Add, ast.Sub)) or not is_product(node.value):
            return node
        current = copy.deepcopy(node.target)
        current.ctx = ast.Load()
        value = fused_operation(current, node.op, node.value, node)
        return ast.copy_location(ast.Assign([node.target], value), node)


def is_product(node: ast.expr) -> bool:
    """Whether an expression is a product."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)


def fused_operation(left: ast.expr, op: ast.operator, right: ast.expr, place: ast.AST) -> ast.expr:
    """A sum or difference with its product fused, if it has one; any other operation as it is."""
    name, product, other = "", left, right
    if isinstance(op, ast.Add) and is_product(left):
        name = MULTIPLY_ADD
    elif isinstance(op, ast.Sub) and is_product(left):
        name = MULTIPLY_SUBTRACT
    elif isinstance(op, (ast.Add, ast.Sub)) and is_product(right):
        name = MULTIPLY_ADD if isinstance(op, ast.Add) else SUBTRACT_PRODUCT
        product, other = right, left
    if not name:
        return ast.copy_location(ast.BinOp(left, op, right), place)
    assert isinstance(product, ast.BinOp)
    call = ast.Call(ast.Name(name, ast.Load()), [product.left, product.right, other], [])
    return ast.copy_location(call, place)
