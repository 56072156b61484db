"""Classical Runge-Kutta of fourth order (RK4), with rotations combined in one tangent space.

    x_1 = x,  x_2 = x + h k_1 / 2,  x_3 = x + h k_2 / 2,  x_4 = x + h k_3
    x+ = x + h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6
    rotation:  q_s = q exp(u_s / 2),   rate of u_s = dexp^-1(u_s) w_s    (Munthe-Kaas)

Sources: MuJoCo: Computation, "Numerical integration", "Integrators"; H. Munthe-Kaas, Runge-Kutta
methods on Lie groups, BIT 38, 1998.
Theory: docs/theory/integration.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import rotation_vector_rate, shortest_rotation_vector
from cortenforge.step.actuation.activation import advance_activations
from cortenforge.step.constants import BALL, DYN_DCMOTOR, FREE, NO_ACTUATION, WITH_SLEEP
from cortenforge.step.forward import forward
from cortenforge.step.history import store_samples
from cortenforge.step.integrate.falling_asleep import put_trees_to_sleep, restore_resting_positions
from cortenforge.step.integrate.joint_positions import integrate_pos
from cortenforge.step.integrate.plastic import store_rk4_lengths, yield_after_rk4


@kernel(lanes=True, unit=True)
def rk4(m, d):
    """One step of classical Runge-Kutta.  Mirrors mj_RungeKutta.

    Every stage starts from the first state, displaced by its rate. The rate of a rotation vector is
    not the angular velocity once the body has turned; it is corrected as in MuJoCo 4.0.
    """
    h = m.opt_timestep
    start = d.time
    for k in range(m.nq):
        d.rk4_qpos[k] = d.qpos[k]
    if m.nplastic > 0:
        store_rk4_lengths(m, d)
    for k in range(m.na):
        d.rk4_act[k] = d.act[k]
    if m.na > 0:
        for out in range(m.nout):
            d.rk4_speed[out] = d.actuator_velocity[out]
    store_rk4_stage(m, d, 0, 0.0)
    for stage in range(1, 4):
        part = 1.0 if stage == 3 else 0.5
        for i in range(m.nv):
            d.rk4_dqpos[i] = part * d.rk4_rate[i, stage - 1]
            d.qvel[i] = d.rk4_qvel[i, 0] + h * (part * d.rk4_qacc[i, stage - 1])
        for k in range(m.nq):
            d.qpos[k] = d.rk4_qpos[k]
        for k in range(m.na):
            d.act[k] = d.rk4_act[k] + h * (part * d.rk4_adot[k, stage - 1])
        integrate_pos(m, d.qpos, d.rk4_dqpos, h)
        d.time = start + part * h
        forward(m, d, 0)
        store_rk4_stage(m, d, stage, part * h)

    if m.na > 0:
        combine_activations(m, d)
    for i in range(m.nv):
        d.rk4_dqpos[i] = rk4_mean(d.rk4_rate, i)
        d.rk4_dqvel[i] = rk4_mean(d.rk4_qacc, i)
        # the solver starts from the last stage; qacc is what the step as a whole did
        d.qacc_warmstart[i] = d.qacc[i]
    for k in range(m.nq):
        d.qpos[k] = d.rk4_qpos[k]
    d.time = start
    if m.opt_enableflags & WITH_SLEEP != 0:
        fall_asleep_from_start(m, d)
    for i in range(m.nv):
        d.qvel[i] = d.rk4_qvel[i, 0] + h * d.rk4_dqvel[i]
        d.qacc[i] = d.rk4_dqvel[i]
    integrate_pos(m, d.qpos, d.rk4_dqpos, h)
    if m.opt_enableflags & WITH_SLEEP != 0:
        restore_resting_positions(m, d)
    if m.nplastic > 0:
        yield_after_rk4(m, d)
    if m.nhistory > 0:
        # of where the step started; stages have read controls of before
        d.time = start
        store_samples(m, d)
    d.time = start + h


@kernel(lanes=True)
def fall_asleep_from_start(m, d):
    """Put trees to sleep by the velocities at the start of the step."""
    for i in range(m.nv):
        d.qvel[i] = d.rk4_qvel[i, 0]
    put_trees_to_sleep(m, d)


@kernel(lanes=True)
def combine_activations(m, d):
    """Advance activations from the first state, at the mean rate of all stages."""
    for k in range(m.na):
        d.act_rate[k] = rk4_mean(d.rk4_adot, k)
        d.act[k] = d.rk4_act[k]
    if m.opt_disableflags & NO_ACTUATION == 0:
        # friction of motors moves on at the speed of the first state
        if has_dc_motor(m):
            for out in range(m.nout):
                d.actuator_velocity[out] = d.rk4_speed[out]
        advance_activations(m, d)


@kernel(lanes=True)
def has_dc_motor(m):
    """Whether a model has DC motors."""
    found = False
    for a in range(m.nactuator):
        if m.actuator_dyntype[a] == DYN_DCMOTOR:
            found = True
    return found


@kernel(lanes=True)
def rk4_mean(stages, i: int):
    """(k_1 + 2 k_2 + 2 k_3 + k_4) / 6."""
    outer = stages[i, 0] + stages[i, 3]
    inner = stages[i, 1] + stages[i, 2]
    return outer / 6.0 + inner / 3.0


@kernel(lanes=True)
def store_rk4_stage(m, d, stage: int, time):
    """Store velocity, acceleration and position rate of a stage, `time` after the start."""
    for i in range(m.nv):
        d.rk4_qvel[i, stage] = d.qvel[i]
        d.rk4_qacc[i, stage] = d.qacc[i]
        d.rk4_rate[i, stage] = d.qvel[i]
    for k in range(m.na):
        d.rk4_adot[k, stage] = d.act_dot[k]
    if stage > 0:
        for j in range(m.njnt):
            dof = m.jnt_dofadr[j]
            if m.jnt_type[j] == FREE:
                store_rotation_rate(d, stage, dof + 3, time)
            elif m.jnt_type[j] == BALL:
                store_rotation_rate(d, stage, dof, time)


@kernel(lanes=True)
def store_rotation_rate(d, stage: int, dof: int, time):
    """Rate of the rotation vector from the first state to this stage.

    Of all rotation vectors that lead there MuJoCo takes the shortest, also if a body turns by more
    than half a turn in a step.
    """
    before = stage - 1
    turn = vec3(
        time * d.rk4_rate[dof, before],
        time * d.rk4_rate[dof + 1, before],
        time * d.rk4_rate[dof + 2, before],
    )
    velocity = vec3(d.qvel[dof], d.qvel[dof + 1], d.qvel[dof + 2])
    rate = rotation_vector_rate(shortest_rotation_vector(turn), velocity)
    d.rk4_rate[dof, stage] = rate.x
    d.rk4_rate[dof + 1, stage] = rate.y
    d.rk4_rate[dof + 2, stage] = rate.z
