"""A WGSL module: all functions that a shader calls, one for each binding, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.values import KINDS
from cortenforge.kernel.wgsl import realmath
from cortenforge.kernel.wgsl.layout import BINDINGS, WORKGROUP, BufferLayout
from cortenforge.kernel.wgsl.names import fits_single, safe
from cortenforge.kernel.wgsl.source import Binding, Fragment, whole
from cortenforge.kernel.wgsl.statements import FunctionWriter
from cortenforge.kernel.wgsl.types import (
    CALLED,
    PRECISE_KINDS,
    STRUCTS,
    Type,
    tuple_struct,
    value_function,
    value_struct,
)

#: what a debug build counts of each world: loop turns; numbers read and written
COUNTERS = ("turns", "loads", "model_loads", "stores")
#: at the end of a shader: a driver that limits the turns of all its loops lets this one turn once
LOOPS_END = """\
var turned = 0;
for (var k = 0; k < 4 + i32(batch.zero); k++) {{ turned++; }}
if (turned != 4) {{ put_d_status({}); }}"""
NEGATED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}


class Module:
    """Collects the declarations of one shader, and writes its text."""

    def __init__(
        self,
        layout: BufferLayout,
        model: Any = None,
        spares: dict[int, Type] | None = None,
        *,
        known: Mapping[str, int] | None = None,
        counted: bool = False,
        unfinished: int = 0,
    ) -> None:
        """
        layout:  kinds of fields; their places may be others when the text is written.
        model:   decides branches and entries of tables; None translates all of them.
        spares:  types of locals that outlive a shader, which earlier shaders have stored.
        known:   fields of Data that have one value in every state of the model.
        counted: whether the shader counts its loop turns, loads and stores.
        unfinished: status of worlds whose loops the driver has ended; 0 if it does not end any.
        """
        self.unfinished = unfinished
        self.layout, self.model, self.counted = layout, model, counted
        self.spares = {} if spares is None else spares
        self.known = known or {}
        #: names that locals must not take
        self.taken = frozenset({*layout.sizes, *KINDS})
        self._sizes: set[str] = set()
        self._constants: dict[str, tuple[object, str]] = {}
        self._kinds: set[str] = set()
        self._tuples: set[tuple[str, ...]] = set()
        self._operators: set[str] = set()
        self._reals: set[str] = set()
        self._negated: set[str] = set()
        self._accessors: set[str] = set()
        self._spare_accessors: set[tuple[int, bool]] = set()
        self._functions: dict[tuple[object, ...], tuple[str, Type | None, int]] = {}
        self._names: set[str] = set()
        self._texts: list[str] = []
        self._calls: list[str] = []

    # what functions ask for

    def size(self, name: str) -> str:
        """A size of the model, as a constant."""
        self._sizes.add(name)
        return name

    def constant(self, name: str, value: bool | int | float, literal: str) -> str:
        """A constant of a kernel's module."""
        wanted, number = safe(name, self.taken), 1
        while self._constants.get(wanted, (value, ""))[0] != value:
            number += 1
            wanted = f"{name}_{number}"
        kind = {bool: "bool", int: "i32", float: "f32"}[type(value)]
        note = ""
        if isinstance(value, float) and not fits_single(value):
            note = f"  // {value!r} in the source: out of the range of f32"
        self._constants[wanted] = (value, f"const {wanted}: {kind} = {literal};{note}")
        return wanted

    def uses(self, kind: Type) -> None:
        """A type that must be declared."""
        if isinstance(kind, tuple):
            self._tuples.add(kind)
            for part in kind:
                self.uses(part)
        elif kind in STRUCTS:
            self._kinds.add(kind)

    def operator(self, kind: str, operator: str) -> str:
        """An operator of a value kind."""
        self.uses(kind)
        if kind in PRECISE_KINDS and operator in CALLED:
            self.real_function(CALLED[operator])
        self._operators.add(f"{kind}_{operator}")
        return f"{kind}_{operator}"

    def real_function(self, name: str) -> str:
        """A function of reals."""
        if name in realmath.FUNCTIONS:
            self._reals.add(name)
        return name

    def negated(self, word: str) -> str:
        """Negation of a comparison, which is true for nan."""
        self.real_function("real_unordered")
        self._negated.add(word)
        return f"real_not_{word}"

    def accessor(self, struct: str, name: str, *, write: bool = False) -> str:
        """The function that reads or writes a field."""
        made = f"{'put_' if write else ''}{struct}_{name}"
        self._accessors.add(made)
        field = name if name in self.layout.places[struct] else name.removesuffix("_at")
        self.uses(self.layout.places[struct][field].entry.kind)
        return made

    def spare(self, slot: int, kind: Type, *, write: bool = False) -> str:
        """The function that reads or writes a local that outlives a shader."""
        if write:
            self.spares[slot] = kind
        self.uses(kind)
        self._spare_accessors.add((slot, write))
        return f"put_spare_{slot}" if write else f"spare_{slot}"

    def function(
        self,
        kernel: Kernel,
        binds: Mapping[str, Binding],
        kinds: Mapping[str, Type],
        literals: Mapping[str, int] | None = None,
    ) -> tuple[str, Type | None, int]:
        """A kernel as a function for these structs, fields, types and integers.

        Its name, its result, and the number of loops in it and in what it calls.
        """
        if kernel.name in realmath.SINGLE:
            name, result = realmath.SINGLE[kernel.name]
            self.uses(result)
            return self.real_function(name), result, 0
        literals = literals or {}
        key = (kernel.name, *(tuple(given.items()) for given in (binds, kinds, literals)))
        if key not in self._functions:
            fields = [bound.field for bound in binds.values() if bound.field]
            self._functions[key] = self._write(whole(kernel, binds, literals), kinds, fields)
        return self._functions[key]

    def _write(
        self, fragment: Fragment, kinds: Mapping[str, Type], fields: list[str]
    ) -> tuple[str, Type | None, int]:
        plain = "__".join([fragment.name, *fields])
        name, number = safe(plain, self.taken), 1
        while name in self._names:
            number += 1
            name = f"{plain}_{number}"
        self._names.add(name)
        for kind in kinds.values():
            self.uses(kind)
        writer = FunctionWriter(self, fragment, name, kinds)
        text = writer.write()
        if writer.result is not None:
            self.uses(writer.result)
        self._texts.append(text)
        return name, writer.result, writer.loops

    # the text

    def add(self, fragment: Fragment) -> int:
        """Add a fragment to what a shader does; the number of loops in it."""
        fields = [bound.field for bound in fragment.binds.values() if bound.field]
        name, _, loops = self._write(fragment, {}, fields)
        conditions = []
        if fragment.frozen:
            conditions.append(f"{self.accessor('d', 'status')}() == 0")
        for slot, wanted in fragment.guards:
            reader = self.spare(slot, self.spares.get(slot, "bool"))
            conditions.append(f"{reader}()" if wanted else f"!{reader}()")
        call = f"{name}();"
        self._calls.append(f"if ({' && '.join(conditions)}) {{ {call} }}" if conditions else call)
        return loops

    @property
    def has_effect(self) -> bool:
        """Whether the shader writes anything."""
        written = any(write for _, write in self._spare_accessors)
        return written or any(name.startswith("put_") for name in self._accessors)

    @property
    def fields(self) -> set[tuple[str, str]]:
        """Structs and names of the fields that the shader reads or writes."""
        found = set()
        for name in self._accessors:
            struct, _, rest = name.removeprefix("put_").partition("_")
            known = rest in self.layout.places[struct]
            found.add((struct, rest if known else rest.removesuffix("_at")))
        return found

    def shader(self, layout: BufferLayout, counters: int = 0) -> str:
        """The compute shader that runs the fragments once a world.

        layout: where fields are.  counters: number of the shader's counters in a debug build.
        """
        lines = [
            f"@compute @workgroup_size({WORKGROUP})",
            "fn main(@builtin(global_invocation_id) thread: vec3<u32>) {",
            "  world = i32(thread.x);",
            "  if (world >= batch.nworld) { return; }",
            *(f"  {call}" for call in self._calls),
        ]
        if self.unfinished:
            self.accessor("d", "status", write=True)
            lines += [f"  {line}" for line in LOOPS_END.format(self.unfinished).splitlines()]
        if self.counted:
            first = layout.counters_at + len(COUNTERS) * counters
            lines += [f"  data_int[at({first + k})] += {name};" for k, name in enumerate(COUNTERS)]
        return self.text(layout, "\n".join([*lines, "}"]))

    def text(self, layout: BufferLayout, main: str = "") -> str:
        """All of the module."""
        constants = [f"const {size}: i32 = {layout.sizes[size]};" for size in sorted(self._sizes)]
        constants += [self._constants[name][1] for name in sorted(self._constants)]
        structs = [value_struct(kind) for kind in STRUCTS if kind in self._kinds]
        structs += [tuple_struct(kinds) for kinds in sorted(self._tuples)]
        accessors = [
            layout.accessor(name, counted=self.counted) for name in sorted(self._accessors)
        ]
        accessors += [
            layout.spare_accessor(slot, write=write)
            for slot, write in sorted(self._spare_accessors)
        ]
        counters = [f"var<private> {name}: i32;" for name in COUNTERS] if self.counted else []
        parts = [
            BINDINGS,
            "\n".join(counters),
            "\n".join(constants),
            "\n".join(structs),
            "\n".join(accessors),
            *(realmath.FUNCTIONS[name][1] for name in realmath.with_callees(self._reals)),
            *(_negated_text(word) for word in sorted(self._negated)),
            *(value_function(name) for name in sorted(self._operators)),
            *self._texts,
            main,
        ]
        return "\n\n".join(part for part in parts if part) + "\n"


def _negated_text(word: str) -> str:
    return (
        f"fn real_not_{word}(a: f32, b: f32) -> bool {{\n"
        f"  return !(a {NEGATED[word]} b) || real_unordered(a, b);\n}}"
    )


def translate(fragment: Fragment | Kernel, layout: BufferLayout) -> str:
    """The WGSL of a kernel of `(m, d)`, or of a fragment of one, as a compute shader."""
    module = Module(layout)
    module.add(whole(fragment) if isinstance(fragment, Kernel) else fragment)
    return module.shader(layout)
