"""What fields and structs are to Numba: pointers, with everything else known at compile time.

A struct is a pointer to its block (see `layout`); a field is a pointer to its first element.
Nothing here is reference counted.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
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

from cortenforge.kernel.cpu.numba_lanes import (
    INT,
    INTEGERS,
    LANE,
    LANE_INT,
    REAL,
    LaneIntType,
    LaneType,
    in_vector,
)
from cortenforge.kernel.cpu.numba_values import ValueType, pack, unpack
from cortenforge.kernel.language.layout import (
    LANES,
    LANES_OF,
    ONE_OF,
    PLAIN,
    WORLDS_WORD,
    StructLayout,
)
from cortenforge.kernel.language.values import KINDS, in_lane, world

I32, I64 = ir.IntType(32), ir.IntType(64)


#: kind of number -> its LLVM type in memory, and whether it is widened with its sign
STORED = {"int": (ir.IntType(32), True), "byte": (ir.IntType(8), False), "word": (I64, True)}
#: LLVM types of reals in memory, and of those that take half as much
_REALS = (ir.DoubleType(), ir.FloatType())


class FieldType(types.Type):
    """A pointer to the numbers of one field."""

    def __init__(
        self, kind: str, trailing: tuple[int, ...], constant: bool, access: str = PLAIN
    ) -> None:
        self.kind, self.trailing, self.constant, self.access = kind, trailing, constant, access
        super().__init__(name=f"field[{kind},{trailing},{constant},{access}]")

    @property
    def component(self) -> Any:
        """Type of one number, of one world or of eight."""
        lanes = self.access == LANES_OF
        if self.kind in STORED:
            return LANE_INT if lanes else INT
        return LANE if lanes else REAL

    @property
    def element(self) -> Any:
        """Type of `field[i]`; None if an element is not a value."""
        if self.kind in KINDS:
            return ValueType(self.kind, self.component)
        return None if self.trailing else self.component

    @property
    def stored(self) -> Any:
        """LLVM type of one number in memory."""
        number = STORED[self.kind][0] if self.kind in STORED else _REALS[self.kind == "single"]
        return ir.VectorType(number, LANES) if self.access == LANES_OF else number

    @property
    def stride(self) -> int:
        """Numbers of one element."""
        return len(KINDS[self.kind]) if self.kind in KINDS else _product(self.trailing)

    def load(self, builder: Any, pointer: Any, start: Any, k: int = 0) -> Any:
        """Number k behind the start."""
        value = _load(builder, self._address(builder, pointer, start, k), self.constant)
        if self.kind == "single":
            return builder.fpext(value, ir.DoubleType())
        if self.kind not in STORED or self.kind == "word":
            return value
        wide = INTEGERS if self.access == LANES_OF else I64
        return (builder.sext if STORED[self.kind][1] else builder.zext)(value, wide)

    def store(self, builder: Any, pointer: Any, start: Any, value: Any, k: int = 0) -> None:
        """Write number k behind the start."""
        if self.kind in STORED and self.kind != "word":
            value = builder.trunc(value, self.stored)
        builder.store(value, self._address(builder, pointer, start, k))

    def _address(self, builder: Any, pointer: Any, start: Any, k: int) -> Any:
        at = builder.add(start, ir.Constant(I64, k)) if k else start
        if self.access == ONE_OF:
            at = builder.mul(at, ir.Constant(I64, LANES))
        return builder.gep(pointer, [at])


def _product(numbers: tuple[int, ...]) -> int:
    result = 1
    for number in numbers:
        result *= number
    return result


@register_model(FieldType)
class FieldModel(models.PrimitiveModel):
    """A pointer to numbers as they are in memory."""

    def __init__(self, dmm: Any, fe_type: FieldType) -> None:
        super().__init__(dmm, fe_type, fe_type.stored.as_pointer())


def _load(builder: Any, pointer: Any, constant: bool) -> Any:
    value = builder.load(pointer)
    if constant:
        # a model does not change during a call: the load may move past any store
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


def _parts(typ: Any) -> tuple[Any, ...]:
    """Types of the one or two numbers of an index."""
    several: Any = typ
    return tuple(several.types) if isinstance(typ, types.BaseTuple) else (typ,)


def _is_of_eight(index: Any) -> bool:
    """Whether an index is that of eight elements."""
    return any(isinstance(part, LaneIntType) for part in _parts(index))


def _starts(context: Any, builder: Any, field: FieldType, typ: Any, index: Any) -> list[Any]:
    """Where `field[i]` or `field[i, j]` begins; of eight elements, where each of them does.

    Each address is computed by itself, and its numbers are loaded and stored by themselves: with
    instructions that gather, a triangle of a cloth took 8 ns instead of 6 (AVX-512, Zen 4).
    """
    count = LANES if _is_of_eight(typ) else 1
    return [_flat_index(context, builder, field, typ, index, lane) for lane in range(count)]


def _flat_index(
    context: Any, builder: Any, field: FieldType, typ: Any, index: Any, lane: int
) -> Any:
    """Position of the first scalar of `field[i]`, or of the scalar `field[i, j]`."""
    several = isinstance(typ, types.BaseTuple)
    parts = []
    for k, one in enumerate(_parts(typ)):
        part = builder.extract_value(index, k) if several else index
        if isinstance(one, LaneIntType):
            parts.append(builder.extract_element(part, ir.Constant(I32, lane)))
        else:
            parts.append(context.cast(builder, part, one, INT))
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
        typ = _indexed(field, index) if isinstance(field, FieldType) else None
        return signature(typ, field, index) if typ else None


def _indexed(field: FieldType, index: Any) -> Any:
    """Type of what an index finds in a field; None if it is no index of it."""
    found = field
    if _is_of_eight(index):
        if field.access == LANES_OF:
            return None
        found = FieldType(field.kind, field.trailing, field.constant, LANES_OF)
    if isinstance(index, types.BaseTuple):
        return found.component if len(index) == 2 else None
    return found.element if isinstance(index, (types.Integer, LaneIntType)) else None


@lower_builtin(operator.getitem, FieldType, types.Any)
def lower_field_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field, index_type = sig.args
    starts = _starts(context, builder, field, index_type, args[1])
    return _read(context, builder, field, args[0], starts, sig.return_type)


def _read(
    context: Any, builder: Any, field: FieldType, at: Any, starts: list[Any], typ: Any
) -> Any:
    """An element, a component, or eight of them, as a value of a type."""
    parts = [
        in_vector(builder, [field.load(builder, at, start, k) for start in starts])
        for k in range(field.stride if isinstance(typ, ValueType) else 1)
    ]
    return pack(context, builder, typ, parts) if isinstance(typ, ValueType) else parts[0]


def _write(
    builder: Any, field: FieldType, at: Any, starts: list[Any], typ: Any, value: Any
) -> None:
    """Store a value of a type as an element, a component, or as eight of them."""
    parts = unpack(builder, typ, value) if isinstance(typ, ValueType) else [value]
    for lane, start in enumerate(starts):
        for k, part in enumerate(parts):
            if len(starts) > 1:
                part = builder.extract_element(part, ir.Constant(I32, lane))
            field.store(builder, at, start, part, k)


@infer_global(operator.setitem)
class FieldSet(AbstractTemplate):
    """Assignment to an element or a component."""

    def generic(self, args: Any, kws: Any) -> Any:
        field, index, value = args
        if not isinstance(field, FieldType) or field.constant:
            return None
        target = _indexed(field, index)
        if target is None:
            return None
        if isinstance(target, ValueType):
            if not isinstance(value, ValueType) or value.kind != target.kind:
                return None
            if value.scalar == LANE and target.scalar == REAL:
                return None
        elif not _fits(value, target):
            return None
        return signature(types.none, field, index, target)


def _fits(value: Any, number: Any) -> bool:
    """Whether a value can be stored as a number: no lanes in a world, no reals as integers."""
    if number in (INT, LANE_INT):
        allowed: tuple[type, ...] = (types.Integer, types.Boolean)
        return isinstance(value, (*allowed, LaneIntType) if number == LANE_INT else allowed)
    lanes = isinstance(value, (LaneType, LaneIntType))
    return isinstance(value, (types.Integer, types.Float)) or (lanes and number == LANE)


@lower_builtin(operator.setitem, FieldType, types.Any, types.Any)
def lower_field_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field, index_type, value_type = sig.args
    starts = _starts(context, builder, field, index_type, args[1])
    _write(builder, field, args[0], starts, value_type, args[2])
    return context.get_dummy_value()


@infer_global(in_lane)
class FieldInLane(AbstractTemplate):
    """A field as one world sees it: every eighth number of what is in lanes."""

    def generic(self, args: Any, kws: Any) -> Any:
        field, lane = args
        if not isinstance(field, FieldType) or not isinstance(lane, types.Integer):
            return None
        own = ONE_OF if field.access == LANES_OF else field.access
        return signature(FieldType(field.kind, field.trailing, field.constant, own), field, INT)


@lower_builtin(in_lane, FieldType, types.Integer)
def lower_field_in_lane(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer, lane = args
    if sig.args[0].access != LANES_OF:
        return pointer
    first = builder.bitcast(pointer, sig.return_type.stored.as_pointer())
    return builder.gep(first, [lane])


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
    return FieldType(entry.kind, entry.trailing, struct.layout.constant, entry.access)


@infer_getattr
class StructAttributes(AttributeTemplate):
    """`m.nbody` is a number, `d.time` a real, `d.xpos` a field."""

    key = StructType

    def generic_resolve(self, struct: StructType, attr: str) -> Any:  # type: ignore[override]
        entry = struct.layout.entries.get(attr)
        if entry is None:
            return None
        if entry.kind == "size":
            return INT
        field = _field_type(struct, attr)
        return field.element if entry.is_scalar else field


def _word(builder: Any, block: Any, word: int) -> Any:
    """A word of a block; blocks do not change during a call."""
    return _load(builder, builder.gep(block, [ir.Constant(I32, word)]), True)


def _field_pointer(builder: Any, struct: StructType, block: Any, attr: str) -> Any:
    word = _word(builder, block, struct.layout.entries[attr].word)
    return builder.inttoptr(word, _field_type(struct, attr).stored.as_pointer())


FIRST = ir.Constant(I64, 0)


@lower_getattr_generic(StructType)
def lower_struct_get(context: Any, builder: Any, struct: StructType, block: Any, attr: str) -> Any:
    entry = struct.layout.entries[attr]
    if entry.kind == "size":
        return _word(builder, block, entry.word)
    pointer = _field_pointer(builder, struct, block, attr)
    if not entry.is_scalar:
        return pointer
    field = _field_type(struct, attr)
    return _read(context, builder, field, pointer, [FIRST], field.element)


@lower_setattr_generic(StructType)
def lower_struct_set(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> Any:
    struct, value_type = sig.args
    field = _field_type(struct, attr)
    pointer = _field_pointer(builder, struct, args[0], attr)
    value = context.cast(builder, args[1], value_type, field.element)
    _write(builder, field, pointer, [FIRST], field.element, value)


@infer_global(world)
class World(AbstractTemplate):
    """The struct of one of a group's worlds; a struct that worlds share is itself."""

    def generic(self, args: Any, kws: Any) -> Any:
        struct, lane = args
        if not isinstance(struct, StructType) or not isinstance(lane, types.Integer):
            return None
        inner = struct.layout.of_one
        return signature(StructType(inner) if inner else struct, struct, INT)


@lower_builtin(world, StructType, types.Integer)
def lower_world(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    layout = sig.args[0].layout
    if layout.of_one is None:
        return args[0]
    blocks = builder.inttoptr(_word(builder, args[0], WORLDS_WORD), I64.as_pointer())
    start = builder.mul(args[1], ir.Constant(I64, layout.of_one.words))
    return builder.gep(blocks, [start])


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


def call_through_slot(symbol: Callable[[Any], str], count: int) -> Any:
    """An intrinsic that calls the unit whose address is kept at an external symbol.

    symbol: its name for the layout of the data struct with which it is called.
    count:  integers that the unit takes beyond its structs.
    The slot is filled by `link` before the first call.
    """
    function = ir.FunctionType(ir.VoidType(), [I64] * (2 + count))

    def slot_call(typingctx: Any, m: Any, d: Any, *more: Any) -> Any:
        if not (isinstance(m, StructType) and isinstance(d, StructType)):
            return None
        name = symbol(d.layout)

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            module = builder.module
            slot = module.globals.get(name) or ir.GlobalVariable(module, I64, name)
            target = builder.inttoptr(builder.load(slot), function.as_pointer())
            structs = [builder.ptrtoint(a, I64) for a in args[:2]]
            builder.call(target, [*structs, *args[2:]])
            return context.get_dummy_value()

        return types.none(m, d, *[INT] * count), codegen

    return intrinsic(_with_parameters(slot_call, count))


def _with_parameters(call: Any, count: int) -> Any:
    """Numba counts the parameters of an intrinsic: the same function with as many as are taken."""
    takes = {
        0: lambda typingctx, m, d: call(typingctx, m, d),
        1: lambda typingctx, m, d, a: call(typingctx, m, d, a),
        2: lambda typingctx, m, d, a, b: call(typingctx, m, d, a, b),
        3: lambda typingctx, m, d, a, b, c: call(typingctx, m, d, a, b, c),
    }
    return takes[count]
