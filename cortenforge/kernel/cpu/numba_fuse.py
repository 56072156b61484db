"""Fused multiply-adds for Numba: of reals, lanes and values; integers and products of values are
multiplied and added as usual."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from cortenforge.kernel.cpu.numba_lanes import LANE, LANE_INT, REAL, LaneIntType, emit_fma
from cortenforge.kernel.cpu.numba_values import ValueType, is_real, joined, pack, unpack
from cortenforge.kernel.language.fuse import MULTIPLY_ADD, MULTIPLY_SUBTRACT, SUBTRACT_PRODUCT


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """a * b + c with one rounding."""
    return a * b + c


def multiply_subtract(a: Any, b: Any, c: Any) -> Any:
    """a * b - c with one rounding."""
    return a * b - c


def subtract_product(a: Any, b: Any, c: Any) -> Any:
    """c - a * b with one rounding."""
    return c - a * b


#: what a compiled kernel's scope needs
SCOPE = {
    MULTIPLY_ADD: multiply_add,
    MULTIPLY_SUBTRACT: multiply_subtract,
    SUBTRACT_PRODUCT: subtract_product,
}
#: function -> (sign of the product, sign of the third)
SIGNS = {multiply_add: (1, 1), multiply_subtract: (1, -1), subtract_product: (-1, 1)}


def _types(a: Any, b: Any, c: Any) -> Any:
    """Result and argument types; None if the three do not go together."""
    if all(isinstance(t, types.Integer) for t in (a, b, c)):
        return signature(types.int64, *[types.int64] * 3)
    if all(isinstance(t, (types.Integer, LaneIntType)) for t in (a, b, c)):
        return signature(LANE_INT, *[LANE_INT] * 3)
    if all(is_real(t) for t in (a, b, c)):
        scalar = joined(a, b, c)
        return signature(scalar, scalar, scalar, scalar)
    if isinstance(a, ValueType) and is_real(b) and isinstance(c, ValueType):
        value = ValueType(c.kind, joined(a.scalar, b, c.scalar))
        return signature(value, value, value.scalar, value) if a.kind == c.kind else None
    if is_real(a) and isinstance(b, ValueType) and isinstance(c, ValueType):
        value = ValueType(c.kind, joined(a, b.scalar, c.scalar))
        return signature(value, value.scalar, value, value) if b.kind == c.kind else None
    return None


class FusedTemplate(AbstractTemplate):
    """Three numbers, or a value times a number and a value."""

    def generic(self, args: Any, kws: Any) -> Any:
        return _types(*args) if len(args) == 3 else None


def _fused(builder: Any, signs: tuple[int, int], a: Any, b: Any, c: Any) -> Any:
    product, third = signs
    a = a if product > 0 else builder.fneg(a)
    c = c if third > 0 else builder.fneg(c)
    return emit_fma(builder, a, b, c)


def _register(function: Any, signs: tuple[int, int]) -> None:
    infer_global(function)(type(function.__name__, (FusedTemplate,), {}))

    def lower_real(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _fused(builder, signs, *args)

    def lower_integer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        product = builder.mul(args[0], args[1])
        if signs == (1, -1):
            return builder.sub(product, args[2])
        return builder.add(product, args[2]) if signs[0] > 0 else builder.sub(args[2], product)

    def lower_value(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        columns = [
            unpack(builder, typ, arg)
            if isinstance(typ, ValueType)
            else [arg] * len(sig.return_type.components)
            for typ, arg in zip(sig.args, args, strict=True)
        ]
        parts = [_fused(builder, signs, *row) for row in zip(*columns, strict=True)]
        return pack(context, builder, sig.return_type, parts)

    for integer in (types.int64, LANE_INT):
        lower_builtin(function, *[integer] * 3)(lower_integer)
    for scalar in (REAL, LANE):
        lower_builtin(function, scalar, scalar, scalar)(lower_real)
        lower_builtin(function, ValueType, scalar, ValueType)(lower_value)
        lower_builtin(function, scalar, ValueType, ValueType)(lower_value)


for _function, _signs in SIGNS.items():
    _register(_function, _signs)
