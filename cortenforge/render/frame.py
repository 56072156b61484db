"""Memory of a frame: arrays that kernels draw in, and the structs by which they reach them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from cortenforge.fields.field import FIELD_DTYPES
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.values import KINDS
from cortenforge.kernel.load.link import Call, Linker
from cortenforge.render.layout import FIRST_LIGHT_VIEW, FRAME_LAYOUT, SHAPES_LAYOUT

#: prefixes of fields with an element for each instance; fields with one for each in each view
PER_INSTANCE = ("instance_", "transparent")
PER_INSTANCE_AND_VIEW = (
    "to_view",
    "at_view",
    "ray_from",
    "ray_dir",
    "is_seen",
    "row_span",
    "first_number",
)
#: fields of which each thread has its own
PER_THREAD = ("view_rows", "screen_x", "screen_y", "screen_z", "last_found")


class StructMemory:
    """A struct: words that hold addresses of arrays and sizes, and the arrays themselves."""

    def __init__(self, layout: StructLayout) -> None:
        self.layout = layout
        self.arrays: dict[str, np.ndarray] = {}
        self.words = (ctypes.c_int64 * layout.words)()

    def set_array(self, name: str, array: np.ndarray) -> None:
        """Point a field at an array."""
        entry = self.layout.entries[name]
        assert array.dtype == FIELD_DTYPES[entry.kind] and array.flags.c_contiguous, name
        self.arrays[name] = array
        self.words[entry.word] = array.__array_interface__["data"][0]

    def new_array(self, name: str, count: int) -> None:
        """Point a field at a new array of `count` elements."""
        entry = self.layout.entries[name]
        one = (len(KINDS[entry.kind]),) if entry.kind in KINDS else entry.trailing
        self.set_array(name, np.zeros((count, *one), FIELD_DTYPES[entry.kind]))

    def set_size(self, name: str, number: int) -> None:
        """Set a size."""
        self.words[self.layout.entries[name].word] = number

    @property
    def address(self) -> int:
        """Address of the words."""
        return ctypes.addressof(self.words)


class Frame(StructMemory):
    """The arrays of a picture: allocated once, and grown with the number of instances."""

    def __init__(self, width: int, height: int, samples: int, map_size: int) -> None:
        super().__init__(FRAME_LAYOUT)
        self.capacity = self.lights = 0
        self.width, self.height, self.map_size = width, height, map_size
        self.samples = samples
        for name, entry in FRAME_LAYOUT.entries.items():
            if entry.is_scalar and entry.kind != "size":
                self.new_array(name, 1)
        pixels = width * height
        for name, count in (("colour", pixels), ("rgb", 3 * pixels), ("depth", pixels)):
            self.new_array(name, count)
        self.new_array("pixel_instance", pixels)
        # samples of the picture, followed by those of its mirror or of a transparent instance
        self.new_array("depth_buffer", 2 * pixels * samples)
        self.new_array("triangle_ids", 2 * pixels * samples)
        self.new_array("shift", samples)
        self.arrays["shift"][:] = sample_offsets(samples)
        self.set_size("width", width)
        self.set_size("height", height)
        self.grow(64, 1)

    def grow(self, instances: int, lights: int) -> None:
        """Grow to a capacity of at least so many instances and lights."""
        if instances <= self.capacity and lights <= self.lights:
            return
        self.capacity = max(instances + instances // 2, self.capacity)
        self.lights = max(lights, self.lights)
        views = FIRST_LIGHT_VIEW + self.lights
        self.set_size("capacity", self.capacity)
        for name in FRAME_LAYOUT.entries:
            if name.startswith(PER_INSTANCE):
                self.new_array(name, self.capacity)
            elif name.startswith("view_"):
                self.new_array(name, views)
            elif name.startswith("light_"):
                self.new_array(name, self.lights)
            elif name in PER_INSTANCE_AND_VIEW:
                self.new_array(name, self.capacity * views)
        if len(self.arrays.get("shadow_map", ())) < self.lights * self.map_size**2:
            self.new_array("shadow_map", max(self.lights * self.map_size**2, 1))
            self.new_array("shadow_map_span", max(self.lights * self.map_size, 1))


class ThreadFrame(StructMemory):
    """A frame as one thread sees it: all arrays but those of `PER_THREAD` are shared."""

    def __init__(self) -> None:
        super().__init__(FRAME_LAYOUT)

    def use_frame(self, frame: Frame, vertices: int) -> None:
        """Use a frame from now on; no shape has more than `vertices` vertices."""
        ctypes.memmove(self.words, frame.words, ctypes.sizeof(self.words))
        counts = {"last_found": 1, "view_rows": len(frame.arrays["view_rows"])}
        for name in PER_THREAD:
            count = counts.get(name, vertices)
            if len(self.arrays.get(name, ())) < count:
                self.new_array(name, count)
            self.set_array(name, self.arrays[name])

    def run_entry(self, linker: Linker, entry: Any, shapes: StructMemory, view: int) -> None:
        """Run an entry on rows of a view."""
        call = Call(shapes.address, self.address, view)
        linker.function(entry)(ctypes.addressof(call))


def sample_offsets(samples: int) -> np.ndarray:
    """Horizontal offsets of a pixel's samples, one a row: no two below one another."""
    order = {1: [0], 2: [1, 0], 4: [1, 3, 0, 2], 8: [2, 6, 0, 4, 7, 3, 5, 1]}[samples]
    return (np.array(order) + 0.5) / samples


def shapes_memory(arrays: dict[str, np.ndarray]) -> StructMemory:
    """The struct of shapes and textures."""
    block = StructMemory(SHAPES_LAYOUT)
    for name, array in arrays.items():
        block.set_array(name, array)
    return block
