"""Units that a model can reach, found in sources before the first step.

Sources of kernels are followed for one model. Of a branch whose condition depends on the model
alone, only the side that is taken is followed; of other branches, both. So the units to compile are
known before the first step, and do not depend on the state.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import math
from collections.abc import Iterable, Mapping
from typing import Any

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.language.source import called_name, file_of, parameters, statements_of
from cortenforge.kernel.language.table import Table

BUILT_IN = {"math": math, "abs": abs, "min": min, "max": max, "int": int, "bool": bool}


class Unknown(Exception):  # noqa: N818 - not an error: a condition that only a step can decide
    """The value of an expression does not follow from the model alone."""


class Shared:
    """Model of a batch whose worlds may differ: reals that may differ raise Unknown."""

    def __init__(self, model: PlainStruct) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        if self._model._layout.entries[name].differs:
            raise Unknown(name)
        return getattr(self._model, name)


def evaluated(node: ast.expr, kernel: Kernel, values: Mapping[str, Any]) -> Any:
    """Value of an expression of known names; raises Unknown.

    Results of kernels are not known, since they may depend on more than the model.
    """
    module = dict(kernel.names())
    scope: dict[str, Any] = {}
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if part.id in values:
                scope[part.id] = values[part.id]
            elif part.id in module and not isinstance(module[part.id], (Kernel, Table)):
                scope[part.id] = module[part.id]
            elif part.id in BUILT_IN:
                scope[part.id] = BUILT_IN[part.id]
            else:
                raise Unknown(part.id)
    code = compile(ast.Expression(node), file_of(kernel), "eval")
    return eval(code, {"__builtins__": {}}, scope)


def decided(node: ast.expr, kernel: Kernel, values: Mapping[str, Any]) -> bool:
    """Whether a condition holds; raises Unknown. One known operand may decide an `and` or `or`."""
    if not isinstance(node, ast.BoolOp):
        return bool(evaluated(node, kernel, values))
    decisive, unknown = isinstance(node.op, ast.Or), False
    for part in node.values:
        try:
            if decided(part, kernel, values) == decisive:
                return decisive
        except (Unknown, IndexError):  # an operand before it may keep an index in range
            unknown = True
    if unknown:
        raise Unknown(ast.unparse(node))
    return not decisive


class Reach:
    """Follows kernels for one model; without a model, all branches."""

    def __init__(
        self,
        model: Any = None,
        *,
        lanes: bool = False,
        replaced: Mapping[str, Kernel] | None = None,
    ) -> None:
        """
        lanes:    worlds run in lockstep; kernels that are not lane-safe run world by world.
        replaced: kernels that stand in for others, by those others' names.
        """
        self.model, self.lanes = model, lanes
        self.replaced = replaced or {}
        #: (unit, whether it runs for one world among others)
        self.units: dict[tuple[str, bool], Kernel] = {}
        self._seen: set[tuple[Any, ...]] = set()

    def follow(self, root: Kernel) -> Reach:
        """Add a unit, and all units that it reaches."""
        self._unit(root, {}, alone=False)
        return self

    def found(self, *, alone: bool) -> list[Kernel]:
        """The units that run for all worlds together, or for one world among others."""
        return [unit for (_, way), unit in sorted(self.units.items()) if way == alone]

    def _unit(self, unit: Kernel, values: dict[str, Any], *, alone: bool) -> None:
        self.units[unit.name, alone] = unit
        self._kernel(unit, values, alone=alone)

    def _kernel(self, kernel: Kernel, values: dict[str, Any], *, alone: bool) -> None:
        if not _leads_to_units(kernel):
            return
        known = {name: value for name, value in values.items() if isinstance(value, int)}
        key = (kernel.name, alone, tuple(sorted(known.items())))
        if key not in self._seen:
            self._seen.add(key)
            if self.model is not None and "m" in parameters(kernel):
                known["m"] = self.model
            self._block(statements_of(kernel), kernel, known, alone)

    def _block(
        self, statements: Iterable[ast.stmt], kernel: Kernel, values: dict[str, Any], alone: bool
    ) -> None:
        for node in statements:
            self._statement(node, kernel, values, alone)

    def _statement(
        self, node: ast.stmt, kernel: Kernel, values: dict[str, Any], alone: bool
    ) -> None:
        if isinstance(node, ast.If):
            self._branch(node, kernel, values, alone)
            return
        if isinstance(node, (ast.For, ast.While)):
            _forget(values, node)
            self._calls(
                node.iter if isinstance(node, ast.For) else node.test, kernel, values, alone
            )
            self._block(node.body, kernel, values, alone)
            _forget(values, node)
            return
        self._calls(node, kernel, values, alone)
        _forget(values, node)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            with contextlib.suppress(Unknown):
                values[node.targets[0].id] = evaluated(node.value, kernel, values)

    def _branch(self, node: ast.If, kernel: Kernel, values: dict[str, Any], alone: bool) -> None:
        self._calls(node.test, kernel, values, alone)
        try:
            taken = [node.body if decided(node.test, kernel, values) else node.orelse]
        except Unknown:
            taken = [node.body, node.orelse]
        for statements in taken:
            self._block(statements, kernel, dict(values), alone)
        _forget(values, node)

    def _calls(self, node: ast.AST, kernel: Kernel, values: dict[str, Any], alone: bool) -> None:
        """Follow every call of a kernel in an expression."""
        calls = _calls_in(node)
        module = dict(kernel.names()) if calls else {}
        for part in calls:
            called = module.get(called_name(part))
            if isinstance(called, Kernel):
                self._call(called, part.args, kernel, values, alone)
            elif isinstance(called, Table):
                for one in called.reached(self.model):
                    self._call(one, part.args[1:], kernel, values, alone)

    def _call(
        self,
        called: Kernel,
        arguments: list[ast.expr],
        kernel: Kernel,
        values: dict[str, Any],
        alone: bool,
    ) -> None:
        called = self.replaced.get(called.name, called)
        inner: dict[str, Any] = {}
        for name, argument in zip(parameters(called), arguments, strict=False):
            # a field as a whole has no known value
            if not isinstance(argument, ast.Attribute):
                with contextlib.suppress(Unknown):
                    inner[name] = evaluated(argument, kernel, values)
        apart = alone or (self.lanes and kernel.lanes and not called.lanes)
        (self._unit if called.unit else self._kernel)(called, inner, alone=apart)


@functools.cache
def _leads_to_units(kernel: Kernel) -> bool:
    """Whether a kernel calls a unit, directly or not; others need not be followed."""
    return any(called.unit or _leads_to_units(called) for called in kernel.calls())


def _forget(values: dict[str, Any], node: ast.AST) -> None:
    """Remove the names that a statement stores from the known values."""
    for name in _stored_by(node):
        values.pop(name, None)


@functools.cache
def _calls_in(node: ast.AST) -> tuple[ast.Call, ...]:
    return tuple(part for part in ast.walk(node) if isinstance(part, ast.Call))


@functools.cache
def _stored_by(node: ast.AST) -> frozenset[str]:
    names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return frozenset(name.id for name in names if isinstance(name.ctx, ast.Store))
