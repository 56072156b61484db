"""Data fields that follow from velocities."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

VELOCITY: tuple[Field, ...] = table(
    "velocity",
    "derived",
    """
    ten_velocity   | real         | ntendon | m/s or rad/s | step.velocity.tendons | Velocity of each tendon.
    actuator_velocity | real      | nout  | m/s or rad/s | step.velocity.actuator_velocity step.integrate.rk4 step.stages | Velocity of each transmission.
    cvel           | spatial      | nbody |          | step.velocity.com_velocity | Spatial velocity of each body, about the tree's centre of mass.
    cdof_dot       | spatial      | nv    | 1/s      | step.velocity.com_velocity | Time derivative of cdof.
    qfrc_bias      | real precise | nv    |          | step.velocity.rne step.velocity.tendons | Bias force: Coriolis, centrifugal, gravity.
    qfrc_spring    | real         | nv    | N or N m | step.velocity.passive step.velocity.tendons | Spring force.
    qfrc_damper    | real         | nv    | N or N m | step.velocity.passive step.velocity.tendons | Damping force.
    qfrc_gravcomp  | real         | nv    |          | step.velocity.passive      | Gravity compensation.
    qfrc_fluid     | real         | nv    | N or N m | step.velocity.passive step.velocity.fluid | Fluid force.
    qfrc_adhesion  | real         | nv    |          | step.velocity.passive step.constraint.adhesion | Adhesion force of contacts.
    qfrc_passive   | real         | nv    |          | step.velocity.passive step.constraint.adhesion | All passive forces.
    subtree_linvel | vec3         | nbody | m/s      | step.body_forces.momentum              | Linear velocity of each subtree's centre of mass.
    subtree_angmom | vec3         | nbody | kg m^2/s | step.body_forces.momentum              | Angular momentum of each subtree, about its centre of mass.
    """,
)

#: what MuJoCo has no field for
OWN_VELOCITY: tuple[Field, ...] = table(
    "own",
    "derived",
    """
    ten_force   | real | ntendon | N or N m | step.velocity.tendons step.sensing.limits | Force along each tendon: spring, damper and limit.
    ten_passive | real | ntendon | N or N m | step.velocity.tendons | Force of spring and damper along each tendon.
    """,
)

VELOCITY_SCRATCH: tuple[Field, ...] = table(
    "velocity scratch",
    "scratch",
    """
    rne_cacc  | spatial | nbody | | step.velocity.rne | Acceleration of each body.
    rne_cfrc  | spatial | nbody | | step.velocity.rne | Force on each body.
    body_xvel | spatial | nbody | | step.body_forces.momentum      | Velocity of each body's centre of mass.
    """,
)
