"""Data fields with the report of a call: failures, warnings, completed steps."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

STATUS: tuple[Field, ...] = table(
    "status",
    "derived",
    """
    status        | int  |   | | step.status step.pipeline | Status of the world: 0, or the code of a failure.
    status_index  | int  |   | | step.status step.pipeline | Index of the object that failed: a qpos, dof or other object.
    status_value  | real |   | | step.status step.pipeline | Value that caused the failure.
    steps_done    | int  |   | | step.pipeline             | Number of steps completed in the last call.
    warning_count | int  | 4 | | step.status step.pipeline | Number of warnings of each kind in the last call.
    warning_index | int  | 4 | | step.status step.pipeline | Index of the first object with a warning.
    warning_value | real | 4 | | step.status step.pipeline | Value of the first warning.
    """,
)

#: what a Data remembers: its model's version, and what was computed on request
BOUND: tuple[Field, ...] = table(
    "bound",
    "scratch",
    """
    model_version | int lasting | | | | The version of the model for which units are loaded; set by Python.
    flg_energypos  | int world shown | | | step.flags step.stages | Whether the potential energy is that of these positions.
    flg_energyvel  | int world shown | | | step.flags step.stages | Whether the kinetic energy is that of these velocities.
    flg_subtreevel | int world shown | | | step.flags step.stages | Whether momenta of subtrees are those of these velocities.
    flg_rnepost    | int world shown | | | step.flags step.stages | Whether forces between bodies are those of this acceleration.
    """,
)
