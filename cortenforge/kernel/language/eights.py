"""Loops over independent elements, `for k in eights(first, last)`: rules, and eight at a time.

What an iteration does must not depend on what another does, so the compiler may do eight at once
in a kernel of one world: the counter becomes an integer a lane, and so does all that follows from
it. Here are the rules that ensure it, as far as source can show, and the rewriting.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator
from typing import NoReturn

from cortenforge.errors import SubsetError
from cortenforge.kernel.language.conditions import WithoutJumps
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.effects import effects_of
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.language.source import (
    called_name,
    file_of,
    parameters,
    statements_of,
    syntax_of,
)
from cortenforge.kernel.language.table import Table

#: the lengths of such loops are multiples of it, on every processor
EIGHT = 8
#: name under which compiled kernels find the function that makes a counter of eight
COUNTER = "counter_of_eight"
#: what asks about worlds, and so has no meaning among elements
OF_WORLDS = {"lane_bits", "in_lane", "world"}


def is_eights(node: ast.AST) -> bool:
    """Whether a statement is a loop over independent elements."""
    return (
        isinstance(node, ast.For)
        and isinstance(node.iter, ast.Call)
        and called_name(node.iter) == "eights"
    )


def loops_of_eights(tree: ast.AST) -> list[ast.For]:
    """The loops over independent elements in a kernel's text."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.For) and is_eights(node)]


# ---------------------------------------------------------------------- rules


def check_eights(kernel: Kernel) -> None:
    """Raise a SubsetError where an iteration of such a loop may depend on others."""
    tree = syntax_of(kernel)
    loops = loops_of_eights(tree)
    calls = {id(loop.iter) for loop in loops}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called_name(node) == "eights":
            if id(node) not in calls or len(node.args) != 2:
                _fail(kernel, node, "it is written `for name in eights(first, last)`")
            if kernel.lanes:
                _fail(kernel, node, "a lane-safe kernel has eight worlds; only stages of one do")
    for loop in loops:
        _Loop(kernel, loop).check()
    _Names(kernel).block(statements_of(kernel), set(parameters(kernel)))


def _fail(kernel: Kernel, node: ast.AST, message: str) -> NoReturn:
    line = getattr(node, "lineno", 0)
    raise SubsetError(file_of(kernel), line, "eights", f"{kernel.name}: {message}")


class _Loop:
    """What may stand in one such loop."""

    def __init__(self, kernel: Kernel, loop: ast.For) -> None:
        self.kernel, self.loop = kernel, loop
        self.names = dict(kernel.names())
        self.differing = differing_names(loop)

    def fail(self, node: ast.AST, message: str) -> NoReturn:
        _fail(self.kernel, node, message)

    def check(self) -> None:
        for statement in self.loop.body:
            for node in ast.walk(statement):
                self.node(node)
        for node in _own_jumps(self.loop.body):
            self.fail(node, "iterations are done together: none can be left or skipped")

    def node(self, node: ast.AST) -> None:
        """Anything in the loop, by itself."""
        if is_eights(node):
            self.fail(node, "such loops are not nested")
        if isinstance(node, ast.Return):
            self.fail(node, "iterations are done together: none can be left or skipped")
        for part in _deciding_parts(node):
            if differs(part, self.differing):
                self.fail(part, f"`{ast.unparse(part)}` differs between iterations; use select")
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            index = node.slice if isinstance(node, ast.Subscript) else None
            if index is None or not differs(index, self.differing):
                self.fail(node, f"each iteration would write `{ast.unparse(node)}`")
        if isinstance(node, ast.BoolOp):
            self.junction(node)
        if isinstance(node, ast.Call):
            self.call(node)

    def junction(self, node: ast.BoolOp) -> None:
        """Behind an operand that differs all others are evaluated, so it cannot guard an index."""
        for k, operand in enumerate(node.values):
            if not any(differs(before, self.differing) for before in node.values[:k]):
                continue
            for part in ast.walk(operand):
                if isinstance(part, ast.Subscript) and self.may_leave(part.slice):
                    self.fail(
                        part,
                        f"`{ast.unparse(part)}` is read whatever stands before it in a condition: "
                        "its index must be in range, so set a name to it",
                    )

    def may_leave(self, index: ast.expr) -> bool:
        """Whether an index differs and is another than the counter, which is in range."""
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        counters = _stored(self.loop.target)
        return any(
            differs(part, self.differing)
            for part in parts
            if not (isinstance(part, ast.Name) and part.id in counters)
        )

    def call(self, node: ast.Call) -> None:
        """Kernels that are called are lane-safe, and give something back instead of writing."""
        name = called_name(node)
        value = self.names.get(name)
        if name in OF_WORLDS or isinstance(value, Table):
            self.fail(node, f"{name} has no meaning for eight elements of one world")
        if not isinstance(value, Kernel):
            return
        if not value.lanes:
            self.fail(node, f"{name} is not lane-safe")
        if effects_of(value).writes:
            self.fail(node, f"{name} writes; let it return what is to be written")
        for parameter, argument in zip(syntax_of(value).args.args, node.args, strict=False):
            if parameter.annotation is not None and differs(argument, self.differing):
                self.fail(argument, f"{name} takes an integer that all lanes share")


class _Names:
    """A name that such a loop sets is set again before it is used: in each of its iterations, and
    behind it."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.inner = _set_in_eights(syntax_of(kernel))

    def block(self, statements: Iterable[ast.stmt], known: set[str]) -> set[str]:
        """Names that are set for sure behind statements, if these are before them."""
        for node in statements:
            if isinstance(node, ast.If):
                self.uses(node.test, known)
                known = self.block(node.body, known) & self.block(node.orelse, known)
            elif isinstance(node, (ast.For, ast.While)):
                self.uses(node.iter if isinstance(node, ast.For) else node.test, known)
                counter = _stored(node.target) if isinstance(node, ast.For) else set()
                known = known - _set_in_eights(node)
                self.block(node.body, known | counter)
            else:
                self.uses(node, known)
                known = known | _stored(node)
        return known

    def uses(self, node: ast.AST, known: set[str]) -> None:
        for part in ast.walk(node):
            updated = isinstance(node, ast.AugAssign) and part is node.target
            if not isinstance(part, ast.Name) or part.id in known or part.id not in self.inner:
                continue
            if updated or isinstance(part.ctx, ast.Load):
                _fail(self.kernel, part, f"{part.id!r} comes from another iteration")


def _set_in_eights(tree: ast.AST) -> set[str]:
    return {name for loop in loops_of_eights(tree) for name in _stored(loop)}


def _stored(node: ast.AST) -> set[str]:
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _own_jumps(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """What leaves or skips an iteration; loops inside may be left."""
    for node in statements:
        if isinstance(node, (ast.Break, ast.Continue)):
            yield node
        elif isinstance(node, ast.If):
            yield from _own_jumps([*node.body, *node.orelse])


def _deciding_parts(node: ast.AST) -> list[ast.expr]:
    """Expressions that decide what is executed."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return [node.test]
    if isinstance(node, ast.Call) and called_name(node) == "range":
        return list(node.args)
    return []


def differing_names(loop: ast.For) -> set[str]:
    """Names that differ between iterations: the counter, and what follows from it."""
    found = _stored(loop.target)
    while True:
        before = len(found)
        for node in ast.walk(loop):
            if isinstance(node, (ast.Assign, ast.AugAssign)) and differs(node.value, found):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {name for target in targets for name in _stored(target)}
        if len(found) == before:
            return found


def differs(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression follows from some of these names."""
    if isinstance(node, ast.Call) and called_name(node) == "any_lane":
        return False
    if isinstance(node, ast.Name):
        return node.id in names
    children = (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return any(differs(child, names) for child in children)


# ---------------------------------------------------------------------- eight at a time


def of_eight(name: str) -> str:
    """A name of its own: of a kernel that is called for eight elements, of a loop's first one."""
    return f"{name}_of_eight"


def called_by_eights(kernel: Kernel) -> dict[str, Kernel]:
    """Kernels that are called in loops over independent elements, by name."""
    loops = loops_of_eights(syntax_of(kernel))
    calls = (part for loop in loops for part in ast.walk(loop) if isinstance(part, ast.Call))
    names = dict(kernel.names()) if loops else {}
    found = {called_name(call): names.get(called_name(call)) for call in calls}
    return {name: value for name, value in found.items() if isinstance(value, Kernel)}


class EightAtOnce(ast.NodeTransformer):
    """Makes loops over independent elements into loops over eight, or as many as lanes are."""

    def __init__(self, kernel: Kernel) -> None:
        self.called = called_by_eights(kernel)

    def of(self, function: ast.FunctionDef) -> ast.FunctionDef:
        """A copy of a function with such loops."""
        made = self.visit(copy.deepcopy(function))
        assert isinstance(made, ast.FunctionDef)
        return made

    def visit_For(self, node: ast.For) -> ast.For:
        if not is_eights(node):
            self.generic_visit(node)
            return node
        assert isinstance(node.iter, ast.Call) and isinstance(node.target, ast.Name)
        span = node.iter.args
        if EIGHT % LANES:
            return _loop(node.target, span, node.body, node)
        names = differing_names(node)
        jumps = WithoutJumps(lambda part: not differs(part, names))
        renamed = _Renamed(set(self.called))
        first = of_eight(node.target.id)
        counter = ast.Call(ast.Name(COUNTER, ast.Load()), [ast.Name(first, ast.Load())], [])
        body = [
            ast.copy_location(ast.Assign([node.target], counter), node),
            *(jumps.visit(renamed.visit(part)) for part in node.body),
        ]
        return _loop(ast.Name(first, ast.Store()), [*span, ast.Constant(LANES)], body, node)


def _loop(counter: ast.expr, span: list[ast.expr], body: list[ast.stmt], place: ast.For) -> ast.For:
    """A loop over a range."""
    numbers = ast.Call(ast.Name("range", ast.Load()), span, [])
    return ast.copy_location(ast.For(counter, numbers, body, []), place)


class _Renamed(ast.NodeTransformer):
    """Calls kernels by the names they have for eight elements."""

    def __init__(self, called: set[str]) -> None:
        self.called = called

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.called:
            node.func.id = of_eight(node.func.id)
        return node
