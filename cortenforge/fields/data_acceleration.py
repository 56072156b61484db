"""Data fields on the way from forces to the next state."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

ACCELERATION: tuple[Field, ...] = table(
    "acceleration",
    "derived",
    """
    qacc            | real precise constrained | nv | m/s^2 | step.acceleration step.integrate.rk4 step.integrate.falling_asleep step.inverse step.solve.results step.solve.stage step.metric.discrete_dynamics step.metric.coupling | Acceleration; with the integrator discrete, the change of velocity over a step, by its length.
    act_dot         | real                     | na |       | step.actuation.activation step.actuation.servo step.actuation.dc_motor step.actuation.hill_muscle step.actuation.pid_plugin step.callbacks step.sleeping.resting_values | Rate of each activation.
    qH              | real precise             | nC |       | step.integrate.euler step.integrate.implicit step.integrate.springdamper step.metric.metric step.integrate.discrete | L'DL factor of M with damping, or of what a step's metric has in M's pattern.
    qHDiagInv       | real precise             | nv |       | step.integrate.euler step.integrate.implicit step.integrate.springdamper step.metric.metric step.integrate.discrete | Inverse of its D.
    actuator_force  | real                     | nout | N or N m | step.actuation.actuator_force step.actuation.hill_muscle step.actuation.pid_plugin step.sleeping.resting_values | Force of each transmission.
    qfrc_actuator   | real                     | nv |       | step.actuation.actuator_force | Actuator force, as joints feel it.
    qfrc_smooth     | real precise             | nv |       | step.acceleration step.sleeping.resting_values step.integrate.falling_asleep step.soft.xpbd | All forces but constraints.
    qacc_smooth     | real precise             | nv |       | step.acceleration step.metric.coupling step.metric.discrete_dynamics step.integrate.falling_asleep | Acceleration without constraints.
    qfrc_constraint | real constrained         | nv |       | step.solve.constraint_update step.inverse step.solve.results step.solve.stage step.acceleration step.soft.xpbd | Constraint force.
    qfrc_inverse    | real                     | nv | N or N m | step.inverse | Force that inverse dynamics finds.
    solver_fwdinv   | real                     | 2  | N or N m | step.inverse       | Constraint force and applied force: forward against inverse dynamics.
    cacc            | spatial constrained      | nbody |    | step.body_forces.rne_post_constraint     | Acceleration of each body.
    cfrc_int        | spatial constrained      | nbody |    | step.body_forces.rne_post_constraint     | Force between each body and its parent.
    cfrc_ext        | spatial constrained      | nbody |    | step.body_forces.rne_post_constraint step.body_forces.external_wrench | Force on each body from outside.
    """,
)

#: what only implicit integrators need
IMPLICIT: tuple[Field, ...] = table(
    "implicit",
    "derived",
    """
    qDeriv          | real                     | nD |       | step.derivative.smooth_dvel step.derivative.actuator_dvel step.derivative.passive_dvel step.derivative.rne_dvel step.derivative.fluid_dvel step.metric.metric | Derivative of smooth forces with respect to velocities, CSR.
    qLU             | real precise             | nD |       | step.integrate.implicit | LU factor of M - h qDeriv.
    """,
)

SENSOR: tuple[Field, ...] = table(
    "sensor",
    "derived",
    """
    sensordata | real | nsensordata | | step.sensing.rangefinder step.sensing.readings step.sensing.position step.sensing.user_sensors step.sensing.noise step.sensing.delay step.sensing.contacts step.sensing.tactile step.sensing.touch_grid step.sleeping.resting_values step.sensing.geom_distance | Readings of sensors.
    """,
)

INTEGRATION_SCRATCH: tuple[Field, ...] = table(
    "integration scratch",
    "scratch",
    """
    used_ctrl  | real         | nu   | | step.actuation.controls step.actuation.control_delay step.actuation.servo | Controls as they are used.
    fresh      | real         | nhistory | | step.sensing.delay | Readings of sensors with samples, before they are delayed.
    ten_pull   | real         | ntendon | | step.actuation.actuator_force | Force of all actuators of a tendon, before its limit.
    ten_tension | real        | ntendon | | step.body_forces.tendon_wrenches | Force along each tendon, positive if it pushes.
    act_rate   | real         | na   | | step.integrate.advance step.integrate.rk4 | Rates at which activations move on.
    was_awake       | int  | ntree       | | step.sleeping.wake | Whether each tree was awake before a sweep.
    run_stirs       | int  | nbody       | | step.sleeping.body_runs | Whether each run of bodies has to be worked out.
    movers          | int  |             | | step.sleeping.body_runs | How many trees and mocap bodies are awake, if trees may sleep.
    tree_kept       | int  | ntree       | | step.sleeping.body_runs step.sleeping.wake | Whether all that is worked out for a sleeping tree is still there.
    tree_falls      | int world | ntree  | | step.integrate.falling_asleep | Whether each tree falls asleep in this step.
    island_rests    | int world | ntree  | | step.integrate.falling_asleep | Whether all trees of an island are ready to sleep.
    island_last     | int world | ntree  | | step.integrate.falling_asleep | The last tree of an island that was put to sleep.
    woken           | int  |             | | step.sleeping.wake | Whether contacts have woken trees.
    ten_asleep      | int  | ntendon     | | step.sleeping.resting_values | Whether each tendon slept when trees were placed.
    resting_qpos    | real | nq          | | step.integrate.falling_asleep | Position before the step moves everything.
    user_gain  | real         | nactuator | | step.callbacks | Gain that a callback gives.
    user_bias  | real         | nactuator | | step.callbacks | Bias that a callback gives.
    given_qacc   | real       | nv   | | step.inverse | Acceleration for which inverse dynamics was asked, in discrete time.
    inverse_qacc | real       | nv   | | step.inverse step.integrate.implicit step.integrate.springdamper step.metric.discrete_dynamics | The same in continuous time, or the force that it takes.
    forward_qfrc | real       | nv   | | step.inverse | qfrc_constraint of forward dynamics, while it is compared with the inverse.
    step_qacc  | real precise | nv   | | step.integrate.euler step.integrate.implicit step.integrate.springdamper step.integrate.discrete step.metric.free_body step.metric.discrete_dynamics step.integrate.falling_asleep step.metric.coupling | Acceleration with which a step moves on.
    rk4_qpos   | real         | nq   | | step.integrate.rk4   | Position at the start of the step.
    rk4_qvel   | real         | nv 4 | | step.integrate.rk4   | Velocity at each stage.
    rk4_rate   | real         | nv 4 | | step.integrate.rk4   | Rate of position at each stage.
    rk4_qacc   | real         | nv 4 | | step.integrate.rk4   | Acceleration at each stage.
    rk4_act    | real         | na   | | step.integrate.rk4   | Activation at the start of the step.
    rk4_speed  | real         | nout | | step.integrate.rk4   | Velocity of transmissions at the start of the step.
    rk4_adot   | real         | na 4 | | step.integrate.rk4   | Rate of activation at each stage.
    rk4_dqpos  | real         | nv   | | step.integrate.rk4   | Weighted rate of position.
    rk4_length | real         | ntendon | | step.integrate.plastic | Lengths of tendons at the start of the step.
    rk4_J      | real         | nJten | | step.integrate.plastic | Their gradients at the start of the step.
    rk4_dqvel  | real         | nv   | | step.integrate.rk4   | Weighted acceleration.
    """,
)

IMPLICIT_SCRATCH: tuple[Field, ...] = table(
    "implicit scratch",
    "scratch",
    """
    free_LU    | real precise | nD   | | step.integrate.implicit step.metric.free_body step.metric.discrete_dynamics | The same as qLU for free bodies by themselves.
    rne_turn     | mat3       | nbody | | step.derivative.rne_dvel | How torques on subtrees change with turns of what is above.
    rne_momentum | vec3       | nbody | | step.derivative.rne_dvel | Momentum of each subtree.
    rne_drift    | spatial    | nv   | | step.derivative.rne_dvel | Acceleration that a dof's velocity adds to all bodies below.
    """,
)

#: the metric of a step, as solvers see it
METRIC: tuple[Field, ...] = table(
    "metric",
    "scratch",
    """
    ten_metric | real         | ntendon | | step.metric.metric | What each tendon resists: a multiple of J'J.
    out_metric | real         | nout | | step.metric.metric | The same for each transmission.
    metric     | real precise | nC   | | step.metric.metric | M with all terms of a step's metric that fit its pattern.
    metric_frc | real precise | nv   | | step.metric.coupling | That matrix times qacc_smooth.
    """,
)

#: what only integrators need that are implicit in positions
METRIC_SCRATCH: tuple[Field, ...] = table(
    "metric scratch",
    "scratch",
    """
    efm_c      | real shown   | nv   | | step.metric.metric | By how much smooth forces change until the end of the step, velocities as they are.
    efm_diag   | real shown   | nv   | | step.metric.metric | What springs and dampers of joints add to the diagonal of M.
    efm_ck     | real shown   | nv   | | step.derivative.spring_stiffness step.metric.metric | Step times the stiffness of each dof's spring.
    efm_sdiag  | real shown   | nv   | | step.metric.metric | What all terms add to it.
    cg_rest    | real precise | nv   | | step.metric.coupling | What is left of a force.
    cg_step    | real precise | nv   | | step.metric.coupling | Direction of search.
    cg_next    | real precise | nv   | | step.metric.coupling | What is left, as an acceleration.
    cg_product | real precise | nv   | | step.metric.coupling | The metric times something.
    jnt_loose  | int          | njnt | | step.metric.discrete_dynamics | Whether nothing in the metric and no row touches a joint.
    """,
)
