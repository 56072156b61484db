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
    query_motion | spatial   |      |          | step.queries.objects | Angular and linear velocity or acceleration of an object.
    """,
)
