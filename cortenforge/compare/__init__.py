"""Field-by-field comparison with MuJoCo, the reference; needs the `mujoco` package.

Which fields there are, and what they are called, comes from the field tables; those of MuJoCo
that are not there are listed in `absent`, each with its reason. Integers must be equal. Reals of
Data may differ by `tol * max(1, largest entry of the reference)`, reals of Model by `tol` times
the largest number of the same object. Nothing is aligned or normalised before it is compared: a
quaternion of the other sign is a difference.
"""

from __future__ import annotations

from cortenforge.compare.difference import (
    TOLERANCE,
    FieldDiff,
    compare_data,
    compare_model,
    forward_fields,
    step_fields,
)
from cortenforge.compare.oracle import load_reference, mujoco_module
from cortenforge.compare.report import Report, Row, run
from cortenforge.compare.states import State, random_state

__all__ = [
    "TOLERANCE",
    "FieldDiff",
    "Report",
    "Row",
    "State",
    "compare_data",
    "compare_model",
    "forward_fields",
    "load_reference",
    "mujoco_module",
    "random_state",
    "run",
    "step_fields",
]
