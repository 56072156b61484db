"""The struct of the linearised equations: a world's Data, and matrices of their own."""

from __future__ import annotations

from cortenforge.fields import DATA_LAYOUT
from cortenforge.kernel.language.layout import Entry, Row, StructLayout

#: integers that a call sets
SYSTEM_COUNTS = (
    "ncol",  # columns: position, velocity, activation, control; padded
    "nx",  # size of the state, 2 nv + na
    "sides",  # of finite differences: 2 if centred, 1, or 0 for none
    "by_position",  # 1 to compute partials of smooth forces by position
    "by_input",  # 1 to compute those by activation and control
)
#: arrays: name, kind, and shape in terms of sizes
SYSTEM_ARRAYS: tuple[tuple[str, str, tuple[int | str, ...]], ...] = (
    ("R", "real", ("nv", "ncol")),  # force residual by each column, dr/dx; then H^-1 R
    ("P", "real", ("nv", "ncol")),  # acceleration residual by each column, dp/dx
    ("H", "real", ("nv", "nv")),  # Hessian dr/dqacc = M + J' C J; then its factor
    ("V", "real", ("nv", "nv")),  # partial of constraint forces by velocity, J' C B J
    ("T", "real", ("nv", "nv")),  # matrix of the integrator; then its factor
    ("x", "real", ("nv",)),  # joint accelerations that multiply dM/dq
    ("moving", "real", ("nv",)),  # acceleration s with which the step integrates, T s = M qacc
    ("act_slope", "real", ("na", "ncol")),  # d act' by each column
    ("row_x", "real", (6,)),  # row residuals of the cone, J qacc - aref
    ("acc", "spatial", ("nbody", 6)),  # spatial acceleration of each body
    ("frc", "spatial", ("nbody", 6)),  # spatial force on each subtree
    ("pushed", "spatial", ("nbody", 6)),  # applied wrench on each subtree
    ("arms", "mat3", ("nbody", 9)),  # d of its torque by a rotation of the subtree
    ("vel_before", "spatial", ("nv", 6)),  # velocity in front of each dof
    ("change", "vec3", ("nv", 3)),  # angular part of v_before x cdof
    ("drift", "spatial", ("nv", 6)),  # acceleration change behind a dof, by its position
    ("listed", "int", ("nv",)),  # dofs that are perturbed: constraint rows depend on them
    ("row_D", "real", (16,)),  # of quadratic rows with the same columns: D
    ("row_B", "real", (16,)),  # D times row damping
    ("row_start", "int", (16,)),  # addresses of their entries
    ("acc_before", "spatial", ("nv", 6)),  # acceleration in front of each dof
    ("bend", "real", ("nv", "nv")),  # dJ/dq of one output: moment arms by its dofs
    ("growth", "real", ("nv",)),  # dlength/dq of one output
    ("servo_speed", "vec3", ("nv", 3)),  # d velocity / dq of an orientation servo
    ("ten_along", "real", ("ntendon",)),  # actuator force along each tendon
    ("ten_stiff", "real", ("ntendon",)),  # its partial by the tendon's length
    ("ten_damp", "real", ("ntendon",)),  # its partial by the tendon's velocity
    ("A", "real", ("nx", "nx")),
    ("B", "real", ("nx", "nu")),
    ("moved", "real", ("moved",)),  # perturbation and constraint force of each world
)

#: scalars
SYSTEM_NUMBERS = (
    ("eps", "real"),  # step of finite differences
    ("pushing", "int"),  # whether any wrench is applied to bodies
)

_rows: list[Row] = [
    *((name, "size", (), True) for name in SYSTEM_COUNTS),
    *((name, kind, (), False) for name, kind, _ in SYSTEM_ARRAYS),
    *((name, kind, (), True) for name, kind in SYSTEM_NUMBERS),
]
LINEAR_SYSTEM = StructLayout(
    "Derivation",
    [
        *DATA_LAYOUT.entries.values(),
        *(Entry(*row, DATA_LAYOUT.words + k) for k, row in enumerate(_rows)),
    ],
    constant=False,
)
