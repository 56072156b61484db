"""What a derivation is made of: a world's Data, and matrices of its own."""

from __future__ import annotations

from cortenforge.fields import DATA_LAYOUT
from cortenforge.kernel.language.layout import Entry, StructLayout

#: numbers that a call sets
COUNTS = (
    "ncol",  # columns: positions, velocities, activations, controls
    "nx",  # numbers of the state
    "sides",  # to how many of them dofs are moved
    "by_position",  # 1 if smooth forces are to be derived by positions
    "by_input",  # 1 if they are to be derived by activations and controls
)
#: arrays of a derivation: name, kind, and shape in terms of sizes
ARRAYS: tuple[tuple[str, str, tuple[int | str, ...]], ...] = (
    ("R", "real", ("nv", "ncol")),  # how much forces miss qacc by each column; then its change
    ("P", "real", ("nv", "ncol")),  # the same of step_qacc
    ("H", "real", ("nv", "nv")),  # derivative of missing forces by qacc; then its factor
    ("V", "real", ("nv", "nv")),  # that of constraints by velocities
    ("T", "real", ("nv", "nv")),  # the matrix of the step; then its factor
    ("x", "real", ("nv",)),  # residuals of rows, and accelerations
    ("moving", "real", ("nv",)),  # the acceleration with which the step moves on
    ("act_slope", "real", ("na", "ncol")),  # activations after the step by each column
    ("cone_C", "real", (36,)),  # curvature of a cone
    ("row_x", "real", (6,)),  # residuals of its rows
    ("acc", "spatial", ("nbody", 6)),  # acceleration of each body
    ("frc", "spatial", ("nbody", 6)),  # force on each subtree
    ("pushed", "spatial", ("nbody", 6)),  # what is applied to each subtree, as a wrench
    ("arms", "mat3", ("nbody", 9)),  # how its torque changes while the subtree turns
    (
        "vel_before",
        "spatial",
        ("nv", 6),
    ),  # velocity in front of each dof
    ("change", "vec3", ("nv", 3)),  # turn of what is in front, as a dof moves on, seen behind it
    ("drift", "spatial", ("nv", 6)),  # acceleration that is seen then
    ("listed", "int", ("nv",)),  # dofs on which rows of constraints depend
    ("row_D", "real", (16,)),  # of rows with the same columns that push: mass
    ("row_B", "real", (16,)),  # that times damping
    ("row_start", "int", (16,)),  # where their entries start
    ("acc_before", "spatial", ("nv", 6)),  # acceleration there
    ("bend", "real", ("nv", "nv")),  # of one output: how its arms change with each of its dofs
    ("growth", "real", ("nv",)),  # how its length does
    ("servo_speed", "vec3", ("nv", 3)),  # how the speed of an orientation servo does
    ("ten_along", "real", ("ntendon",)),  # force of actuators along each tendon
    ("ten_stiff", "real", ("ntendon",)),  # how it changes with the tendon's length
    ("ten_damp", "real", ("ntendon",)),  # and with its speed
    ("A", "real", ("nx", "nx")),
    ("B", "real", ("nx", "nu")),
    ("moved", "real", ("moved",)),  # qacc, and forces of constraints, with each dof moved
)

#: numbers of a derivation
NUMBERS = (
    ("eps", "real"),  # how far dofs are moved
    ("pushing", "int"),  # whether any forces are applied to bodies
)

_data = list(DATA_LAYOUT.entries.values())
_counts = [Entry(name, "size", (), True, len(_data) + k) for k, name in enumerate(COUNTS)]
_arrays = [
    Entry(name, kind, (), False, len(_data) + len(_counts) + k)
    for k, (name, kind, _) in enumerate(ARRAYS)
]
_numbers = [
    Entry(name, kind, (), True, len(_data) + len(_counts) + len(_arrays) + k)
    for k, (name, kind) in enumerate(NUMBERS)
]
DERIVATION = StructLayout("Derivation", [*_data, *_counts, *_arrays, *_numbers], constant=False)
