"""What the value types, fields and structs of the kernel language are to Numba.

Importing this module imports Numba and registers the types; nothing else in the package does, so
a program whose kernels are all in the cache never loads Numba.

A struct is a pointer to its block (see `layout`); a field is a pointer to its first element, with
kind and trailing shape known at compile time; a value is an LLVM struct of scalars that lives in
registers. Nothing here is reference counted.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    ConcreteTemplate,
    infer_global,
    signature,
)
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)

from .layout import StructLayout
from .numba_lanes import LANE, MASK, REAL, LaneType, emit_fma, is_number
from .values import (
    CLASSES,
    KINDS,
    any_lane,
    floor_real,
    hamilton_product,
    matrix_vector,
    select,
)

INT = types.int64
I32, I64 = ir.IntType(32), ir.IntType(64)


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

    def generic_resolve(self, value: ValueType, attr: str) -> Any:
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
    return isinstance(typ, LaneType) or is_number(typ)


def joined(*scalars: Any) -> Any:
    """Scalar type of a result: lanes if any part has lanes."""
    return LANE if any(isinstance(s, LaneType) for s in scalars) else REAL


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
            if isinstance(left, ValueType) and isinstance(right, ValueType):
                if left.kind == right.kind:
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
    return joined(a, b) if is_real(a) and is_real(b) else None


@infer_global(select)
class SelectTemplate(AbstractTemplate):
    """`select(condition, a, b)`; a condition with lanes chooses in each lane."""

    def generic(self, args: Any, kws: Any) -> Any:
        condition, result = args[0], _common_type(args[1], args[2])
        if result is None or condition not in (types.boolean, MASK):
            return None
        if condition == MASK:
            wide = isinstance(result, ValueType)
            result = ValueType(result.kind, LANE) if wide else LANE
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


class FieldType(types.Type):
    """A pointer to the elements of one field."""

    def __init__(
        self, kind: str, trailing: tuple[int, ...], constant: bool, lanes: bool = False
    ) -> None:
        self.kind, self.trailing, self.constant, self.lanes = kind, trailing, constant, lanes
        super().__init__(name=f"field[{kind},{trailing},{constant},{lanes}]")

    @property
    def scalar(self) -> Any:
        real = LANE if self.lanes else REAL
        return {"int": types.int32, "byte": types.uint8}.get(self.kind, real)

    @property
    def element(self) -> Any:
        """Type of `field[i]`; None if an element is not a value."""
        if self.kind in KINDS:
            return ValueType(self.kind, self.scalar)
        return None if self.trailing else self.component

    @property
    def component(self) -> Any:
        return INT if isinstance(self.scalar, types.Integer) else self.scalar

    @property
    def stride(self) -> int:
        return len(KINDS[self.kind]) if self.kind in KINDS else _product(self.trailing)


def _product(numbers: tuple[int, ...]) -> int:
    result = 1
    for number in numbers:
        result *= number
    return result


@register_model(FieldType)
class FieldModel(models.PrimitiveModel):
    """A pointer to the scalar type."""

    def __init__(self, dmm: Any, fe_type: FieldType) -> None:
        scalar = dmm.lookup(fe_type.scalar).get_data_type()
        super().__init__(dmm, fe_type, scalar.as_pointer())


def _load(builder: Any, pointer: Any, constant: bool) -> Any:
    value = builder.load(pointer)
    if constant:
        # a model does not change during a call: the load may move past any store
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


def _flat_index(context: Any, builder: Any, field: FieldType, typ: Any, index: Any) -> Any:
    """Position of the first scalar of `field[i]`, or of the scalar `field[i, j]`."""
    if isinstance(typ, types.BaseTuple):
        parts = [
            context.cast(builder, builder.extract_value(index, k), typ[k], INT)
            for k in range(len(typ))
        ]
    else:
        parts = [context.cast(builder, index, typ, INT)]
    flat = parts[0]
    if field.stride != 1:
        flat = builder.mul(flat, ir.Constant(I64, field.stride))
    if len(parts) == 2:
        flat = builder.add(flat, parts[1])
    return flat


@infer_global(operator.getitem)
class FieldGet(AbstractTemplate):
    """`field[i]` is an element, `field[i, j]` a component."""

    def generic(self, args: Any, kws: Any) -> Any:
        field, index = args
        if not isinstance(field, FieldType):
            return None
        if isinstance(index, types.Integer):
            return signature(field.element, field, index) if field.element else None
        if isinstance(index, types.BaseTuple) and len(index) == 2:
            return signature(field.component, field, index)
        return None


def _widen(builder: Any, field: FieldType, value: Any) -> Any:
    if field.kind == "int":
        return builder.sext(value, I64)
    if field.kind == "byte":
        return builder.zext(value, I64)
    return value


@lower_builtin(operator.getitem, FieldType, types.Any)
def lower_field_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field, index_type = sig.args
    start = _flat_index(context, builder, field, index_type, args[1])
    if not isinstance(sig.return_type, ValueType):
        value = _load(builder, builder.gep(args[0], [start]), field.constant)
        return _widen(builder, field, value)
    parts = [
        _load(
            builder,
            builder.gep(args[0], [builder.add(start, ir.Constant(I64, i))]),
            field.constant,
        )
        for i in range(field.stride)
    ]
    return pack(context, builder, sig.return_type, parts)


@infer_global(operator.setitem)
class FieldSet(AbstractTemplate):
    """Assignment to an element or a component."""

    def generic(self, args: Any, kws: Any) -> Any:
        field, index, value = args
        if not isinstance(field, FieldType) or field.constant:
            return None
        if isinstance(index, types.Integer) and field.element is not None:
            target = field.element
        else:
            target = field.component
        if isinstance(target, ValueType):
            if not isinstance(value, ValueType) or value.kind != target.kind:
                return None
            if value.scalar == LANE and target.scalar == REAL:
                return None
        elif isinstance(value, LaneType) and target != LANE:
            return None
        if target == INT and not isinstance(value, (types.Integer, types.Boolean)):
            return None
        return signature(types.none, field, index, target)


@lower_builtin(operator.setitem, FieldType, types.Any, types.Any)
def lower_field_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field, index_type, value_type = sig.args
    start = _flat_index(context, builder, field, index_type, args[1])
    if isinstance(value_type, ValueType):
        for i, part in enumerate(unpack(builder, value_type, args[2])):
            builder.store(part, builder.gep(args[0], [builder.add(start, ir.Constant(I64, i))]))
    else:
        value = args[2]
        if isinstance(field.scalar, types.Integer):
            value = builder.trunc(value, context.get_data_type(field.scalar))
        builder.store(value, builder.gep(args[0], [start]))
    return context.get_dummy_value()


class StructType(types.Type):
    """A model or a data struct: a pointer to its block."""

    def __init__(self, layout: StructLayout) -> None:
        self.layout = layout
        super().__init__(name=f"struct[{layout.name}]")


@register_model(StructType)
class StructModel(models.PrimitiveModel):
    """A pointer to words."""

    def __init__(self, dmm: Any, fe_type: StructType) -> None:
        super().__init__(dmm, fe_type, I64.as_pointer())


def _field_type(struct: StructType, attr: str) -> FieldType:
    entry = struct.layout.entries[attr]
    return FieldType(entry.kind, entry.trailing, struct.layout.constant, entry.lanes)


@infer_getattr
class StructAttributes(AttributeTemplate):
    """`m.nbody` is a number, `d.time` a real, `d.xpos` a field."""

    key = StructType

    def generic_resolve(self, struct: StructType, attr: str) -> Any:
        entry = struct.layout.entries.get(attr)
        if entry is None:
            return None
        if entry.kind == "size":
            return INT
        field = _field_type(struct, attr)
        return field.element if entry.is_scalar else field


def _field_pointer(context: Any, builder: Any, struct: StructType, block: Any, attr: str) -> Any:
    entry = struct.layout.entries[attr]
    word = _load(builder, builder.gep(block, [ir.Constant(I32, entry.word)]), True)
    scalar = context.get_data_type(_field_type(struct, attr).scalar)
    return builder.inttoptr(word, scalar.as_pointer())


@lower_getattr_generic(StructType)
def lower_struct_get(context: Any, builder: Any, struct: StructType, block: Any, attr: str) -> Any:
    entry = struct.layout.entries[attr]
    if entry.kind == "size":
        return _load(builder, builder.gep(block, [ir.Constant(I32, entry.word)]), True)
    pointer = _field_pointer(context, builder, struct, block, attr)
    if not entry.is_scalar:
        return pointer
    field = _field_type(struct, attr)
    if isinstance(field.element, ValueType):
        parts = [
            _load(builder, builder.gep(pointer, [ir.Constant(I64, i)]), field.constant)
            for i in range(field.stride)
        ]
        return pack(context, builder, field.element, parts)
    return _widen(builder, field, _load(builder, pointer, field.constant))


@lower_setattr_generic(StructType)
def lower_struct_set(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> Any:
    struct, value_type = sig.args
    field = _field_type(struct, attr)
    pointer = _field_pointer(context, builder, struct, args[0], attr)
    value = context.cast(builder, args[1], value_type, field.element)
    if isinstance(field.scalar, types.Integer):
        value = builder.trunc(value, context.get_data_type(field.scalar))
    builder.store(value, pointer)


def as_struct(struct: StructType) -> Any:
    """An intrinsic that turns an address into a struct."""

    @intrinsic
    def cast(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], I64.as_pointer())

        return struct(INT), codegen

    return cast


@intrinsic
def word_at(typingctx: Any, address: Any, index: Any) -> Any:
    """The int64 at a place in a small array of words."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        words = builder.inttoptr(args[0], I64.as_pointer())
        return builder.load(builder.gep(words, [args[1]]))

    return INT(INT, INT), codegen


def call_through_slot(symbol: str, structs: tuple[StructType, StructType]) -> Any:
    """An intrinsic that calls the unit whose address is kept at an external symbol.

    The slot is filled by `link` before the first call: with the unit's address, or with a
    callback that compiles the unit and then fills it.
    """
    function = ir.FunctionType(ir.VoidType(), [I64, I64])

    @intrinsic
    def call(typingctx: Any, m: Any, d: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            module = builder.module
            slot = module.globals.get(symbol) or ir.GlobalVariable(module, I64, symbol)
            target = builder.inttoptr(builder.load(slot), function.as_pointer())
            builder.call(target, [builder.ptrtoint(a, I64) for a in args])
            return context.get_dummy_value()

        return types.none(*structs), codegen

    return call
