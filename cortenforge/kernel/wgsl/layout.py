"""Where each field is on the device, and the functions that read and write it.

Four buffers hold everything: reals and integers of the model, shared by all worlds, and reals and
integers of Data. Data is a structure of arrays across worlds: number k of a field is at
`(offset + k) * nworld + world`, so that neighbouring threads touch neighbouring memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..layout import Entry, StructLayout
from ..values import KINDS
from .types import wgsl_type

#: threads that start together; one world each
WORKGROUP = 64

BINDINGS = """\
struct Batch { nworld: i32 }
@group(0) @binding(0) var<storage, read_write> data_real: array<f32>;
@group(0) @binding(1) var<storage, read_write> data_int: array<i32>;
@group(0) @binding(2) var<storage, read> model_real: array<f32>;
@group(0) @binding(3) var<storage, read> model_int: array<i32>;
@group(0) @binding(4) var<uniform> batch: Batch;
var<private> world: i32;"""


@dataclass(frozen=True)
class Place:
    """Where a field's numbers are in its buffer."""

    entry: Entry
    offset: int
    count: int

    @property
    def is_real(self) -> bool:
        return self.entry.kind == "real" or self.entry.kind in KINDS

    @property
    def width(self) -> int:
        """Numbers in one element."""
        if self.entry.kind in KINDS:
            return len(KINDS[self.entry.kind])
        return self.entry.trailing[0] if self.entry.trailing else 1


class BufferLayout:
    """Offsets of all fields of a Model and a Data with known sizes."""

    def __init__(
        self,
        model: StructLayout,
        data: StructLayout,
        counts: Mapping[str, int],
        sizes: Mapping[str, int],
        *,
        spare: int = 0,
    ) -> None:
        """counts: numbers in each field of both; spare: reals for locals that outlive a shader."""
        self.sizes = dict(sizes)
        self.structs = {"m": model, "d": data}
        self.places: dict[str, dict[str, Place]] = {}
        self.lengths: dict[tuple[str, bool], int] = {}
        for struct, layout in self.structs.items():
            self.places[struct] = self._place(struct, layout, counts)
        self.spare_at = self.lengths["d", True]
        self.spare = spare
        self.lengths["d", True] += spare

    def _place(
        self, struct: str, layout: StructLayout, counts: Mapping[str, int]
    ) -> dict[str, Place]:
        found: dict[str, Place] = {}
        ends = {True: 0, False: 0}
        for entry in layout.entries.values():
            if entry.kind == "size":
                continue
            place = Place(entry, 0, counts[entry.name])
            found[entry.name] = Place(entry, ends[place.is_real], place.count)
            ends[place.is_real] += place.count
        self.lengths.update({(struct, real): end for real, end in ends.items()})
        return found

    def address(self, struct: str, place: Place, index: str) -> str:
        """The buffer element of a field's number `index`."""
        kind = "real" if place.is_real else "int"
        if struct == "m":
            return f"model_{kind}[{place.offset} + {index}]"
        return f"data_{kind}[({place.offset} + {index}) * batch.nworld + world]"

    def spare_address(self, slot: int) -> str:
        """The buffer element of a spare real."""
        return f"data_real[{self.spare_at + slot} * batch.nworld + world]"

    def accessor(self, name: str) -> str:
        """WGSL of a function that reads or writes a field: `d_xpos`, `put_d_xpos`, `d_xpos_at`."""
        writes = name.startswith("put_")
        struct, _, rest = name.removeprefix("put_").partition("_")
        component = rest not in self.places[struct] and rest.endswith("_at")
        place = self.places[struct][rest.removesuffix("_at") if component else rest]
        entry, whole = place.entry, place.entry.kind in KINDS and not component
        parameters = [] if entry.is_scalar else ["i: i32"]
        start = "" if entry.is_scalar else "i"
        if entry.is_scalar and component:
            start = "0"
        if component or (entry.trailing and not whole):
            parameters.append("k: i32")
        kind = entry.kind if whole else ("real" if place.is_real else "int")
        text = self._writer if writes else self._reader
        return text(name, struct, place, parameters, start, wgsl_type(kind), whole)

    def _elements(self, struct: str, place: Place, parameters: list[str], start: str) -> list[str]:
        """Buffer elements of one element of a field, or of one component."""
        base = f"{start} * {place.width}" if start and place.width > 1 else start
        if "k: i32" in parameters:
            return [self.address(struct, place, f"{base} + k" if base else "k")]
        if place.entry.kind in KINDS:
            joined = f"{base} + " if base else ""
            return [self.address(struct, place, f"{joined}{k}") for k in range(place.width)]
        return [self.address(struct, place, base or "0")]

    def _reader(
        self,
        name: str,
        struct: str,
        place: Place,
        parameters: list[str],
        start: str,
        result: str,
        whole: bool,
    ) -> str:
        elements = self._elements(struct, place, parameters, start)
        value = elements[0] if not whole else f"{result}({', '.join(elements)})"
        return f"fn {name}({', '.join(parameters)}) -> {result} {{ return {value}; }}"

    def _writer(
        self,
        name: str,
        struct: str,
        place: Place,
        parameters: list[str],
        start: str,
        kind: str,
        whole: bool,
    ) -> str:
        elements = self._elements(struct, place, parameters, start)
        parts = [f"v.{part}" for part in KINDS[place.entry.kind]] if whole else ["v"]
        stores = " ".join(f"{e} = {p};" for e, p in zip(elements, parts, strict=True))
        return f"fn {name}({', '.join([*parameters, f'v: {kind}'])}) {{ {stores} }}"
