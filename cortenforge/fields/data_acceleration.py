"""Data fields from forces to the next state."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

ACCELERATION: tuple[Field, ...] = table(
    "acceleration",
    "derived",
    """
    qacc            | real precise constrained | nv | m/s^2 | step.acceleration step.integrate.rk4 step.integrate.falling_asleep step.inverse step.solve.results step.solve.stage step.solve.dense_dual step.metric.discrete_dynamics step.metric.coupling step.stages | Acceleration; with the integrator discrete, change of velocity over the step's length.
    act_dot         | real                     | na |       | step.actuation.activation step.actuation.servo step.actuation.dc_motor step.actuation.hill_muscle step.actuation.pid_plugin step.callbacks step.sleeping.resting_values step.stages | Time derivative of each activation.
    qH              | real precise             | nC |       | step.integrate.euler step.integrate.implicit step.integrate.springdamper step.metric.metric step.integrate.discrete | L'DL factor of M with damping, or of the part of the metric in M's pattern.
    qHDiagInv       | real precise             | nv |       | step.integrate.euler step.integrate.implicit step.integrate.springdamper step.metric.metric step.integrate.discrete | Inverse of its D.
    actuator_force  | real                     | nout | N or N m | step.actuation.actuator_force step.actuation.hill_muscle step.actuation.pid_plugin step.sleeping.resting_values | Force of each output of actuators.
    qfrc_actuator   | real                     | nv |       | step.actuation.actuator_force | Generalised force of actuators.
    qfrc_smooth     | real precise             | nv |       | step.acceleration step.sleeping.resting_values step.integrate.falling_asleep step.soft.xpbd | Generalised force without constraints.
    qacc_smooth     | real precise             | nv |       | step.acceleration step.metric.coupling step.metric.discrete_dynamics step.integrate.falling_asleep step.soft.xpbd | Acceleration without constraints.
    qfrc_constraint | real constrained         | nv |       | step.solve.constraint_update step.inverse step.solve.results step.solve.stage step.acceleration step.soft.xpbd | Constraint force.
    qfrc_inverse    | real                     | nv | N or N m | step.inverse | Force computed by inverse dynamics.
    solver_fwdinv   | real                     | 2  | N or N m | step.inverse step.stages | Differences between forward and inverse dynamics: constraint force, applied force.
    cacc            | spatial constrained      | nbody |    | step.body_forces.rne_post_constraint     | Spatial acceleration of each body.
    cfrc_int        | spatial constrained      | nbody |    | step.body_forces.rne_post_constraint     | Interaction force between each body and its parent.
    cfrc_ext        | spatial constrained      | nbody |    | step.body_forces.rne_post_constraint step.body_forces.external_wrench | Sum of external forces on each body.
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
    used_ctrl  | real         | nu   | | step.actuation.controls step.actuation.control_delay step.actuation.servo | Controls after delay and clamping.
    fresh      | real         | nhistory | | step.sensing.delay | Readings of sensors with a history, before their delay.
    ten_pull   | real         | ntendon | | step.actuation.actuator_force | Sum of actuator forces of a tendon, before its limit.
    ten_tension | real        | ntendon | | step.body_forces.tendon_wrenches | Force along each tendon, positive if it pushes its ends apart.
    act_rate   | real         | na   | | step.integrate.advance step.integrate.rk4 | Rates with which activations are advanced.
    was_awake       | int  | ntree       | | step.sleeping.wake | Whether each tree was awake before a sweep.
    run_stirs       | int kept | nbody       | | step.sleeping.body_runs | Whether each run of bodies is computed in this step.
    movers          | int  |             | | step.sleeping.body_runs | Number of trees that are awake and of mocap bodies, if trees may sleep.
    tree_kept       | int kept | ntree       | | step.sleeping.body_runs step.sleeping.wake | Whether derived fields of a sleeping tree are still valid.
    tree_falls      | int world | ntree  | | step.integrate.falling_asleep | Whether each tree falls asleep in this step.
    island_rests    | int world | ntree  | | step.integrate.falling_asleep | Whether all trees of an island are ready to sleep.
    island_last     | int world | ntree  | | step.integrate.falling_asleep | Last tree of an island that was put to sleep.
    woken           | int  |             | | step.sleeping.wake | Whether contacts have woken trees.
    ten_asleep      | int  | ntendon     | | step.sleeping.resting_values | Whether each tendon slept at the position stage.
    resting_qpos    | real | nq          | | step.integrate.falling_asleep | qpos before the step.
    user_gain  | real         | nactuator | | step.callbacks | Gain returned by a callback.
    user_bias  | real         | nactuator | | step.callbacks | Bias returned by a callback.
    given_qacc   | real       | nv   | | step.inverse | Acceleration in discrete time for inverse dynamics.
    inverse_qacc | real       | nv   | | step.inverse step.integrate.implicit step.integrate.springdamper step.metric.discrete_dynamics | Acceleration in continuous time, or the corresponding force.
    forward_qfrc | real       | nv   | | step.inverse | qfrc_constraint of forward dynamics, stored for comparison with the inverse.
    step_qacc  | real precise | nv   | | step.integrate.euler step.integrate.implicit step.integrate.springdamper step.integrate.discrete step.metric.free_body step.metric.discrete_dynamics step.integrate.falling_asleep step.metric.coupling | Acceleration with which the step integrates.
    rk4_qpos   | real         | nq   | | step.integrate.rk4   | Position at the start of the step.
    rk4_qvel   | real         | nv 4 | | step.integrate.rk4   | Velocity at each stage.
    rk4_rate   | real         | nv 4 | | step.integrate.rk4   | Time derivative of positions at each stage.
    rk4_qacc   | real         | nv 4 | | step.integrate.rk4   | Acceleration at each stage.
    rk4_act    | real         | na   | | step.integrate.rk4   | Activation at the start of the step.
    rk4_speed  | real         | nout | | step.integrate.rk4   | Actuator velocities at the start of the step.
    rk4_adot   | real         | na 4 | | step.integrate.rk4   | act_dot at each stage.
    rk4_dqpos  | real         | nv   | | step.integrate.rk4   | Weighted mean of position rates.
    rk4_length | real         | ntendon | | step.integrate.plastic | Tendon lengths at the start of the step.
    rk4_J      | real         | nJten | | step.integrate.plastic | Tendon Jacobians at the start of the step.
    rk4_dqvel  | real         | nv   | | step.integrate.rk4   | Weighted mean of accelerations.
    """,
)

IMPLICIT_SCRATCH: tuple[Field, ...] = table(
    "implicit scratch",
    "scratch",
    """
    free_LU    | real precise | nD   | | step.integrate.implicit step.metric.free_body step.metric.discrete_dynamics | LU factor for free bodies that are solved by themselves.
    rne_turn     | mat3       | nbody | | step.derivative.rne_dvel | Derivative of torques on subtrees by angular velocities above.
    rne_momentum | vec3       | nbody | | step.derivative.rne_dvel | Momentum of each subtree.
    rne_drift    | spatial    | nv   | | step.derivative.rne_dvel | Acceleration of all bodies below, by a dof's velocity.
    """,
)

#: the metric of a step, as solvers see it
METRIC: tuple[Field, ...] = table(
    "metric",
    "scratch",
    """
    ten_metric | real         | ntendon | | step.metric.metric | Weight of each tendon's J'J in the metric.
    out_metric | real         | nout | | step.metric.metric | Weight of each force output's moment' moment in the metric.
    metric     | real precise | nC   | | step.metric.metric | M with all terms of the metric that fit its pattern.
    metric_frc | real precise | nv   | | step.metric.coupling | That matrix times qacc_smooth.
    """,
)

#: what only integrators need that are implicit in positions
METRIC_SCRATCH: tuple[Field, ...] = table(
    "metric scratch",
    "scratch",
    """
    efm_c      | real shown   | nv   | | step.metric.metric | Change of smooth forces until the end of the step at constant velocity: -h K v.
    efm_diag   | real shown   | nv   | | step.metric.metric | Terms of joint springs and dampers on the diagonal: h D + h^2 K.
    efm_ck     | real shown   | nv   | | step.derivative.spring_stiffness step.metric.metric | h times the stiffness of each dof's spring.
    efm_sdiag  | real shown   | nv   | | step.metric.metric | All terms that are added to the diagonal of M.
    cg_rest    | real precise | nv   | | step.metric.coupling | Residual of the conjugate gradients.
    cg_step    | real precise | nv   | | step.metric.coupling | Search direction of the conjugate gradients.
    cg_next    | real precise | nv   | | step.metric.coupling | Preconditioned residual.
    cg_product | real precise | nv   | | step.metric.coupling | Metric times a vector.
    jnt_loose  | int          | njnt | | step.metric.discrete_dynamics | Whether no row and no term of the metric acts on a joint.
    """,
)
