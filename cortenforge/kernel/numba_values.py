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
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)

from .layout import StructLayout
from .values import CLASSES, KINDS, any_lane, hamilton_product, matrix_vector, select

REAL = types.float64
INT = types.int64
#: LLVM may fuse a*b+c into one rounding, but may not reorder: a lane must equal a single world
FLAGS = ("contract", "nsz")
I32, I64 = ir.IntType(32), ir.IntType(64)


class ValueType(types.Type):
    """A value of one kind over one scalar type."""

    def __init__(self, kind: str, scalar: Any) -> None:
        self.kind, self.scalar = kind, scalar
        self.components = KINDS[kind]
        super().__init__(name=f"{kind}<{scalar}>")


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


def _is_number(typ: Any) -> bool:
    return isinstance(typ, (types.Float, types.Integer))


def _register_constructor(kind: str) -> None:
    cls = CLASSES[kind]
    count = len(KINDS[kind])
    result = ValueType(kind, REAL)

    @infer_global(cls)
    class Constructor(AbstractTemplate):
        """`vec3(x, y, z)` and the like."""

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == count and all(_is_number(a) for a in args):
                return signature(result, *[REAL] * count)
            return None

    @lower_builtin(cls, *[REAL] * count)
    def lower_constructor(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return pack(context, builder, sig.return_type, args)


for _kind in KINDS:
    _register_constructor(_kind)


def _register_elementwise(ops: tuple[Any, ...], instruction: str) -> None:
    class Elementwise(AbstractTemplate):
        """Sum or difference of two values of one kind."""

        def generic(self, args: Any, kws: Any) -> Any:
            left, right = args
            if isinstance(left, ValueType) and left == right:
                return signature(left, left, right)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left = unpack(builder, sig.args[0], args[0])
        right = unpack(builder, sig.args[1], args[1])
        emit = getattr(builder, instruction)
        parts = [emit(a, b, flags=FLAGS) for a, b in zip(left, right, strict=True)]
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
        if isinstance(left, ValueType) and _is_number(right):
            return signature(left, left, REAL)
        if isinstance(right, ValueType) and _is_number(left):
            return signature(right, REAL, right)
        return None


def _lower_scale(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value_first = isinstance(sig.args[0], ValueType)
    typ = sig.return_type
    value, factor = (args[0], args[1]) if value_first else (args[1], args[0])
    parts = [builder.fmul(a, factor, flags=FLAGS) for a in unpack(builder, typ, value)]
    return pack(context, builder, typ, parts)


for _op in (operator.mul, operator.imul):
    infer_global(_op)(type("ScaleValues", (ScaleTemplate,), {}))
    lower_builtin(_op, ValueType, types.Float)(_lower_scale)
    lower_builtin(_op, types.Float, ValueType)(_lower_scale)


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
    """An LLVM real with operators, so that a formula written in Python emits instructions."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def __mul__(self, other: _Real) -> _Real:
        return _Real(self.builder, self.builder.fmul(self.value, other.value, flags=FLAGS))

    def __add__(self, other: _Real) -> _Real:
        return _Real(self.builder, self.builder.fadd(self.value, other.value, flags=FLAGS))

    def __sub__(self, other: _Real) -> _Real:
        return _Real(self.builder, self.builder.fsub(self.value, other.value, flags=FLAGS))


def _register_product(op: Any, left: str, right: str, result: str, formula: Any) -> None:
    out = ValueType(result, REAL)

    class Product(ConcreteTemplate):
        """A bilinear product of two values."""

        cases = [signature(out, ValueType(left, REAL), ValueType(right, REAL))]  # noqa: RUF012

    infer_global(op)(type(f"{left}{right}Product", (Product,), {"cases": Product.cases}))

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        parts = [
            _Real(builder, part)
            for typ, arg in zip(sig.args, args, strict=True)
            for part in unpack(builder, typ, arg)
        ]
        return pack(context, builder, out, [part.value for part in formula(*parts)])

    lower_builtin(op, ValueType(left, REAL), ValueType(right, REAL))(lower)


_register_product(operator.mul, "quat", "quat", "quat", hamilton_product)
_register_product(operator.matmul, "mat3", "vec3", "vec3", matrix_vector)


def _common_type(a: Any, b: Any) -> Any:
    """What a choice between two values is; None if they do not go together."""
    if isinstance(a, ValueType):
        return a if a == b else None
    if isinstance(a, types.Integer) and isinstance(b, types.Integer):
        return INT
    return REAL if _is_number(a) and _is_number(b) else None


@infer_global(select)
class SelectTemplate(AbstractTemplate):
    """`select(condition, a, b)`."""

    def generic(self, args: Any, kws: Any) -> Any:
        result = _common_type(args[1], args[2])
        return signature(result, types.boolean, result, result) if result else None


@lower_builtin(select, types.Boolean, types.Any, types.Any)
def lower_select(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.select(args[0], args[1], args[2])


@infer_global(any_lane)
class AnyLaneTemplate(ConcreteTemplate):
    """For one world, the condition itself."""

    cases = [signature(types.boolean, types.boolean)]  # noqa: RUF012


@lower_builtin(any_lane, types.Boolean)
def lower_any_lane(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]


class FieldType(types.Type):
    """A pointer to the elements of one field."""

    def __init__(self, kind: str, trailing: tuple[int, ...], constant: bool) -> None:
        self.kind, self.trailing, self.constant = kind, trailing, constant
        super().__init__(name=f"field[{kind},{trailing},{constant}]")

    @property
    def scalar(self) -> Any:
        return {"int": types.int32, "byte": types.uint8}.get(self.kind, REAL)

    @property
    def element(self) -> Any:
        """Type of `field[i]`; None if an element is not a value."""
        if self.kind in KINDS:
            return ValueType(self.kind, REAL)
        if self.trailing:
            return None
        return REAL if self.kind == "real" else INT

    @property
    def component(self) -> Any:
        return REAL if self.scalar == REAL else INT

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
        if isinstance(target, ValueType) and value != target:
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
        if field.scalar != REAL:
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
    return FieldType(entry.kind, entry.trailing, struct.layout.constant)


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
    if field.scalar != REAL:
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
