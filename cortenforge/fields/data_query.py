"""Data fields of questions: Python writes what is asked for, kernels write the answer."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

QUERY: tuple[Field, ...] = table(
    "query",
    "scratch",
    """
    query_point  | vec3      |      | m        | | The point that is asked for; set by Python.
    query_force  | vec3      |      | N        | | A force on it; set by Python.
    query_torque | vec3      |      | N m      | | A torque on its body; set by Python.
    query_vec    | real      | nv   |          | step.queries.inertia step.queries.jacobian step.inverse | A vector of dofs, and what becomes of it.
    query_result | real      | nv   |          | step.queries.inertia | M times that vector.
    query_jacp   | real flat | 3 nv |          | step.queries.jacobian | How dofs move the point.
    query_jacr   | real flat | 3 nv |          | step.queries.jacobian | How dofs turn its body.
    query_motion | spatial   |      |          | step.queries.object_motion | Angular and linear velocity or acceleration of an object.
    range_output | int       |      |          | | The force output whose range of lengths is looked for; set by Python.
    range_accel  | real      |      | rad/s² or m/s² | | The acceleration that it is pushed with, negative for short lengths; set by Python.
    range_maxforce | real    |      |          | | The largest force of all dofs together, if it is positive; set by Python.
    range_slowing | real     |      |          | | What is left of velocities after a step; set by Python.
    range_start  | real      |      | s        | | Lengths count from this time on; set by Python.
    range_end    | real      |      | s        | | When the search is over; set by Python.
    range_count  | int       |      |          | step.lengthrange | Lengths that counted so far.
    range_low    | real      |      |          | step.lengthrange | The shortest of them.
    range_high   | real      |      |          | step.lengthrange | The longest of them.
    """,
)
