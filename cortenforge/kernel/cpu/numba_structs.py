"""What fields and structs are to Numba: pointers, with everything else known at compile time.

A struct is a pointer to its block (see `layout`); a field is a pointer to its first element.
Nothing here is reference counted.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
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

from cortenforge.kernel.cpu.numba_lanes import LANE, REAL, LaneType
from cortenforge.kernel.cpu.numba_values import INT, ValueType, pack, unpack
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.values import KINDS

I32, I64 = ir.IntType(32), ir.IntType(64)


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
