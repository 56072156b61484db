"""A real of eight worlds at once, for Numba: one LLVM vector, one operation for all.

Kernels that are lane-safe compile with this type in place of float64 wherever a value comes from
Data. Every operation rounds as its scalar twin does, so each lane has the bits of a single world.
"""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model

from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.language.values import any_lane, floor_real

REAL = types.float64
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
BITS = ir.VectorType(ir.IntType(1), LANES)
I32 = ir.IntType(32)


def is_number(typ: Any) -> bool:
    """Whether a type is an ordinary number, the same in every world."""
    return isinstance(typ, (types.Float, types.Integer))


class LaneType(types.Type):
    """A real a world, for eight worlds."""

    def __init__(self) -> None:
        super().__init__(name=f"real x {LANES}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if is_number(other) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if is_number(other) else None


class MaskType(types.Type):
    """A condition a world, for eight worlds."""

    def __init__(self) -> None:
        super().__init__(name=f"condition x {LANES}")


LANE = LaneType()
MASK = MaskType()


@register_model(LaneType)
class LaneModel(models.PrimitiveModel):
    """One LLVM vector."""

    def __init__(self, dmm: Any, fe_type: LaneType) -> None:
        super().__init__(dmm, fe_type, VECTOR)


@register_model(MaskType)
class MaskModel(models.PrimitiveModel):
    """One LLVM vector of bits."""

    def __init__(self, dmm: Any, fe_type: MaskType) -> None:
        super().__init__(dmm, fe_type, BITS)


@lower_cast(types.Integer, LaneType)
@lower_cast(types.Float, LaneType)
def splat(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """The same number in every lane."""
    number = context.cast(builder, value, source, REAL)
    none = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(none, number, ir.Constant(I32, 0))
    zeros = ir.Constant(ir.VectorType(I32, LANES), [0] * LANES)
    return builder.shuffle_vector(first, none, zeros)


def emit_fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """a * b + c with one rounding, of reals or of lanes."""
    suffix = f"v{LANES}f64" if a.type == VECTOR else "f64"
    symbol = f"llvm.fma.{suffix}"
    known = builder.module.globals.get(symbol)
    function = known or ir.Function(builder.module, ir.FunctionType(a.type, [a.type] * 3), symbol)
    return builder.call(function, [a, b, c])


def _has_lane(args: Any) -> bool:
    return any(isinstance(a, LaneType) for a in args) and all(
        isinstance(a, LaneType) or is_number(a) for a in args
    )


def _template(result: Any) -> type[AbstractTemplate]:
    """A typing rule: if any argument has lanes, all are taken as lanes."""

    class Lanes(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(result, *[LANE] * len(args)) if _has_lane(args) else None

    return Lanes


def _register(function: Any, count: int, result: Any, emit: Any) -> None:
    infer_global(function)(type(f"Lanes{function}", (_template(result),), {}))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, *args)

    lower_builtin(function, *[LANE] * count)(lower)


for _ops, _instruction in (
    ((operator.add, operator.iadd), "fadd"),
    ((operator.sub, operator.isub), "fsub"),
    ((operator.mul, operator.imul), "fmul"),
    ((operator.truediv, operator.itruediv), "fdiv"),
):
    for _op in _ops:
        _register(_op, 2, LANE, lambda b, x, y, i=_instruction: getattr(b, i)(x, y))

for _op, _symbol in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
):
    _register(_op, 2, MASK, lambda b, x, y, s=_symbol: b.fcmp_ordered(s, x, y))
# as in Python and C, nan is unequal to everything
_register(operator.ne, 2, MASK, lambda b, x, y: b.fcmp_unordered("!=", x, y))
_register(operator.neg, 1, LANE, lambda b, x: b.fneg(x))


def _larger(builder: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", y, x), y, x)


def _smaller(builder: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", y, x), y, x)


_register(builtins.max, 2, LANE, _larger)
_register(builtins.min, 2, LANE, _smaller)


def _intrinsic(name: str) -> Any:
    def emit(builder: Any, x: Any) -> Any:
        symbol = f"llvm.{name}.v{LANES}f64"
        known = builder.module.globals.get(symbol)
        function = known or ir.Function(builder.module, ir.FunctionType(VECTOR, [VECTOR]), symbol)
        return builder.call(function, [x])

    return emit


_register(builtins.abs, 1, LANE, _intrinsic("fabs"))
_register(math.sqrt, 1, LANE, _intrinsic("sqrt"))
_register(floor_real, 1, LANE, _intrinsic("floor"))


def _lane_by_lane(name: str, count: int) -> Any:
    """The scalar function in each lane: slow, but the same bits as for one world."""

    def emit(builder: Any, *args: Any) -> Any:
        double = ir.DoubleType()
        known = builder.module.globals.get(name)
        function = known or ir.Function(
            builder.module, ir.FunctionType(double, [double] * count), name
        )
        result = ir.Constant(VECTOR, ir.Undefined)
        for lane in range(LANES):
            index = ir.Constant(I32, lane)
            parts = [builder.extract_element(a, index) for a in args]
            result = builder.insert_element(result, builder.call(function, parts), index)
        return result

    return emit


for _function in (
    math.sin,
    math.cos,
    math.tan,
    math.atan,
    math.asin,
    math.acos,
    math.exp,
    math.log,
):
    _register(_function, 1, LANE, _lane_by_lane(_function.__name__, 1))
_register(math.atan2, 2, LANE, _lane_by_lane("atan2", 2))


@infer_global(any_lane)
class AnyLaneOfMask(AbstractTemplate):
    """Whether the condition holds in any world."""

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.boolean, MASK) if args == (MASK,) else None


@lower_builtin(any_lane, MaskType)
def lower_any_lane_of_mask(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bits = builder.bitcast(args[0], ir.IntType(LANES))
    return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(LANES), 0))
