"""Data fields of queries: Python writes the arguments, kernels write the results."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

QUERY: tuple[Field, ...] = table(
    "query",
    "scratch",
    """
    query_point  | vec3      |      | m        | | Point of a query; set by Python.
    query_force  | vec3      |      | N        | | Force at that point; set by Python.
    query_torque | vec3      |      | N m      | | Torque on its body; set by Python.
    query_vec    | real      | nv   |          | step.queries.inertia step.queries.jacobian step.inverse | Vector over dofs: input, or result in place.
    query_result | real      | nv   |          | step.queries.inertia step.stages | M times that vector.
    query_jacp   | real flat | 3 nv |          | step.queries.jacobian | Translational Jacobian of the point.
    query_jacr   | real flat | 3 nv |          | step.queries.jacobian | Rotational Jacobian of its body.
    query_motion | spatial   |      |          | step.queries.object_motion | Angular and linear velocity or acceleration of an object.
    range_output | int       |      |          | | Force output whose length range is computed; set by Python.
    range_accel  | real      |      | rad/s² or m/s² | | Norm of the acceleration that it applies, negative for short lengths; set by Python.
    range_maxforce | real    |      |          | | Largest norm of the applied force, if positive; set by Python.
    range_slowing | real     |      |          | | Factor of velocities after each step; set by Python.
    range_start  | real      |      | s        | | Time from which lengths are recorded; set by Python.
    range_end    | real      |      | s        | | Time at which the simulation ends; set by Python.
    range_count  | int kept  |      |          | step.lengthrange | Number of recorded lengths.
    range_low    | real kept |      |          | step.lengthrange | Shortest recorded length.
    range_high   | real kept |      |          | step.lengthrange | Longest recorded length.
    """,
)
