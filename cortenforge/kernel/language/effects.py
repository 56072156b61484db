"""Fields that a kernel reads and writes, found in its source."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.source import called_name, parameters, syntax_of
from cortenforge.kernel.language.table import Table


@dataclass(frozen=True)
class Effects:
    """Fields as (parameter, field); a field passed as a parameter itself is (parameter, "")."""

    reads: frozenset[tuple[str, str]]
    writes: frozenset[tuple[str, str]]

    def written_fields(self, struct: str) -> set[str]:
        """Names of the fields of a struct parameter that are written."""
        return {field for owner, field in self.writes if owner == struct}

    def read_fields(self, struct: str) -> set[str]:
        """Names of the fields of a struct parameter that are read."""
        return {field for owner, field in self.reads if owner == struct}


@functools.cache
def effects_of(kernel: Kernel) -> Effects:
    """Effects of a kernel, with those of all kernels that it calls."""
    return _effects(kernel, through_structs=True)


@functools.cache
def own_effects(kernel: Kernel) -> Effects:
    """Effects of the kernel's own source.

    Includes fields that it passes to others to be written, but not what others do with a whole
    struct.
    """
    return _effects(kernel, through_structs=False)


def _effects(kernel: Kernel, *, through_structs: bool) -> Effects:
    visitor = _Visitor(kernel, through_structs)
    visitor.visit(syntax_of(kernel))
    return Effects(frozenset(visitor.reads), frozenset(visitor.writes))


class _Visitor(ast.NodeVisitor):
    def __init__(self, kernel: Kernel, through_structs: bool) -> None:
        self.parameters = set(parameters(kernel))
        self.called = {
            name: value for name, value in kernel.names() if isinstance(value, (Kernel, Table))
        }
        self.through_structs = through_structs
        self.reads: set[tuple[str, str]] = set()
        self.writes: set[tuple[str, str]] = set()

    def _field(self, node: ast.expr) -> tuple[str, str] | None:
        """(parameter, field) of an expression: `d.xpos`, or a parameter that is a field."""
        if isinstance(node, ast.Call) and called_name(node) == "world":
            return self._field(node.args[0])
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in self.parameters:
                return node.value.id, node.attr
        elif isinstance(node, ast.Name) and node.id in self.parameters:
            return node.id, ""
        return None

    def visit_Attribute(self, node: ast.Attribute) -> None:
        field = self._field(node)
        if field:
            (self.writes if isinstance(node.ctx, ast.Store) else self.reads).add(field)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        field = self._field(node.value)
        if field is None:
            self.generic_visit(node)
            return
        (self.writes if isinstance(node.ctx, ast.Store) else self.reads).add(field)
        self.visit(node.slice)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target.value if isinstance(node.target, ast.Subscript) else node.target
        field = self._field(target)
        if field:
            self.reads.add(field)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        callee = self.called.get(called_name(node))
        if isinstance(callee, Kernel):
            self._call(callee, node.args)
        elif callee is not None:
            # a call of a table: any of its kernels, with the arguments after the number
            for one in callee.kernels:
                self._call(one, node.args[1:])
            self.visit(node.args[0])
        else:
            self.generic_visit(node)

    def _call(self, callee: Kernel, arguments: list[ast.expr]) -> None:
        inner = effects_of(callee)
        for name, argument in zip(parameters(callee), arguments, strict=False):
            field = self._field(argument)
            if field is None:
                self.visit(argument)
            elif field[1] == "" and self.through_structs:
                # the same parameter under another name
                self.reads |= {(field[0], f) for owner, f in inner.reads if owner == name}
                self.writes |= {(field[0], f) for owner, f in inner.writes if owner == name}
            else:
                # elements of a field, or components of a value that is a field by itself
                if any(owner == name and (field[1] or not f) for owner, f in inner.reads):
                    self.reads.add(field)
                self.writes |= {field for owner, f in inner.writes if owner == name and not f}
