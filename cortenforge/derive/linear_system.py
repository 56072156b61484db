"""Memory of the linearised equations of one world, and calls of their kernels."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from cortenforge.derive.layout import LINEAR_SYSTEM, SYSTEM_ARRAYS, SYSTEM_COUNTS, SYSTEM_NUMBERS
from cortenforge.derive.linkers import linear_system_linker
from cortenforge.fields import DATA_LAYOUT
from cortenforge.fields.field import FIELD_DTYPES
from cortenforge.kernel import Kernel
from cortenforge.kernel.language.plain import PlainStruct, jit_is_off
from cortenforge.kernel.load.link import Call
from cortenforge.model import Data
from cortenforge.model.calls.linked_units import plain_model

#: words of the struct that are those of the world's Data
OWN_WORDS = len(DATA_LAYOUT.entries)


class LinearSystem:
    """Matrices of the linearised equations of a world; `arrays` has them by name."""

    def __init__(self, data: Data, moved: np.ndarray) -> None:
        """moved: array that lockstep runs fill with constraint forces of perturbed worlds."""
        self.data, model = data, data.model
        nx = 2 * model.nv + model.na
        # rows padded to whole SIMD vectors are faster
        padded = (nx + model.nu + 7) & -8
        self.counts = {"ncol": padded, "nx": nx, "sides": 0, "by_position": 0, "by_input": 0}
        sizes: dict[str, Any] = {**model._store.sizes, **self.counts}
        self.arrays: dict[str, np.ndarray] = {"moved": moved}
        for name, kind, shape in SYSTEM_ARRAYS:
            if name not in self.arrays:
                extents = (n if isinstance(n, int) else sizes[n] for n in shape)
                self.arrays[name] = np.zeros(tuple(extents), FIELD_DTYPES[kind])
        for name, kind in SYSTEM_NUMBERS:
            self.arrays[name] = np.zeros(1, FIELD_DTYPES[kind])
        self.block = np.zeros(LINEAR_SYSTEM.words, np.int64)
        for name, array in self.arrays.items():
            self.block[LINEAR_SYSTEM.entries[name].word] = array.ctypes.data
        self._call = Call(data._call.m, int(self.block.ctypes.data), 0)
        self._address = ctypes.c_int64(ctypes.addressof(self._call))

    def count(self, **counts: int) -> None:
        """Set integers that a call reads."""
        self.counts |= counts
        for name in SYSTEM_COUNTS:
            self.block[LINEAR_SYSTEM.entries[name].word] = self.counts[name]

    def run(self, entry: Kernel, count: int = 0) -> int:
        """Run an entry kernel on the world as it is now; returns its status."""
        data = self.data
        if jit_is_off():
            arrays = {**data._store.arrays, **data._store.capacities, **self.arrays, **self.counts}
            model = plain_model(data.model, data._parameters)
            return int(entry(model, PlainStruct(LINEAR_SYSTEM, arrays), count))
        # arrays that grew have moved
        self.block[:OWN_WORDS] = data._store.block[:OWN_WORDS]
        self._call.m, self._call.count = data._call.m, count
        key = (LINEAR_SYSTEM, entry)
        function = data.model._functions.get(key)
        if function is None:
            function = linear_system_linker().function(entry, data.model._plain())
            data.model._functions[key] = function
        return function(self._address)
