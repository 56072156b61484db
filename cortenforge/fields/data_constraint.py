"""Data fields of constraints: one row a constraint, in MuJoCo's order, with room for more."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
CONSTRAINT_CAPACITIES: dict[str, tuple[int, str]] = {
    "nefcmax": (0, "capacity for constraint rows"),
    "nJmax": (0, "capacity for entries of their Jacobian"),
}

CONSTRAINT: tuple[Field, ...] = table(
    "constraint",
    "derived",
    """
    ne               | int        |           | | step.constraint.row_list step.constraint.stage step.acceleration | Number of rows of equalities, which come first.
    nf               | int        |           | | step.constraint.row_list step.constraint.stage step.acceleration | Number of rows of friction loss, which come second.
    nl               | int        |           | | step.constraint.row_list step.constraint.stage step.acceleration | Number of rows of limits; rows of contacts come last.
    nefc             | int        |           | | step.constraint.row_list step.acceleration | Number of constraint rows.
    nJ               | int        |           | | step.constraint.row_list step.acceleration | Number of entries of the constraint Jacobian.
    efc_type         | int world  | nefcmax   | | step.constraint.row_list step.metric.coupling | Type of constraint.
    efc_id           | int world  | nefcmax   | | step.constraint.row_list | Id of the equality, dof, joint, tendon or contact.
    efc_J_rownnz     | int world  | nefcmax   | | step.constraint.row_list step.metric.coupling | Number of entries of each row of the Jacobian.
    efc_J_rowadr     | int world  | nefcmax   | | step.constraint.row_list step.metric.coupling | Address of these entries.
    efc_J_colind     | int world  | nJmax     | | step.constraint.row_list step.constraint.contact_rows step.metric.coupling | Dofs of these entries, in rising order.
    efc_J_value      | real world | nJmax     | | step.constraint.row_list step.constraint.contact_rows step.metric.coupling | Values of these entries; `efc_J` is dense or sparse by opt.jacobian.
    efc_pos          | real world | nefcmax   | m or rad | step.constraint.row_list | Violation of an equality; else distance to the limit or surface.
    efc_margin       | real world | nefcmax   | m or rad | step.constraint.row_list | Distance below which the constraint is active.
    efc_frictionloss | real world | nefcmax   | N or N m | step.constraint.row_list | Largest force of friction loss.
    efc_diagA        | real world | nefcmax   | | step.constraint.exact_diagonal step.constraint.impedance step.constraint.limit_rows step.constraint.contact_rows step.constraint.equality_rows step.constraint.metric_regularisation | Diagonal of J M^-1 J', or its approximation.
    efc_KBIP         | real world | nefcmax 4 | | step.constraint.impedance | Stiffness, damping, impedance and its derivative.
    efc_D            | real world | nefcmax   | | step.constraint.row_list step.constraint.impedance step.metric.coupling | Constraint mass: 1 / R.
    efc_R            | real world | nefcmax   | | step.constraint.row_list step.constraint.impedance step.metric.coupling | Regularisation.
    tendon_efcadr    | int        | ntendon   | | step.constraint.stage step.constraint.limit_rows | First row of each tendon, or -1.
    efc_vel          | real world | nefcmax   | m/s or rad/s | step.constraint.reference_acceleration | Velocity of the row: J qvel.
    efc_aref         | real world | nefcmax   | m/s^2 or rad/s^2 | step.constraint.row_list step.constraint.reference_acceleration step.constraint.jdotv step.metric.coupling | Reference acceleration.
    efc_state        | int world  | nefcmax   | | step.solve.constraint_update step.solve.results | State: 0 satisfied, 1 quadratic, 2 linear negative, 3 linear positive, 4 cone.
    efc_force        | real world | nefcmax   | N or N m | step.solve.constraint_update step.solve.results step.inverse | Force of the constraint.
    contact_mu       | real world | nconmax   | | step.constraint.contact_rows step.constraint.impedance | Friction coefficient of the regularised cone.
    """,
)

#: what MuJoCo has no field for
OWN_LIMIT: tuple[Field, ...] = table(
    "own",
    "derived",
    """
    jnt_limit_frc | real | njnt    | N or N m | step.sensing.limits | Force of each joint's limit; of the lower one if both are active.
    ten_limit_frc | real | ntendon | N or N m | step.sensing.limits | Force of each tendon's limit; of the lower one if both are active.
    """,
)

CONSTRAINT_SCRATCH: tuple[Field, ...] = table(
    "constraint scratch",
    "scratch",
    """
    contact_match  | int world  | nconmax   |          | step.sensing.contacts step.sensing.tactile | Match of contacts with a sensor: 1, -1 in reverse order, 0 for none; or a list of geoms.
    efc_invweight  | real world | nefcmax   |          | step.constraint.stage | Inverse weight of each row, before that in the metric replaces it.
    forward_force  | real world | nefcmax   | N or N m | step.inverse | efc_force of forward dynamics, stored for comparison with the inverse.
    contact_wrench | real world | nconmax 6 | N or N m | step.body_forces.contact_force | Force and torque of requested contacts, in their frames.
    row_solve      | real world | nv | | step.constraint.exact_diagonal step.constraint.metric_regularisation | Work vector for solving with the factor of M; zero between uses.
    """,
)
