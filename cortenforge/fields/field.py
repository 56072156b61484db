"""A row of a field table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cortenforge.kernel.language.values import KINDS

#: kind -> NumPy type of one number
FIELD_DTYPES: dict[str, np.dtype] = {
    "real": np.dtype(np.float64),
    "int": np.dtype(np.int32),
    "byte": np.dtype(np.uint8),
    "single": np.dtype(np.float32),
    "wide": np.dtype(np.int64),
    "word": np.dtype(np.int64),
    **{kind: np.dtype(np.float64) for kind in KINDS},
}

#: groups that only pictures need
PICTURE_GROUPS = frozenset({"texture", "material", "path", "skin"})
#: groups with large arrays, which are not watched
LARGE_GROUPS = frozenset({"mesh", "hfield", "bounds", "custom", "key", "soft"})
#: group of fields that only the engine uses
ENGINE_GROUP = "engine"
#: further properties of a field
FIELD_MARKS = frozenset(
    {
        "alias",  # no memory of its own: the concatenated fields of the state
        "world",  # stored with its world, also where worlds run in lockstep
        "group",  # exists for each world, and once more for the group in lockstep
        "flat",  # a matrix whose row length is a size: kernels see a flat array
        "precise",  # on a GPU, each real is the sum of two f32
        "carried",  # scratch of a solver or of collision that a step leaves to the next one
        "hosted",  # on a GPU, advanced by the host
        "editable",  # an integer that users may write, in a loaded model
        "watched",  # a real on which more than forces depends: changes are detected
        "placing",  # a real on which poses of geoms depend: detected where many geoms are static
        "unwatched",  # a large array of integers that no kernel reads: changes are not detected
        "read",  # a single that kernels read
        "shared",  # a real of the model that is the same in all worlds of a batch
        "constrained",  # known only with constraints
        "own",  # for the engine only, though not in its group
        "shown",  # scratch that users see, since MuJoCo has it
        "kept",  # scratch that a step reads as the one before it left it
        "lasting",  # a reset leaves it
    }
)
#: prefix of a mark with a size: integers are indices below it, or -1
INDEX_MARK = "at:"


@dataclass(frozen=True)
class Field:
    """One array (or number) of a Model or a Data.

    shape:      numbers and names of sizes; () is a single number. A `vec3` field of shape
                ("nbody", 3) is a vec3 an element to kernels and an (nbody, 3) array to NumPy.
    role:       for Data: "state", "input", "derived" or "scratch"; for Model: "model".
    written_by: for derived Data: the kernels that write it.
    marks:      words of MARKS.
    """

    name: str
    kind: str
    shape: tuple[int | str, ...]
    group: str
    doc: str
    unit: str = ""
    role: str = "model"
    written_by: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        unknown = {mark for mark in self.marks - FIELD_MARKS if not mark.startswith(INDEX_MARK)}
        if unknown:
            raise ValueError(f"field {self.name}: unknown marks {sorted(unknown)}")

    @cached_property
    def dtype(self) -> np.dtype:
        return FIELD_DTYPES[self.kind]

    @cached_property
    def is_real(self) -> bool:
        """Whether its numbers are reals in kernels."""
        return self.kind == "real" or self.kind in KINDS

    @property
    def trailing(self) -> tuple[int, ...]:
        """Shape of one element, for fields of plain numbers."""
        if self.kind in KINDS or "flat" in self.marks:
            return ()
        return tuple(int(n) for n in self.shape[1:])

    @property
    def is_scalar(self) -> bool:
        """Whether kernels use the field by its name alone."""
        elements = self.shape[:-1] if self.kind in KINDS else self.shape
        return not elements

    @cached_property
    def in_kernels(self) -> bool:
        """Whether kernels can see it: they use it, and its elements have a fixed shape."""
        fixed = "flat" in self.marks or all(isinstance(n, int) for n in self.shape[1:])
        if "read" in self.marks:
            return fixed
        return fixed and self.kind not in ("single", "wide") and self.group not in PICTURE_GROUPS

    @property
    def home(self) -> str:
        """Where a field of Data is stored when worlds run in lockstep: in lanes, or with its world.

        One of a "group" is in both: for kernels of one world it is that world's own; for those in
        lockstep there is another, whose reals are in lanes and whose integers all worlds share.
        """
        return next((mark for mark in ("world", "group") if mark in self.marks), "lanes")

    @cached_property
    def watched(self) -> bool:
        """Whether changes in a loaded model are detected: options, integers, and marked reals."""
        if "watched" in self.marks:
            return True
        if (
            self.role != "model"
            or not self.in_kernels
            or self.group in {*LARGE_GROUPS, ENGINE_GROUP}
        ):
            return False
        if {"unwatched", "read"} & self.marks:
            return False
        return self.group == "option" or not self.is_real

    @property
    def placing(self) -> bool:
        """Whether poses or sizes of static geoms depend on it."""
        return "placing" in self.marks

    @property
    def fixed(self) -> bool:
        """Whether it must not change in a loaded model, since it defines the model's structure."""
        free = self.group == "option" or "editable" in self.marks
        return self.watched and not self.is_real and self.kind != "single" and not free

    @cached_property
    def writable(self) -> bool:
        """Whether users may write it: reals, and integers that are options or marked editable.

        Other integers are indices and types. Kernels do not check them, so a wrong one would make
        kernels read beyond arrays.
        """
        free = self.group == "option" or "editable" in self.marks
        return free or self.dtype.kind == "f"

    @cached_property
    def listed(self) -> bool:
        """Whether `dir` shows it: fields for users."""
        kept = self.role == "scratch" or self.group == ENGINE_GROUP or "own" in self.marks
        return not kept or "shown" in self.marks

    @property
    def counted(self) -> bool:
        """Whether it is a count of something in a world, which batches keep."""
        number = self.role == "derived" and self.kind == "int" and not self.shape
        return number and self.home == "lanes" and self.group != "status"

    @property
    def indexes(self) -> str | None:
        """The size below which its integers are indices, if users may write them; -1 for none."""
        return next(
            (mark.removeprefix(INDEX_MARK) for mark in self.marks if mark.startswith(INDEX_MARK)),
            None,
        )

    @property
    def differs(self) -> bool:
        """Whether worlds of a batch may have values of their own."""
        return (
            self.role == "model"
            and self.is_real
            and self.in_kernels
            and ("shared" not in self.marks)
        )

    def shape_for(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The array's shape in a model of these sizes."""
        return tuple(n if isinstance(n, int) else sizes[n] for n in self.shape)

    def count_for(self, sizes: Mapping[str, int]) -> int:
        """How many numbers it has in a model of these sizes."""
        return math.prod(self.shape_for(sizes))


def table(group: str, role: str, text: str) -> tuple[Field, ...]:
    """Fields of one group from a text with a line a field, its columns apart by bars:

    name | kind and marks | shape | unit | what it is
    name | kind and marks | shape | unit | written by | what it is     for Data
    """
    return tuple(
        _field(group, role, [cell.strip() for cell in line.split("|")])
        for line in filter(None, map(str.strip, text.splitlines()))
    )


def _field(group: str, role: str, cells: list[str]) -> Field:
    name, words, shape, unit = cells[:4]
    kind, *marks = words.split()
    extents = tuple(int(word) if word.isdigit() else word for word in shape.split())
    if kind in KINDS:
        extents += (len(KINDS[kind]),)
    writers = tuple(cells[4].split()) if len(cells) == 6 else ()
    return Field(name, kind, extents, group, cells[-1], unit, role, writers, frozenset(marks))
