"""Memory of the linearised equations of one world, beside its Data."""

from __future__ import annotations

import numpy as np

from cortenforge.derive.layout import LINEAR_SYSTEM, SYSTEM_ARRAYS, SYSTEM_NUMBERS
from cortenforge.derive.linkers import linear_system_linker
from cortenforge.fields.field import FIELD_DTYPES
from cortenforge.model import Data
from cortenforge.model.calls.extended_world import ExtendedWorld


class LinearSystem(ExtendedWorld):
    """Matrices of the linearised equations of a world; `arrays` has them by name."""

    def __init__(self, data: Data, moved: np.ndarray) -> None:
        """moved: array that lockstep runs fill with constraint forces of perturbed worlds."""
        model = data.model
        nx = 2 * model.nv + model.na
        # rows padded to whole SIMD vectors are faster
        padded = (nx + model.nu + 7) & -8
        counts = {"ncol": padded, "nx": nx, "sides": 0, "by_position": 0, "by_input": 0}
        sizes = model.sizes | counts
        arrays = {"moved": moved}
        for name, kind, shape in SYSTEM_ARRAYS:
            if name not in arrays:
                extents = (n if isinstance(n, int) else sizes[n] for n in shape)
                arrays[name] = np.zeros(tuple(extents), FIELD_DTYPES[kind])
        for name, kind in SYSTEM_NUMBERS:
            arrays[name] = np.zeros(1, FIELD_DTYPES[kind])
        super().__init__(data, LINEAR_SYSTEM, linear_system_linker, arrays, counts)
