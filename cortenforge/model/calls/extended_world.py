"""A world with more memory than a Data has, and calls of entries that use both."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.fields import DATA_LAYOUT
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.plain import PlainStruct, jit_is_off
from cortenforge.kernel.load.link import Call, Linker
from cortenforge.model.calls.linked_units import plain_model

if TYPE_CHECKING:
    from cortenforge.model.data import Data

#: words of the struct that are those of the world's Data
OWN_WORDS = DATA_LAYOUT.words


class ExtendedWorld:
    """The fields of a world, followed by arrays and integers of a struct of one's own."""

    def __init__(
        self,
        data: Data,
        layout: StructLayout,
        linker: Callable[[], Linker],
        arrays: Mapping[str, np.ndarray],
        counts: Mapping[str, int],
    ) -> None:
        """
        layout: begins with the entries of DATA_LAYOUT.
        linker: links units of a Model and this struct.
        arrays: of the other entries, those with memory, which does not move.
        counts: of the other entries, those that are integers of a call.
        """
        self.data, self.arrays, self.counts = data, dict(arrays), dict(counts)
        self._layout, self._linker = layout, linker
        self._block = np.zeros(layout.words, np.int64)
        for name, array in self.arrays.items():
            self._block[layout.entries[name].word] = array.ctypes.data
        self._call = Call(data._call.m, int(self._block.ctypes.data), 0)
        self._address = ctypes.c_int64(ctypes.addressof(self._call))
        self.count()

    def count(self, **counts: int) -> None:
        """Set integers that a call reads."""
        self.counts |= counts
        for name, value in self.counts.items():
            self._block[self._layout.entries[name].word] = value

    def run(self, entry: Kernel, count: int = 0) -> int:
        """Run an entry on the world as it is now; returns its status."""
        data = self.data
        if jit_is_off():
            fields = {**data._store.arrays, **data._store.capacities, **self.arrays, **self.counts}
            model = plain_model(data.model, data._parameters)
            return int(entry(model, PlainStruct(self._layout, fields), count))
        # arrays that grew have moved
        self._block[:OWN_WORDS] = data._store.block[:OWN_WORDS]
        self._call.m, self._call.count = data._call.m, count
        key = (self._layout, entry)
        function = data.model._functions.get(key)
        if function is None:
            function = self._linker().function(entry, plain_model(data.model))
            data.model._functions[key] = function
        return function(self._address)
