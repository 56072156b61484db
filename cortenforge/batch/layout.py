"""How a group of eight worlds and its batch are laid out for kernels."""

from __future__ import annotations

from cortenforge.fields import LANE_FIELDS
from cortenforge.kernel.language.layout import StructLayout

#: numbers that a call sets: which groups to step, and the shape of the batch's arrays
COUNTS = (
    "first_group",
    "last_group",
    "nworld",
    "row_size",
    "out_size",
    "bind_count",
    "fault_at",
    "taken_at",
)
#: arrays of the whole batch, one world after another; and lane memory as plain numbers
PLAIN = (
    ("rows", "real"),  # state and inputs of every world
    ("arena", "real"),  # lane memory: number k of lane l is at 8 k + l
    ("out", "real"),  # derived fields that were asked for
    ("faults", "real"),  # whether each world failed
    ("steps", "real"),  # how many steps each world completed
    ("bind_from", "int"),  # where in lane memory a bound field starts
    ("bind_size", "int"),  # how many numbers it has
    ("bind_to", "int"),  # where in a row of `out` it goes
)


def _layout() -> StructLayout:
    rows = [(f.name, f.kind, f.trailing, f.is_scalar) for f in LANE_FIELDS if f.in_kernels]
    lanes = frozenset(row[0] for row in rows)
    words: list[tuple[str, str, tuple[int, ...], bool]] = [
        *rows,
        *((name, "size", (), True) for name in COUNTS),
        *((name, kind, (), False) for name, kind in PLAIN),
    ]
    return StructLayout("Lanes", words, constant=False, lanes=lanes)


LANE_LAYOUT = _layout()
