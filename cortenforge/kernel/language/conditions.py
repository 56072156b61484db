"""`and`, `or` and `not` of conditions that differ between worlds.

Python's `and` skips its second operand if the first decides, which worlds in lockstep cannot do
each for itself. So where an operand may differ between worlds, a kernel for lanes evaluates both,
by a rule on source. Nothing in a condition has an effect, so the value is the same; but an index in
the second operand must be in range whatever the first one is.
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
        uniform = self.is_uniform(node)
        # a side may be the same in all worlds and hold what is not: any_lane(a or b)
        self.generic_visit(node)
        if uniform:
            return node
        name = ALL_OF if isinstance(node.op, ast.And) else ANY_OF
        joined = node.values[0]
        for value in node.values[1:]:
            call = ast.Call(ast.Name(name, ast.Load()), [joined, value], [])
            joined = ast.copy_location(call, node)
        return joined
