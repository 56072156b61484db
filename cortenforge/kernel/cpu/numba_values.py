"""What the value types of the kernel language are to Numba: LLVM structs that live in registers.

Importing this module imports Numba; a program whose kernels are all in the cache never does.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    ConcreteTemplate,
    infer_global,
    signature,
)
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    models,
    register_model,
)

from cortenforge.kernel.cpu.numba_lanes import (
    INT,
    LANE,
    LANE_INT,
    MASK,
    REAL,
    LaneIntType,
    LaneType,
    MaskType,
    emit_fma,
    is_number,
)
from cortenforge.kernel.language.values import (
    CLASSES,
    KINDS,
    any_lane,
    floor_real,
    hamilton_product,
    matrix_vector,
    select,
)


class ValueType(types.Type):
    """A value of one kind over one scalar type."""

    def __init__(self, kind: str, scalar: Any) -> None:
        self.kind, self.scalar = kind, scalar
        self.components = KINDS[kind]
        super().__init__(name=f"{kind}<{scalar}>")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        same = isinstance(other, ValueType) and other.kind == self.kind
        return Conversion.safe if same and self.scalar == LANE else None

    def unify(self, typingctx: Any, other: Any) -> Any:
        if isinstance(other, ValueType) and other.kind == self.kind:
            return ValueType(self.kind, joined(self.scalar, other.scalar))
        return None


@register_model(ValueType)
class ValueModel(models.StructModel):
    """Each component is a member."""

    def __init__(self, dmm: Any, fe_type: ValueType) -> None:
        super().__init__(dmm, fe_type, [(name, fe_type.scalar) for name in fe_type.components])


@infer_getattr
class ValueAttributes(AttributeTemplate):
    """`v.x` and the like."""

    key = ValueType

    def generic_resolve(self, value: ValueType, attr: str) -> Any:  # type: ignore[override]
        return value.scalar if attr in value.components else None


@lower_getattr_generic(ValueType)
def lower_component(context: Any, builder: Any, typ: ValueType, value: Any, attr: str) -> Any:
    return builder.extract_value(value, typ.components.index(attr))


def unpack(builder: Any, typ: ValueType, value: Any) -> list[Any]:
    """The components of a value, as LLVM values."""
    return [builder.extract_value(value, i) for i in range(len(typ.components))]


def pack(context: Any, builder: Any, typ: ValueType, parts: list[Any]) -> Any:
    """A value made of LLVM values."""
    value = ir.Constant(context.get_value_type(typ), ir.Undefined)
    for i, part in enumerate(parts):
        value = builder.insert_value(value, part, i)
    return value


def is_real(typ: Any) -> bool:
    """Whether a type is a number, of one world or of eight."""
    return isinstance(typ, (LaneType, LaneIntType)) or is_number(typ)


def joined(*scalars: Any) -> Any:
    """Scalar type of a real result: lanes if any part has lanes."""
    return LANE if any(isinstance(s, (LaneType, LaneIntType)) for s in scalars) else REAL


@lower_cast(ValueType, ValueType)
def value_to_lanes(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """The same value in every lane."""
    parts = [
        context.cast(builder, part, source.scalar, target.scalar)
        for part in unpack(builder, source, value)
    ]
    return pack(context, builder, target, parts)


def _register_constructor(kind: str) -> None:
    cls = CLASSES[kind]
    count = len(KINDS[kind])

    @infer_global(cls)
    class Constructor(AbstractTemplate):
        """`vec3(x, y, z)` and the like."""

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == count and all(is_real(a) for a in args):
                scalar = joined(*args)
                return signature(ValueType(kind, scalar), *[scalar] * count)
            return None

    def lower_constructor(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return pack(context, builder, sig.return_type, args)

    for scalar in (REAL, LANE):
        lower_builtin(cls, *[scalar] * count)(lower_constructor)


for _kind in KINDS:
    _register_constructor(_kind)


def _register_elementwise(ops: tuple[Any, ...], instruction: str) -> None:
    class Elementwise(AbstractTemplate):
        """Sum or difference of two values of one kind."""

        def generic(self, args: Any, kws: Any) -> Any:
            left, right = args
            values = isinstance(left, ValueType) and isinstance(right, ValueType)
            if values and left.kind == right.kind:
                result = ValueType(left.kind, joined(left.scalar, right.scalar))
                return signature(result, result, result)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left = unpack(builder, sig.args[0], args[0])
        right = unpack(builder, sig.args[1], args[1])
        emit = getattr(builder, instruction)
        parts = [emit(a, b) for a, b in zip(left, right, strict=True)]
        return pack(context, builder, sig.return_type, parts)

    for op in ops:
        infer_global(op)(type(f"{instruction}Values", (Elementwise,), {}))
        lower_builtin(op, ValueType, ValueType)(lower)


_register_elementwise((operator.add, operator.iadd), "fadd")
_register_elementwise((operator.sub, operator.isub), "fsub")


class ScaleTemplate(AbstractTemplate):
    """A value times a number, either way round; quaternion products."""

    def generic(self, args: Any, kws: Any) -> Any:
        left, right = args
        if isinstance(left, ValueType) and is_real(right):
            result = ValueType(left.kind, joined(left.scalar, right))
            return signature(result, result, result.scalar)
        if isinstance(right, ValueType) and is_real(left):
            result = ValueType(right.kind, joined(right.scalar, left))
            return signature(result, result.scalar, result)
        return None


def _lower_scale(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value_first = isinstance(sig.args[0], ValueType)
    typ = sig.return_type
    value, factor = (args[0], args[1]) if value_first else (args[1], args[0])
    parts = [builder.fmul(a, factor) for a in unpack(builder, typ, value)]
    return pack(context, builder, typ, parts)


for _op in (operator.mul, operator.imul):
    infer_global(_op)(type("ScaleValues", (ScaleTemplate,), {}))
    for _scalar in (types.Float, LaneType):
        lower_builtin(_op, ValueType, _scalar)(_lower_scale)
        lower_builtin(_op, _scalar, ValueType)(_lower_scale)


class NegateTemplate(AbstractTemplate):
    """Minus a value."""

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(args[0], args[0]) if isinstance(args[0], ValueType) else None


infer_global(operator.neg)(NegateTemplate)


@lower_builtin(operator.neg, ValueType)
def lower_negate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    parts = [builder.fneg(a) for a in unpack(builder, sig.args[0], args[0])]
    return pack(context, builder, sig.return_type, parts)


class _Real:
    """An LLVM real with operators, so that a formula written in Python emits instructions.

    Products are fused into sums by the same rule as in `fuse`: of two, the left one.
    """

    def __init__(self, builder: Any, value: Any, factors: tuple[Any, Any] | None = None) -> None:
        self.builder, self._value, self.factors = builder, value, factors

    @property
    def value(self) -> Any:
        if self._value is None and self.factors:
            self._value = self.builder.fmul(*self.factors)
        return self._value

    def __mul__(self, other: _Real) -> _Real:
        return _Real(self.builder, None, (self.value, other.value))

    def __add__(self, other: _Real) -> _Real:
        if self.factors:
            return self._fused(self.factors, other.value)
        if other.factors:
            return self._fused(other.factors, self.value)
        return _Real(self.builder, self.builder.fadd(self.value, other.value))

    def __sub__(self, other: _Real) -> _Real:
        if self.factors:
            return self._fused(self.factors, self.builder.fneg(other.value))
        if other.factors:
            negative = (self.builder.fneg(other.factors[0]), other.factors[1])
            return self._fused(negative, self.value)
        return _Real(self.builder, self.builder.fsub(self.value, other.value))

    def _fused(self, factors: tuple[Any, Any], third: Any) -> _Real:
        return _Real(self.builder, emit_fma(self.builder, *factors, third))


def _register_product(op: Any, left: str, right: str, result: str, formula: Any) -> None:
    class Product(AbstractTemplate):
        """A bilinear product of two values."""

        def generic(self, args: Any, kws: Any) -> Any:
            a, b = args
            if not (isinstance(a, ValueType) and isinstance(b, ValueType)):
                return None
            if (a.kind, b.kind) != (left, right):
                return None
            scalar = joined(a.scalar, b.scalar)
            kinds = (ValueType(kind, scalar) for kind in (result, left, right))
            return signature(*kinds)

    infer_global(op)(type(f"{left}{right}Product", (Product,), {}))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = [
            _Real(builder, part)
            for typ, arg in zip(sig.args, args, strict=True)
            for part in unpack(builder, typ, arg)
        ]
        return pack(context, builder, sig.return_type, [part.value for part in formula(*parts)])

    for scalar in (REAL, LANE):
        lower_builtin(op, ValueType(left, scalar), ValueType(right, scalar))(lower)


_register_product(operator.mul, "quat", "quat", "quat", hamilton_product)
_register_product(operator.matmul, "mat3", "vec3", "vec3", matrix_vector)


def _common_type(a: Any, b: Any) -> Any:
    """What a choice between two values is; None if they do not go together."""
    if isinstance(a, ValueType) and isinstance(b, ValueType):
        return a.unify(None, b)
    if isinstance(a, types.Integer) and isinstance(b, types.Integer):
        return INT
    integers = (types.Integer, LaneIntType)
    if isinstance(a, integers) and isinstance(b, integers):
        return LANE_INT
    conditions = (types.Boolean, MaskType)
    if isinstance(a, conditions) and isinstance(b, conditions):
        return types.boolean if a == b == types.boolean else MASK
    return joined(a, b) if is_real(a) and is_real(b) else None


#: what a type becomes where lanes choose
IN_LANES = {REAL: LANE, LANE: LANE, INT: LANE_INT, LANE_INT: LANE_INT, MASK: MASK}
IN_LANES[types.boolean] = MASK


@infer_global(select)
class SelectTemplate(AbstractTemplate):
    """`select(condition, a, b)`; a condition with lanes chooses in each lane."""

    def generic(self, args: Any, kws: Any) -> Any:
        condition, result = args[0], _common_type(args[1], args[2])
        if result is None or condition not in (types.boolean, MASK):
            return None
        if condition == MASK:
            wide = isinstance(result, ValueType)
            result = ValueType(result.kind, LANE) if wide else IN_LANES[result]
        return signature(result, condition, result, result)


def lower_select(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A select of each component, because a vector condition cannot choose between structs."""
    condition, yes, no = args
    if not isinstance(sig.return_type, ValueType):
        return builder.select(condition, yes, no)
    pairs = zip(
        unpack(builder, sig.return_type, yes), unpack(builder, sig.return_type, no), strict=True
    )
    parts = [builder.select(condition, a, b) for a, b in pairs]
    return pack(context, builder, sig.return_type, parts)


for _condition in (types.Boolean, type(MASK)):
    lower_builtin(select, _condition, types.Any, types.Any)(lower_select)


@infer_global(floor_real)
class FloorTemplate(ConcreteTemplate):
    """The largest whole number that is not larger."""

    cases = [signature(REAL, REAL)]  # noqa: RUF012


@lower_builtin(floor_real, REAL)
def lower_floor(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    double = ir.DoubleType()
    known = builder.module.globals.get("llvm.floor.f64")
    function = known or ir.Function(
        builder.module, ir.FunctionType(double, [double]), "llvm.floor.f64"
    )
    return builder.call(function, args)


@infer_global(any_lane)
class AnyLaneTemplate(ConcreteTemplate):
    """For one world, the condition itself."""

    cases = [signature(types.boolean, types.boolean)]  # noqa: RUF012


@lower_builtin(any_lane, types.Boolean)
def lower_any_lane(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]
