"""Bits, words and single lanes for Numba: which worlds a condition holds in, and one of them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from cortenforge.kernel.cpu.numba_lanes import (
    INT,
    LANE,
    LANE_INT,
    MASK,
    REAL,
    LaneIntType,
    LaneType,
    MaskType,
    mask_bits,
)
from cortenforge.kernel.cpu.numba_values import ValueType, is_real, pack, unpack
from cortenforge.kernel.language.conditions import ALL_OF, ANY_OF, all_of, any_of
from cortenforge.kernel.language.values import (
    bit,
    count_bits,
    in_lane,
    lane_bits,
    lowest_bit,
    without_lowest,
    zero_like,
)

I1, I32, I64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)

#: what a compiled kernel's scope needs
SCOPE = {ALL_OF: all_of, ANY_OF: any_of}


@infer_global(lane_bits)
class LaneBits(AbstractTemplate):
    """The worlds in which a condition holds."""

    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 1 and args[0] in (types.boolean, MASK)
        return signature(INT, *args) if fits else None


@lower_builtin(lane_bits, types.Boolean)
def lower_lane_bit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.zext(args[0], I64)


@lower_builtin(lane_bits, MaskType)
def lower_lane_bits(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.zext(mask_bits(builder, args[0]), I64)


def _register_of_word(function: Any, emit: Any) -> None:
    """A function of an integer that gives an integer."""

    class OfWord(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            fits = len(args) == 1 and isinstance(args[0], types.Integer)
            return signature(INT, INT) if fits else None

    infer_global(function)(type(f"OfWord{function.__name__}", (OfWord,), {}))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, args[0])

    lower_builtin(function, INT)(lower)


def _counted(name: str, *flags: Any) -> Any:
    def emit(builder: Any, word: Any) -> Any:
        kinds = [I64, *(flag.type for flag in flags)]
        symbol = f"llvm.{name}.i64"
        known = builder.module.globals.get(symbol)
        function = known or ir.Function(builder.module, ir.FunctionType(I64, kinds), symbol)
        return builder.call(function, [word, *flags])

    return emit


_register_of_word(lowest_bit, _counted("cttz", ir.Constant(I1, 1)))
_register_of_word(count_bits, _counted("ctpop"))
_register_of_word(bit, lambda b, place: b.shl(ir.Constant(I64, 1), place))
_register_of_word(without_lowest, lambda b, w: b.and_(w, b.sub(w, ir.Constant(I64, 1))))

#: type of a lane, and of what is in one of its worlds
ONE = {LANE: REAL, LANE_INT: INT, MASK: types.boolean}


@infer_global(in_lane)
class InLane(AbstractTemplate):
    """What a value is in one world; a value that worlds share is itself."""

    def generic(self, args: Any, kws: Any) -> Any:
        value, lane = args
        if not isinstance(lane, types.Integer):
            return None
        if isinstance(value, ValueType):
            return signature(ValueType(value.kind, REAL), value, INT)
        fits = value in ONE or isinstance(value, (types.Number, types.Boolean))
        return signature(ONE.get(value, value), value, INT) if fits else None


def _lane_of(builder: Any, vector: Any, lane: Any) -> Any:
    return (
        builder.extract_element(vector, lane) if isinstance(vector.type, ir.VectorType) else vector
    )


def lower_in_lane(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """One element of each vector."""
    value, lane = args
    lane = builder.trunc(lane, I32)
    if not isinstance(sig.args[0], ValueType):
        return _lane_of(builder, value, lane)
    parts = [_lane_of(builder, part, lane) for part in unpack(builder, sig.args[0], value)]
    return pack(context, builder, sig.return_type, parts)


for _kind in (
    LaneType,
    LaneIntType,
    MaskType,
    ValueType,
    types.Float,
    types.Integer,
    types.Boolean,
):
    lower_builtin(in_lane, _kind, types.Integer)(lower_in_lane)


@infer_global(zero_like)
class ZeroLike(AbstractTemplate):
    """Zero of the type of a value."""

    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 1 and (is_real(args[0]) or isinstance(args[0], ValueType))
        return signature(args[0], args[0]) if fits else None


@lower_builtin(zero_like, types.Any)
def lower_zero_like(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return ir.Constant(context.get_value_type(sig.return_type), None)


def _register_junction(function: Any, instruction: str) -> None:
    """`and` and `or` of conditions that worlds do not share: both operands are evaluated."""

    class Junction(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != 2 or any(a not in (types.boolean, MASK) for a in args):
                return None
            result = MASK if MASK in args else types.boolean
            return signature(result, result, result)

    infer_global(function)(type(f"Junction{instruction}", (Junction,), {}))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)

    for kind in (types.Boolean, MaskType):
        lower_builtin(function, kind, kind)(lower)


_register_junction(all_of, "and_")
_register_junction(any_of, "or_")
