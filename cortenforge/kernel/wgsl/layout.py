"""Places of fields on the device, and the functions that read and write them.

Four buffers hold everything: reals and integers of the model, shared by all worlds, and reals and
integers of Data. Data is a structure of arrays across worlds: number k of a field is at
`(offset + k) * nworld + world`, so that neighbouring threads touch neighbouring memory.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from cortenforge.kernel.language.layout import Entry, StructLayout
from cortenforge.kernel.language.values import KINDS
from cortenforge.kernel.wgsl.types import PRECISE_KINDS, Type, wgsl_type

#: threads that start together; one world each
WORKGROUP = 64

BINDINGS = """\
struct Batch { nworld: i32, zero: u32 }
@group(0) @binding(0) var<storage, read_write> data_real: array<f32>;
@group(0) @binding(1) var<storage, read_write> data_int: array<i32>;
@group(0) @binding(2) var<storage, read> model_real: array<f32>;
@group(0) @binding(3) var<storage, read> model_int: array<i32>;
@group(0) @binding(4) var<uniform> batch: Batch;
var<private> world: i32;

// where number k of this world is
fn at(k: i32) -> i32 {
  return k * batch.nworld + world;
}"""


@dataclass(frozen=True)
class Place:
    """Place of a field in its buffer."""

    entry: Entry
    offset: int
    count: int
    #: where the second parts of a precise field are, or -1
    low: int = -1
    #: whether it is a field of the model of which each world has its own, among its Data
    own: bool = False
    #: whether other fields stand at the same place, so that it has no value between shaders
    shared: bool = False

    @property
    def is_real(self) -> bool:
        return self.entry.kind in ("real", "single") or self.entry.kind in KINDS

    @property
    def is_precise(self) -> bool:
        """Whether its reals are sums of two f32."""
        return self.low >= 0

    @property
    def kind(self) -> str:
        """Type of one element."""
        if self.entry.kind == "real" and self.is_precise:
            return "precise"
        plain = {"int": "int", "byte": "int", "single": "real"}
        return plain.get(self.entry.kind, self.entry.kind)

    @property
    def width(self) -> int:
        """Numbers in one element."""
        if self.entry.kind in KINDS:
            return len(KINDS[self.entry.kind])
        if self.entry.kind == "word":
            return 2
        return self.entry.trailing[0] if self.entry.trailing else 1


@dataclass(frozen=True)
class Spare:
    """Place of a local that outlives a shader."""

    kind: Type
    offset: int

    @property
    def parts(self) -> tuple[str, ...]:
        """What of the value each number is."""
        if self.kind in ("precise", "word"):
            return (".x", ".y")
        if self.kind in KINDS and self.kind not in PRECISE_KINDS:
            return tuple(f".{name}" for name in KINDS[str(self.kind)])
        if self.kind in ("real", "int", "bool"):
            return ("",)
        raise ValueError(f"no spare holds a {self.kind}")

    @property
    def width(self) -> int:
        """Numbers that it takes."""
        return len(self.parts)

    def _numbers(self) -> list[str]:
        buffer = "data_int" if self.kind in ("int", "bool", "word") else "data_real"
        return [f"{buffer}[at({self.offset + k})]" for k in range(self.width)]

    def reader(self, slot: int) -> str:
        """The function that reads."""
        name = wgsl_type(self.kind)
        numbers = self._numbers()
        if self.kind == "word":
            numbers = [f"bitcast<u32>({number})" for number in numbers]
        value = numbers[0] if self.parts == ("",) else f"{name}({', '.join(numbers)})"
        if self.kind == "bool":
            value = f"{value} != 0"
        return f"fn spare_{slot}() -> {name} {{\n  return {value};\n}}"

    def writer(self, slot: int) -> str:
        """The function that writes."""
        form = {"bool": "select(0, 1, v)", "word": "bitcast<i32>(v{0})"}.get(str(self.kind), "v{0}")
        lines = [
            f"  {number} = {form.format(part)};"
            for number, part in zip(self._numbers(), self.parts, strict=True)
        ]
        opening = f"fn put_spare_{slot}(v: {wgsl_type(self.kind)}) {{"
        return "\n".join([opening, *lines, "}"])


class BufferLayout:
    """Offsets of all fields of a Model and a Data with known sizes."""

    def __init__(
        self,
        model: StructLayout,
        data: StructLayout,
        counts: Mapping[str, int],
        sizes: Mapping[str, int],
        *,
        precise: Collection[str] = (),
        spares: Mapping[int, Type] | None = None,
        counters: int = 0,
        first: Sequence[str] = (),
        alias: str = "",
        own: Collection[str] = (),
        scratch: Mapping[str, str] | None = None,
    ) -> None:
        """
        counts:  numbers in each field of both that the device has.
        precise: fields of Data that keep two f32 a real.
        spares:  types of locals that outlive a shader, by number.
        counters: integers of a debug build.
        first:   reals of Data that stand together at the beginning, and
        alias:   the field that is all of them.
        own:     reals of the model of which each world has its own.
        scratch: fields of Data that have a value within one shader only, with the shader's name:
                 those of different shaders share memory.
        """
        self._scratch = scratch or {}
        self.sizes = dict(sizes)
        self._first, self._alias = first, alias
        self._precise = frozenset(precise)
        self.structs = {"m": model, "d": data}
        self.places: dict[str, dict[str, Place]] = {}
        self.lengths: dict[tuple[str, bool], int] = {}
        for struct, layout in self.structs.items():
            self.places[struct] = self._place(struct, layout, counts)
        for name in sorted(own):
            place = self.places["m"].get(name)
            if place is not None:
                self.places["m"][name] = replace(place, offset=self.lengths["d", True], own=True)
                self.lengths["d", True] += place.count
        self.spares = {
            slot: self._place_spare(kind) for slot, kind in sorted((spares or {}).items())
        }
        self.counters_at = self.lengths["d", False]
        self.lengths["d", False] += counters

    def has_places_of(self, other: BufferLayout) -> bool:
        """Whether every field stands where another layout has it, and there are no others."""
        return self.places == other.places and self.lengths == other.lengths

    def _place(
        self, struct: str, layout: StructLayout, counts: Mapping[str, int]
    ) -> dict[str, Place]:
        ends = {True: 0, False: 0}
        names = [*self._first, *layout.entries] if struct == "d" else list(layout.entries)
        placed = [
            name
            for name in dict.fromkeys(names)
            if layout.entries[name].kind != "size" and name in counts and name != self._alias
        ]
        scratch = self._scratch if struct == "d" else {}
        lasting = [name for name in placed if name not in scratch]
        found = {name: _next_place(layout.entries[name], counts[name], ends) for name in lasting}
        if struct == "d" and self._alias:
            entry = layout.entries[self._alias]
            found[self._alias] = Place(entry, 0, sum(counts[name] for name in self._first))
        # second parts come behind: the host neither reads nor writes them
        if struct == "d":
            self._add_second_parts(found, ends)
        begin = dict(ends)
        for owner in sorted(set(scratch.values())):
            own, at = [name for name in placed if scratch.get(name) == owner], dict(begin)
            part = {name: _next_place(layout.entries[name], counts[name], at) for name in own}
            self._add_second_parts(part, at)
            found.update({name: replace(place, shared=True) for name, place in part.items()})
            ends = {real: max(ends[real], at[real]) for real in ends}
        self.lengths.update({(struct, real): end for real, end in ends.items()})
        return found

    def _add_second_parts(self, found: dict[str, Place], ends: dict[bool, int]) -> None:
        """Place the second parts of precise fields."""
        for name, place in found.items():
            if name in self._precise or place.entry.kind in PRECISE_KINDS:
                found[name] = replace(place, low=ends[True])
                ends[True] += place.count

    def _place_spare(self, kind: Type) -> Spare:
        real = kind not in ("int", "bool", "word")
        spare = Spare(kind, self.lengths["d", real])
        self.lengths["d", real] += spare.width
        return spare

    def spare_accessor(self, slot: int, *, write: bool) -> str:
        """WGSL of a function that reads or writes a spare: `spare_3`, `put_spare_3`."""
        spare = self.spares[slot]
        return spare.writer(slot) if write else spare.reader(slot)

    def accessor(self, name: str, *, counted: bool = False) -> str:
        """WGSL of a function that reads or writes a field: `d_xpos`, `put_d_xpos`, `d_xpos_at`.

        counted: whether it counts the numbers that it reads or writes.
        """
        writes = name.startswith("put_")
        struct, _, rest = name.removeprefix("put_").partition("_")
        component = rest not in self.places[struct] and rest.endswith("_at")
        place = self.places[struct][rest.removesuffix("_at") if component else rest]
        access = _Access(struct, place, component, counted=counted)
        return access.writer(name) if writes else access.reader(name)


def _next_place(entry: Entry, count: int, ends: dict[bool, int]) -> Place:
    """The next place of a buffer, for so many numbers; a word is two integers."""
    count *= 2 if entry.kind == "word" else 1
    real = Place(entry, 0, count).is_real
    place = Place(entry, ends[real], count)
    ends[real] += count
    return place


class _Access:
    """Text of one function that reads or writes an element of a field, or a component of one."""

    def __init__(self, struct: str, place: Place, component: bool, *, counted: bool) -> None:
        self.struct, self.place, self.counted = struct, place, counted
        self.parameters = [] if place.entry.is_scalar else ["i: i32"]
        parts: list[int | str] = [0]
        self.fields = [""]
        self.kind = wgsl_type("real" if component else place.kind)
        if component or place.entry.trailing:
            self.parameters.append("k: i32")
            parts = ["k"]
        elif place.entry.kind in KINDS:
            parts = list(range(place.width))
            self.fields = [f".{name}" for name in KINDS[place.entry.kind]]
        elif place.entry.kind == "word":
            parts = [0, 1]
            self.fields = [".x", ".y"]
        self.component = component
        self.high = [self.element(place.offset, part) for part in parts]
        self.low = [self.element(place.low, part) for part in parts if place.is_precise]

    def element(self, start: int, part: int | str) -> str:
        """One number of the buffer."""
        terms = [str(start)]
        if not self.place.entry.is_scalar:
            terms.append("i" if self.place.width == 1 else f"i * {self.place.width}")
        if part != 0:
            terms.append(str(part))
        index = " + ".join(terms)
        number = "real" if self.place.is_real else "int"
        if self.struct == "m" and not self.place.own:
            return f"model_{number}[{index}]"
        return f"data_{number}[at({index})]"

    def reader(self, name: str) -> str:
        """The function that reads."""
        numbers = self.high
        if self.low and not self.component:
            numbers = [f"vec2<f32>({a}, {b})" for a, b in zip(self.high, self.low, strict=True)]
        if self.place.entry.kind == "word":
            numbers = [f"bitcast<u32>({number})" for number in numbers]
        value = numbers[0]
        if len(numbers) > 1:
            listed = ",\n    ".join(numbers)
            value = f"{self.kind}(\n    {listed}\n  )"
        count = self.count("loads" if self.struct == "d" else "model_loads", 0)
        return "\n".join(
            [
                f"fn {name}({', '.join(self.parameters)}) -> {self.kind} {{",
                *count,
                f"  return {value};",
                "}",
            ]
        )

    def count(self, counter: str, unread: int) -> list[str]:
        """The line of a debug build that counts the numbers of an access."""
        number = len(self.high) + (unread if self.component else len(self.low))
        return [f"  {counter} += {number};"] if self.counted else []

    def writer(self, name: str) -> str:
        """The function that writes."""
        lines = [f"fn {name}({', '.join([*self.parameters, f'v: {self.kind}'])}) {{"]
        lines += self.count("stores", len(self.low))
        for i, field in enumerate(self.fields):
            high, low = (".x", ".y") if self.low and not self.component else ("", "")
            number = f"v{field}{high}"
            if self.place.entry.kind == "word":
                number = f"bitcast<i32>({number})"
            lines.append(f"  {self.high[i]} = {number};")
            if self.low:
                lines.append(f"  {self.low[i]} = {f'v{field}{low}' if low else '0.0'};")
        return "\n".join([*lines, "}"])
