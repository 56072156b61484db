"""What a row of a field table says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cortenforge.kernel.language.values import KINDS

#: kind -> NumPy type of one number
DTYPES: dict[str, np.dtype] = {
    "real": np.dtype(np.float64),
    "int": np.dtype(np.int32),
    "byte": np.dtype(np.uint8),
    "single": np.dtype(np.float32),
    "wide": np.dtype(np.int64),
    **{kind: np.dtype(np.float64) for kind in KINDS},
}

#: groups that only pictures need
VISUAL = frozenset({"texture", "material", "path", "skin"})


@dataclass(frozen=True)
class Field:
    """One array (or number) of a Model or a Data.

    shape:      numbers and names of sizes; () is a single number. A `vec3` field of shape
                ("nbody", 3) is a vec3 an element to kernels and an (nbody, 3) array to NumPy.
    role:       for Data: "state", "input", "derived" or "scratch"; for Model: "model".
    written_by: for derived Data: the kernels that write it.
    """

    name: str
    kind: str
    shape: tuple[int | str, ...]
    group: str
    doc: str
    unit: str = ""
    role: str = "model"
    written_by: tuple[str, ...] = ()

    @property
    def dtype(self) -> np.dtype:
        return DTYPES[self.kind]

    @property
    def trailing(self) -> tuple[int, ...]:
        """Shape of one element, for fields of plain numbers."""
        if self.kind in KINDS:
            return ()
        return tuple(int(n) for n in self.shape[1:])

    @property
    def is_scalar(self) -> bool:
        """Whether kernels use the field by its name alone."""
        elements = self.shape[:-1] if self.kind in KINDS else self.shape
        return not elements

    @property
    def in_kernels(self) -> bool:
        """Whether kernels can see it: of use to them, and its elements have a fixed shape."""
        fixed = all(isinstance(n, int) for n in self.shape[1:])
        return fixed and self.kind not in ("single", "wide") and self.group not in VISUAL

    def shape_for(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The array's shape in a model of these sizes."""
        return tuple(n if isinstance(n, int) else sizes[n] for n in self.shape)


def rows(group: str, role: str, *lines: tuple[str, ...]) -> tuple[Field, ...]:
    """Fields of one group from short rows: name, kind, shape, doc[, unit[, written_by]]."""
    return tuple(_row(group, role, *line) for line in lines)


def _row(
    group: str,
    role: str,
    name: str,
    kind: str,
    shape: str,
    doc: str,
    unit: str = "",
    written_by: str = "",
) -> Field:
    extents = tuple(int(word) if word.isdigit() else word for word in shape.split())
    if kind in KINDS:
        extents += (len(KINDS[kind]),)
    return Field(name, kind, extents, group, doc, unit, role, tuple(written_by.split()))
