"""What a model decides in a kernel: values that follow from it, and values that it does not have.

A branch that no state of the model can take is not translated, so a shader holds only the joint
types, geoms and constraints that its model has: `m.jnt_type[j] == BALL` is false if no joint is a
ball, whatever j is.
"""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.plain import PlainField
from cortenforge.kernel.language.reach import Unknown, evaluated
from cortenforge.kernel.language.source import called_name

#: values that are followed one by one
MOST_VALUES = 24
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt,
    ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
JOINED: dict[type[ast.operator], Callable[[Any, Any], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip

Values = frozenset[int]


class KnownFields:
    """Data, of which a few fields have one value whatever the state is."""

    def __init__(self, values: Mapping[str, int]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> int:
        if name not in self._values:
            raise Unknown(name)
        return self._values[name]


class Facts:
    """What is known at one place of a kernel."""

    def __init__(
        self, kernel: Kernel, names: Mapping[str, Any], possible: Mapping[str, Values]
    ) -> None:
        """
        names:    names whose value is known, the model among them.
        possible: locals of which the possible values are known.
        """
        self.kernel, self.names, self.possible = kernel, names, possible

    def decided(self, test: ast.expr) -> bool | None:
        """Whether a condition holds in every state; None if that depends on the state."""
        match test:
            case ast.BoolOp(op=op, values=parts):
                decisive = isinstance(op, ast.Or)
                found = [self.decided(part) for part in parts]
                if decisive in found:
                    return decisive
                return None if None in found else not decisive
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.decided(operand)
                return None if inner is None else not inner
            case ast.Compare():
                return self._compared(test)
        values = self.values_of(test)
        truths = set() if values is None else {bool(value) for value in values}
        return truths.pop() if len(truths) == 1 else None

    def _compared(self, test: ast.Compare) -> bool | None:
        sides = [test.left, *test.comparators]
        links: list[bool | None] = []
        for op, one, other in zip(test.ops, sides[:-1], sides[1:], strict=True):
            a, b = self.values_of(one), self.values_of(other)
            if a is None or b is None or type(op) not in COMPARED:
                links.append(None)
                continue
            found = {COMPARED[type(op)](x, y) for x, y in itertools.product(a, b)}
            # a field without elements is never read
            links.append(None if len(found) > 1 else found.pop() if found else False)
        if False in links:
            return False
        return None if None in links else True

    def values_of(self, node: ast.expr) -> Values | None:
        """The values that an integer expression can have; None if they are not known."""
        value = self.value_of(node)
        if value is not None:
            return frozenset({value})
        match node:
            case ast.Name(id=name):
                return self.possible.get(name)
            case ast.Subscript():
                return self._elements(node.value)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                taken = self.decided(test)
                sides = [body, orelse] if taken is None else [body if taken else orelse]
                return self._joined(sides)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in JOINED:
                a, b = self.values_of(left), self.values_of(right)
                if a is None or b is None or len(a) * len(b) > MOST_VALUES:
                    return None
                return frozenset(JOINED[type(op)](x, y) for x, y in itertools.product(a, b))
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                found = self.decided(node)
                return None if found is None else frozenset({int(found)})
            case ast.Call(args=[ast.Compare(left=one, ops=[ast.Eq()], comparators=[other])]):
                # worlds in lockstep ask for their number; a thread has one
                same = ast.dump(one) == ast.dump(other)
                return frozenset({1}) if same and called_name(node) == "lane_bits" else None
        return None

    def _joined(self, sides: list[ast.expr]) -> Values | None:
        found: Values = frozenset()
        for side in sides:
            values = self.values_of(side)
            if values is None:
                return None
            found |= values
        return found

    def _elements(self, node: ast.expr) -> Values | None:
        """Values of all elements of an integer field of the model."""
        try:
            field = evaluated(node, self.kernel, self.names)
        except (Unknown, IndexError, AttributeError):
            return None
        if not isinstance(field, PlainField) or field.numbers.dtype.kind not in "iu":
            return None
        different = np.unique(field.numbers)
        return None if different.size > MOST_VALUES else frozenset(different.tolist())

    def value_of(self, node: ast.expr) -> int | None:
        """The value of an integer expression that follows from the model alone."""
        try:
            found = evaluated(node, self.kernel, self.names)
        except (Unknown, IndexError, AttributeError, ZeroDivisionError):
            return None
        return int(found) if isinstance(found, int) else None
