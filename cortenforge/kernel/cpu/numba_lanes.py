"""Numbers of eight worlds at once, for Numba: one LLVM vector, one operation for all.

Kernels that are lane-safe compile with these types in place of float64, int64 and bool wherever a
value comes from Data, and so do loops over independent elements of one world. Every operation
rounds as its scalar twin does, so each lane has the bits of a single world, or element.
"""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, register_model

from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.language.values import any_lane, floor_real

REAL = types.float64
INT = types.int64
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
INTEGERS = ir.VectorType(ir.IntType(64), LANES)
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
        fits = is_number(other) or isinstance(other, LaneIntType)
        return Conversion.safe if fits else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if is_number(other) else None


class LaneIntType(types.Type):
    """An integer a world, for eight worlds."""

    def __init__(self) -> None:
        super().__init__(name=f"integer x {LANES}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, types.Integer) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if isinstance(other, types.Integer) else None


class MaskType(types.Type):
    """A condition a world, for eight worlds."""

    def __init__(self) -> None:
        super().__init__(name=f"condition x {LANES}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, types.Boolean) else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self if isinstance(other, types.Boolean) else None


LANE = LaneType()
LANE_INT = LaneIntType()
MASK = MaskType()


@register_model(LaneType)
class LaneModel(models.PrimitiveModel):
    """One LLVM vector of reals."""

    def __init__(self, dmm: Any, fe_type: LaneType) -> None:
        super().__init__(dmm, fe_type, VECTOR)


@register_model(LaneIntType)
class LaneIntModel(models.PrimitiveModel):
    """One LLVM vector of integers."""

    def __init__(self, dmm: Any, fe_type: LaneIntType) -> None:
        super().__init__(dmm, fe_type, INTEGERS)


@register_model(MaskType)
class MaskModel(models.PrimitiveModel):
    """One LLVM vector of bits."""

    def __init__(self, dmm: Any, fe_type: MaskType) -> None:
        super().__init__(dmm, fe_type, BITS)


def _splat(builder: Any, vector: Any, number: Any) -> Any:
    """The same number in every lane."""
    none = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(none, number, ir.Constant(I32, 0))
    zeros = ir.Constant(ir.VectorType(I32, LANES), [0] * LANES)
    return builder.shuffle_vector(first, none, zeros)


@lower_cast(types.Integer, LaneType)
@lower_cast(types.Float, LaneType)
def splat_real(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """A real, the same in every lane."""
    return _splat(builder, VECTOR, context.cast(builder, value, source, REAL))


@lower_cast(types.Integer, LaneIntType)
def splat_integer(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """An integer, the same in every lane."""
    return _splat(builder, INTEGERS, context.cast(builder, value, source, INT))


@lower_cast(types.Boolean, MaskType)
def splat_condition(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """A condition, the same in every lane."""
    return _splat(builder, BITS, value)


@lower_cast(LaneIntType, LaneType)
def integers_as_reals(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """Each lane's integer as a real."""
    return builder.sitofp(value, VECTOR)


@intrinsic
def counter_of_eight(typingctx: Any, first: Any) -> Any:
    """A number and those that follow it, one a lane: elements that are done at once.

    Made of single numbers, so that LLVM sees which loads are neighbours: a quarter quicker.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        numbers = [builder.add(args[0], ir.Constant(ir.IntType(64), k)) for k in range(LANES)]
        return in_vector(builder, numbers)

    return LANE_INT(INT), codegen


def in_vector(builder: Any, numbers: list[Any]) -> Any:
    """Numbers side by side, one a lane; a single one is itself."""
    if len(numbers) == 1:
        return numbers[0]
    made = ir.Constant(ir.VectorType(numbers[0].type, len(numbers)), ir.Undefined)
    for lane, number in enumerate(numbers):
        made = builder.insert_element(made, number, ir.Constant(I32, lane))
    return made


def emit_fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """a * b + c with one rounding, of reals or of lanes."""
    suffix = f"v{LANES}f64" if a.type == VECTOR else "f64"
    symbol = f"llvm.fma.{suffix}"
    known = builder.module.globals.get(symbol)
    function = known or ir.Function(builder.module, ir.FunctionType(a.type, [a.type] * 3), symbol)
    return builder.call(function, [a, b, c])


def _real_lanes(args: Any) -> bool:
    """Whether arguments go together as reals a lane."""
    lanes = (LaneType, LaneIntType)
    return any(isinstance(a, LaneType) for a in args) and all(
        isinstance(a, lanes) or is_number(a) for a in args
    )


def _integer_lanes(args: Any) -> bool:
    """Whether arguments go together as integers a lane."""
    return any(isinstance(a, LaneIntType) for a in args) and all(
        isinstance(a, (LaneIntType, types.Integer)) for a in args
    )


def _mixed_lanes(args: Any) -> bool:
    """Whether arguments are integers a lane and reals that all worlds share."""
    kinds = {LaneIntType: False, types.Float: False}
    for a in args:
        for kind in kinds:
            kinds[kind] = kinds[kind] or isinstance(a, kind)
    return all(kinds.values()) and all(isinstance(a, LaneIntType) or is_number(a) for a in args)


def _masks(args: Any) -> bool:
    """Whether arguments go together as conditions a lane."""
    return any(isinstance(a, MaskType) for a in args) and all(
        isinstance(a, (MaskType, types.Boolean)) for a in args
    )


def _register(function: Any, count: int, fits: Any, taken: Any, result: Any, emit: Any) -> None:
    """Teach Numba a function of lanes: if arguments fit, all are taken as one type."""

    class Lanes(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(result, *[taken] * len(args)) if fits(args) else None

    infer_global(function)(type(f"Lanes{function}{taken}", (Lanes,), {}))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, *args)

    lower_builtin(function, *[taken] * count)(lower)


def _register_reals(function: Any, count: int, result: Any, emit: Any) -> None:
    _register(function, count, _real_lanes, LANE, result, emit)


def _register_integers(function: Any, count: int, result: Any, emit: Any) -> None:
    _register(function, count, _integer_lanes, LANE_INT, result, emit)


def _instruction(name: str) -> Any:
    return lambda builder, *args: getattr(builder, name)(*args)


for _ops, _of_reals, _of_integers in (
    ((operator.add, operator.iadd), "fadd", "add"),
    ((operator.sub, operator.isub), "fsub", "sub"),
    ((operator.mul, operator.imul), "fmul", "mul"),
):
    for _op in _ops:
        _register_reals(_op, 2, LANE, _instruction(_of_reals))
        _register_integers(_op, 2, LANE_INT, _instruction(_of_integers))
        _register(_op, 2, _mixed_lanes, LANE, LANE, _instruction(_of_reals))
for _op in (operator.truediv, operator.itruediv):
    _register_reals(_op, 2, LANE, _instruction("fdiv"))
    _register(_op, 2, _mixed_lanes, LANE, LANE, _instruction("fdiv"))
for _ops, _of_integers in (
    ((operator.and_, operator.iand), "and_"),
    ((operator.or_, operator.ior), "or_"),
    ((operator.xor, operator.ixor), "xor"),
):
    for _op in _ops:
        _register_integers(_op, 2, LANE_INT, _instruction(_of_integers))
        _register(_op, 2, _masks, MASK, MASK, _instruction(_of_integers))

for _op, _symbol in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
):
    _register_reals(_op, 2, MASK, lambda b, x, y, s=_symbol: b.fcmp_ordered(s, x, y))
    _register_integers(_op, 2, MASK, lambda b, x, y, s=_symbol: b.icmp_signed(s, x, y))
# as in Python and C, nan is unequal to everything
_register_reals(operator.ne, 2, MASK, lambda b, x, y: b.fcmp_unordered("!=", x, y))
_register_integers(operator.ne, 2, MASK, lambda b, x, y: b.icmp_signed("!=", x, y))
_register_reals(operator.neg, 1, LANE, _instruction("fneg"))
_register_integers(operator.neg, 1, LANE_INT, _instruction("neg"))
_register(operator.not_, 1, _masks, MASK, MASK, _instruction("not_"))


def _larger(builder: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", y, x), y, x)


def _smaller(builder: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", y, x), y, x)


_register_reals(builtins.max, 2, LANE, _larger)
_register_reals(builtins.min, 2, LANE, _smaller)
_register_integers(
    builtins.max, 2, LANE_INT, lambda b, x, y: b.select(b.icmp_signed(">", y, x), y, x)
)
_register_integers(
    builtins.min, 2, LANE_INT, lambda b, x, y: b.select(b.icmp_signed("<", y, x), y, x)
)


def _intrinsic(name: str) -> Any:
    def emit(builder: Any, x: Any) -> Any:
        symbol = f"llvm.{name}.v{LANES}f64"
        known = builder.module.globals.get(symbol)
        function = known or ir.Function(builder.module, ir.FunctionType(VECTOR, [VECTOR]), symbol)
        return builder.call(function, [x])

    return emit


_register_reals(builtins.abs, 1, LANE, _intrinsic("fabs"))
_register_reals(math.sqrt, 1, LANE, _intrinsic("sqrt"))
_register_reals(floor_real, 1, LANE, _intrinsic("floor"))


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
    _register_reals(_function, 1, LANE, _lane_by_lane(_function.__name__, 1))
_register_reals(math.atan2, 2, LANE, _lane_by_lane("atan2", 2))


@infer_global(any_lane)
class AnyLaneOfMask(AbstractTemplate):
    """Whether the condition holds in any world."""

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.boolean, MASK) if args == (MASK,) else None


def mask_bits(builder: Any, mask: Any) -> Any:
    """A condition's lanes as the bits of an LLVM integer."""
    return builder.bitcast(mask, ir.IntType(LANES))


@lower_builtin(any_lane, MaskType)
def lower_any_lane_of_mask(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.icmp_unsigned(
        "!=", mask_bits(builder, args[0]), ir.Constant(ir.IntType(LANES), 0)
    )
