"""Data fields that follow from velocities."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

VELOCITY: tuple[Field, ...] = table(
    "velocity",
    "derived",
    """
    ten_velocity   | real         | ntendon | m/s or rad/s | step.velocity.tendons | How fast lengths change.
    actuator_velocity | real      | nout  | m/s or rad/s | step.velocity.actuator_velocity step.integrate.rk4 | Velocity of each transmission.
    cvel           | spatial      | nbody |          | step.velocity.com_velocity | Velocity of each body.
    cdof_dot       | spatial      | nv    | 1/s      | step.velocity.com_velocity | Change of cdof.
    qfrc_bias      | real precise | nv    |          | step.velocity.rne step.velocity.tendons | Coriolis, centrifugal, gravity.
    qfrc_spring    | real         | nv    | N or N m | step.velocity.passive step.velocity.tendons | Spring force.
    qfrc_damper    | real         | nv    | N or N m | step.velocity.passive step.velocity.tendons | Damping force.
    qfrc_gravcomp  | real         | nv    |          | step.velocity.passive      | Gravity compensation.
    qfrc_fluid     | real         | nv    | N or N m | step.velocity.passive step.velocity.fluid | Force of the fluid.
    qfrc_adhesion  | real         | nv    |          | step.velocity.passive step.constraint.adhesion | Pull of contacts.
    qfrc_passive   | real         | nv    |          | step.velocity.passive step.constraint.adhesion | All passive forces.
    subtree_linvel | vec3         | nbody | m/s      | step.body_forces.momentum              | Velocity of each subtree.
    subtree_angmom | vec3         | nbody | kg m^2/s | step.body_forces.momentum              | Its angular momentum.
    """,
)

#: what MuJoCo has no field for
OWN_VELOCITY: tuple[Field, ...] = table(
    "own",
    "derived",
    """
    ten_force   | real | ntendon | N or N m | step.velocity.tendons step.sensing.limits | Force along each tendon: spring, damper and limit.
    ten_passive | real | ntendon | N or N m | step.velocity.tendons | The part of it that is spring and damper.
    """,
)

VELOCITY_SCRATCH: tuple[Field, ...] = table(
    "velocity scratch",
    "scratch",
    """
    rne_cacc  | spatial | nbody | | step.velocity.rne | Acceleration of each body.
    rne_cfrc  | spatial | nbody | | step.velocity.rne | Force on each body.
    body_xvel | spatial | nbody | | step.body_forces.momentum      | Velocity at each centre of mass.
    """,
)
