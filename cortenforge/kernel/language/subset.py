"""Check of the kernel subset on source: what every target can compile.

`check` raises a SubsetError that names file, line and rule. The rules:

    parameters   plain positional; a unit takes (m, d), an entry (m, d, count)
    statements   assignment, if, for over range or eights, while, break, continue, return, calls of
                 kernels
    expressions  arithmetic, comparison, boolean, conditional, indexing by element or component
    names        parameters, locals, constants of the module, kernels, value types, math functions
    calls        kernels, tables, value types, functions of `values`, min, max, abs, math.*
    one type     a name is an integer, or a real, or a value, throughout a function
    lanes        in a lane-safe kernel, control flow and indices never depend on data
    eights       in a loop over independent elements, iterations share nothing that they write
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NoReturn

from cortenforge.errors import SubsetError
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.eights import check_eights
from cortenforge.kernel.language.kinds import check_one_type
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.source import called_name, file_of, parameters, syntax_of
from cortenforge.kernel.language.table import Table
from cortenforge.kernel.language.uniform import check_uniform_control
from cortenforge.kernel.language.values import (
    CLASSES,
    any_lane,
    bit,
    count_bits,
    eights,
    floor_real,
    in_lane,
    lane_bits,
    lowest_bit,
    select,
    without_lowest,
    world,
    zero_like,
)

STATEMENTS = (
    ast.Assign, ast.AugAssign, ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Return,
    ast.Expr, ast.Pass,
)  # fmt: skip
EXPRESSIONS = (
    ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Subscript, ast.Attribute,
    ast.Name, ast.Constant, ast.Call, ast.Tuple,
)  # fmt: skip
MATH = {"sqrt", "sin", "cos", "tan", "atan2", "atan", "acos", "asin", "exp", "log", "floor", "pow"}
FUNCTIONS = {"min", "max", "abs", "range"}
LANGUAGE = (
    select, any_lane, floor_real, lane_bits, in_lane, world, zero_like, bit, lowest_bit,
    without_lowest, count_bits, eights,
)  # fmt: skip
#: integers that a unit takes beyond its structs
MOST = 3


def check(kernel: Kernel, structs: Mapping[str, StructLayout]) -> None:
    """Raise a SubsetError if a kernel leaves the subset; `structs` are the layouts of m and d."""
    _Checker(kernel).run()
    check_one_type(kernel, structs)
    check_eights(kernel)
    if kernel.lanes:
        check_uniform_control(kernel, structs)


class _Checker:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.tree = syntax_of(kernel)
        self.names = dict(kernel.names())
        self.locals = {
            node.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        } | set(parameters(kernel))

    def fail(self, node: ast.AST, rule: str, message: str) -> NoReturn:
        line = getattr(node, "lineno", self.tree.lineno)
        raise SubsetError(file_of(self.kernel), line, rule, f"{self.kernel.name}: {message}")

    def run(self) -> None:
        self.check_parameters()
        self.check_recursion()
        body = self.tree.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        for statement in body:
            self.statement(statement)

    def check_parameters(self) -> None:
        a = self.tree.args
        if a.vararg or a.kwarg or a.kwonlyargs or a.defaults or a.posonlyargs:
            self.fail(self.tree, "parameters", "only plain parameters without defaults")
        named = parameters(self.kernel)
        if self.kernel.entry and named != ["m", "d", "count"]:
            self.fail(self.tree, "parameters", "an entry takes (m, d, count)")
        whole = all(
            isinstance(one.annotation, ast.Name) and one.annotation.id == "int"
            for one in a.args[2:]
        )
        if self.kernel.unit and (named[:2] != ["m", "d"] or not whole or len(named) > 2 + MOST):
            self.fail(self.tree, "parameters", f"a unit takes (m, d) and at most {MOST} integers")

    def check_recursion(self) -> None:
        seen: set[str] = set()
        waiting = self.kernel.calls()
        while waiting:
            callee = waiting.pop()
            if callee is self.kernel:
                self.fail(self.tree, "calls", "recursion")
            if callee.name not in seen:
                seen.add(callee.name)
                waiting.extend(callee.calls())

    def statement(self, node: ast.stmt) -> None:
        if not isinstance(node, STATEMENTS):
            self.fail(node, "statements", f"{type(node).__name__} is not in the subset")
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call):
            self.fail(node, "statements", "an expression by itself does nothing")
        if isinstance(node, ast.Assign):
            self.assignment(node)
        if isinstance(node, ast.For):
            self.loop(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            elif isinstance(child, ast.expr):
                self.expression(child)

    def assignment(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            self.fail(node, "statements", "one target an assignment")
        for target in ast.walk(node.targets[0]):
            if isinstance(target, ast.Starred):
                self.fail(node, "statements", "no starred targets")

    def loop(self, node: ast.For) -> None:
        called = called_name(node.iter) if isinstance(node.iter, ast.Call) else ""
        known = called in ("range", "eights")
        if not known or not isinstance(node.target, ast.Name) or node.orelse:
            self.fail(node, "statements", "loops are `for name in range(...)`, without else")

    def expression(self, node: ast.expr) -> None:
        if not isinstance(node, EXPRESSIONS):
            self.fail(node, "expressions", f"{type(node).__name__} is not in the subset")
        if isinstance(node, ast.Call):
            self.call(node)
            return
        if isinstance(node, ast.Name):
            self.name(node)
        if isinstance(node, ast.Constant) and not isinstance(node.value, (int, float)):
            self.fail(node, "expressions", f"constant {node.value!r} is not a number")
        index = node.slice if isinstance(node, ast.Subscript) else None
        if isinstance(index, ast.Tuple) and len(index.elts) != 2:
            self.fail(node, "expressions", "index an element [i] or a component [i, k]")
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child)

    def name(self, node: ast.Name) -> None:
        if node.id in self.locals:
            return
        value = self.names.get(node.id)
        if isinstance(value, (bool, int, float)):
            return
        self.fail(node, "names", f"{node.id!r} is not a parameter, a local or a numeric constant")

    def call(self, node: ast.Call) -> None:
        if node.keywords:
            self.fail(node, "calls", "no keyword arguments")
        function = node.func
        if isinstance(function, ast.Attribute):
            owner = function.value
            known = isinstance(owner, ast.Name) and owner.id == "math" and function.attr in MATH
            if not known:
                self.fail(node, "calls", f"only math functions: {', '.join(sorted(MATH))}")
        else:
            name = called_name(node)
            value = self.names.get(name)
            allowed = isinstance(value, (Kernel, Table)) or value in LANGUAGE
            allowed = allowed or value in CLASSES.values() or name in FUNCTIONS
            if not allowed:
                self.fail(node, "calls", f"{ast.unparse(function)} is not a kernel or a value type")
        for argument in node.args:
            self.expression(argument)
