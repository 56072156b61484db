"""Data fields of constraints: one row a constraint, in MuJoCo's order, with room for more."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
CONSTRAINT_CAPACITIES: dict[str, tuple[int, str]] = {
    "nefcmax": (0, "rows of constraints there is room for"),
    "nJmax": (0, "entries of their Jacobian there is room for"),
}

CONSTRAINT: tuple[Field, ...] = table(
    "constraint",
    "derived",
    """
    ne               | int        |           | | step.constraint.row_list step.constraint.stage step.acceleration | How many rows are of equalities; they come first.
    nf               | int        |           | | step.constraint.row_list step.constraint.stage step.acceleration | How many are of friction loss; they come next.
    nl               | int        |           | | step.constraint.row_list step.constraint.stage step.acceleration | How many are of limits; contacts come last.
    nefc             | int        |           | | step.constraint.row_list step.acceleration | How many rows there are.
    nJ               | int        |           | | step.constraint.row_list step.acceleration | How many entries the Jacobian has.
    efc_type         | int world  | nefcmax   | | step.constraint.row_list step.metric.coupling | Kind of constraint.
    efc_id           | int world  | nefcmax   | | step.constraint.row_list | Which equality, dof, joint, tendon or contact it is of.
    efc_J_rownnz     | int world  | nefcmax   | | step.constraint.row_list step.metric.coupling | Entries of each row of the Jacobian.
    efc_J_rowadr     | int world  | nefcmax   | | step.constraint.row_list step.metric.coupling | Where they start.
    efc_J_colind     | int world  | nJmax     | | step.constraint.row_list step.constraint.contact_rows step.metric.coupling | Their dofs, in rising order.
    efc_J_value      | real world | nJmax     | | step.constraint.row_list step.constraint.contact_rows step.metric.coupling | The entries; `efc_J` is dense or these, as opt.jacobian says.
    efc_pos          | real world | nefcmax   | m or rad | step.constraint.row_list | Violation: of an equality, how far off; else the distance from the limit or surface.
    efc_margin       | real world | nefcmax   | m or rad | step.constraint.row_list | Distance below which the constraint acts.
    efc_frictionloss | real world | nefcmax   | N or N m | step.constraint.row_list | Largest force of friction loss.
    efc_diagA        | real world | nefcmax   | | step.constraint.exact_diagonal step.constraint.impedance step.constraint.limit_rows step.constraint.contact_rows step.constraint.equality_rows step.constraint.metric_regularisation | Diagonal of J M^-1 J', or what stands for it.
    efc_KBIP         | real world | nefcmax 4 | | step.constraint.impedance | Stiffness, damping, impedance and its slope.
    efc_D            | real world | nefcmax   | | step.constraint.row_list step.constraint.impedance step.metric.coupling | Constraint mass: 1 / R.
    efc_R            | real world | nefcmax   | | step.constraint.row_list step.constraint.impedance step.metric.coupling | Regularisation.
    tendon_efcadr    | int        | ntendon   | | step.constraint.stage step.constraint.limit_rows | First row of each tendon, or -1.
    efc_vel          | real world | nefcmax   | m/s or rad/s | step.constraint.reference_acceleration | Velocity along the row: J qvel.
    efc_aref         | real world | nefcmax   | m/s^2 or rad/s^2 | step.constraint.row_list step.constraint.reference_acceleration step.constraint.jdotv step.metric.coupling | Acceleration that the constraint asks for.
    efc_state        | int world  | nefcmax   | | step.solve.constraint_update step.solve.results | Satisfied 0, quadratic 1, linear below 2 or above 3, cone 4.
    efc_force        | real world | nefcmax   | N or N m | step.solve.constraint_update step.solve.results step.inverse | Force of the constraint.
    contact_mu       | real world | nconmax   | | step.constraint.contact_rows step.constraint.impedance | Friction of the regularised cone.
    """,
)

#: what MuJoCo has no field for
OWN_LIMIT: tuple[Field, ...] = table(
    "own",
    "derived",
    """
    jnt_limit_frc | real | njnt    | N or N m | step.sensing.limits | Force of each joint's limit; the lower one's if both act.
    ten_limit_frc | real | ntendon | N or N m | step.sensing.limits | Force of each tendon's limit; the lower one's if both act.
    """,
)

CONSTRAINT_SCRATCH: tuple[Field, ...] = table(
    "constraint scratch",
    "scratch",
    """
    contact_match  | int world  | nconmax   |          | step.sensing.contacts step.sensing.tactile | Whether a sensor is for a contact: 1, -1 the other way round, 0; or geoms that touch.
    efc_invweight  | real world | nefcmax   |          | step.constraint.stage | Inverse weight of each row, before a step's metric makes it heavier.
    forward_force  | real world | nefcmax   | N or N m | step.inverse | efc_force of forward dynamics, while it is compared with the inverse.
    contact_wrench | real world | nconmax 6 | N or N m | step.body_forces.contact_force | Force and torque of contacts that were asked for, in their frames.
    row_solve      | real world | nv | | step.constraint.exact_diagonal step.constraint.metric_regularisation | A row of J on its way through the factor of M; zero in between.
    """,
)
