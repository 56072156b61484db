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

#: what a Data remembers of its model
BOUND: tuple[Field, ...] = table(
    "bound",
    "scratch",
    """
    model_version | int | | | | The version of the model for which units are loaded; set by Python.
    """,
)
