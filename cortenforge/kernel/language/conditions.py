"""`and`, `or` and `not` of conditions that differ between worlds.

Python's `and` skips its second operand if the first decides, which worlds in lockstep cannot do
each for itself. So behind an operand that may differ between worlds, a kernel for lanes evaluates
the rest in any case, by a rule on source. Nothing in a condition has an effect, so the value is the
same.

An operand that all worlds share still guards what is behind it: `k >= 0 and d.x[k] > 0.0` does not
read `d.x[-1]`. An index is the same in all worlds, so what keeps it in range is such an operand. In
loops over independent elements, whose indices differ, nothing could guard one: there it is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

#: names under which kernels for lanes find the functions below
ALL_OF = "all_of_conditions"
ANY_OF = "any_of_conditions"


def all_of(a: Any, b: Any) -> Any:
    """Both conditions hold; each is evaluated."""
    return bool(a) & bool(b)


def any_of(a: Any, b: Any) -> Any:
    """Either condition holds; each is evaluated."""
    return bool(a) | bool(b)


class WithoutJumps(ast.NodeTransformer):
    """Replaces `and` and `or` whose sides may differ between worlds."""

    def __init__(self, is_uniform: Callable[[ast.expr], bool]) -> None:
        self.is_uniform = is_uniform

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        # asked before any operand is rewritten
        shared = [self.is_uniform(value) for value in node.values]
        # a side may be the same in all worlds and hold what is not: any_lane(a or b)
        self.generic_visit(node)
        if all(shared):
            return node
        name = ALL_OF if isinstance(node.op, ast.And) else ANY_OF
        joined = node.values[-1]
        for value, same in zip(node.values[-2::-1], shared[-2::-1], strict=True):
            made: ast.expr
            if same:
                made = ast.BoolOp(node.op, [value, joined])
            else:
                made = ast.Call(ast.Name(name, ast.Load()), [value, joined], [])
            joined = ast.copy_location(made, node)
        return joined
