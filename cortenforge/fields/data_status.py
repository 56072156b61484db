"""Data fields in which a call reports: failures, warnings, steps that were completed."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

STATUS: tuple[Field, ...] = table(
    "status",
    "derived",
    """
    status        | int  |   | | step.status step.pipeline | What went wrong, or 0.
    status_index  | int  |   | | step.status step.pipeline | Which qpos, dof or other object it was.
    status_value  | real |   | | step.status step.pipeline | The offending number.
    steps_done    | int  |   | | step.pipeline             | Steps of the last call.
    warning_count | int  | 4 | | step.status step.pipeline | How often each warning was given in the last call.
    warning_index | int  | 4 | | step.status step.pipeline | Which object it was first.
    warning_value | real | 4 | | step.status step.pipeline | The number that it was about, first.
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
