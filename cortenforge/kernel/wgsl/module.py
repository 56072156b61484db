"""A WGSL module: all functions that a shader calls, one for each binding, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping

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

NEGATED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}


class Module:
    """Collects the declarations of one shader, and writes its text."""

    def __init__(self, layout: BufferLayout) -> None:
        self.layout = layout
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
        self._functions: dict[tuple[object, ...], tuple[str, Type | None]] = {}
        self._names: set[str] = set()
        self._texts: list[str] = []

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

    def function(
        self, kernel: Kernel, binds: Mapping[str, Binding], kinds: Mapping[str, Type]
    ) -> tuple[str, Type | None]:
        """Name and result of a kernel as a function for these structs, fields and types."""
        if kernel.name in realmath.SINGLE:
            name, result = realmath.SINGLE[kernel.name]
            self.uses(result)
            return self.real_function(name), result
        key = (kernel.name, tuple(binds.items()), tuple(kinds.items()))
        if key not in self._functions:
            fields = [bound.field for bound in binds.values() if bound.field]
            self._functions[key] = self._write(whole(kernel, binds), kinds, fields)
        return self._functions[key]

    def _write(
        self, fragment: Fragment, kinds: Mapping[str, Type], fields: list[str]
    ) -> tuple[str, Type | None]:
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
        return name, writer.result

    # the text

    def shader(self, fragment: Fragment) -> str:
        """A compute shader that runs a fragment once a world."""
        fields = [bound.field for bound in fragment.binds.values() if bound.field]
        name, _ = self._write(fragment, {}, fields)
        guard = ""
        if fragment.frozen:
            guard = f"  if ({self.accessor('d', 'status')}() != 0) {{ return; }}\n"
        for slot, wanted in fragment.guards:
            sign = "==" if wanted else "!="
            guard += f"  if ({self.layout.spare_address(slot)} {sign} 0.0) {{ return; }}\n"
        main = (
            f"@compute @workgroup_size({WORKGROUP})\n"
            "fn main(@builtin(global_invocation_id) thread: vec3<u32>) {\n"
            "  world = i32(thread.x);\n"
            "  if (world >= batch.nworld) { return; }\n"
            f"{guard}  {name}();\n}}"
        )
        return self.text(main)

    def text(self, main: str = "") -> str:
        """All of the module."""
        constants = [
            f"const {size}: i32 = {self.layout.sizes[size]};" for size in sorted(self._sizes)
        ]
        constants += [self._constants[name][1] for name in sorted(self._constants)]
        structs = [value_struct(kind) for kind in STRUCTS if kind in self._kinds]
        structs += [tuple_struct(kinds) for kinds in sorted(self._tuples)]
        parts = [
            BINDINGS,
            "\n".join(constants),
            "\n".join(structs),
            "\n".join(self.layout.accessor(name) for name in sorted(self._accessors)),
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
    source = whole(fragment) if isinstance(fragment, Kernel) else fragment
    return Module(layout).shader(source)
