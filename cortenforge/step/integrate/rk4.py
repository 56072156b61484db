"""Classical Runge-Kutta of fourth order (RK4), with rotations combined in one tangent space.

    x_1 = x,  x_2 = x + h k_1 / 2,  x_3 = x + h k_2 / 2,  x_4 = x + h k_3
    x+ = x + h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6
    rotation:  q_s = q exp(u_s / 2),   rate of u_s = dexp^-1(u_s) w_s    (Munthe-Kaas)

Sources: MuJoCo: Computation, "Numerical integration", "Integrators"; H. Munthe-Kaas, Runge-Kutta
methods on Lie groups, BIT 38, 1998.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import rotation_vector_rate, short_way
from cortenforge.step.actuation.activation import advance_activations
from cortenforge.step.constants import BALL, DYN_DCMOTOR, FREE, NO_ACTUATION, WITH_SLEEP
from cortenforge.step.forward import forward
from cortenforge.step.history import keep_samples
from cortenforge.step.integrate.manifold import integrate_pos
from cortenforge.step.integrate.plastic import keep_lengths, yield_after_rk4
from cortenforge.step.sleeping.fall import fall_asleep, stay_in_place


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
        keep_lengths(m, d)
    for k in range(m.na):
        d.rk4_act[k] = d.act[k]
    if m.na > 0:
        for out in range(m.nout):
            d.rk4_speed[out] = d.actuator_velocity[out]
    store_stage(m, d, 0, 0.0)
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
        store_stage(m, d, stage, part * h)

    if m.na > 0:
        combine_activations(m, d)
    for i in range(m.nv):
        d.rk4_dqpos[i] = weighted(d.rk4_rate, i)
        d.rk4_dqvel[i] = weighted(d.rk4_qacc, i)
        # the solver starts from the last stage; qacc is what the step as a whole did
        d.qacc_warmstart[i] = d.qacc[i]
    for k in range(m.nq):
        d.qpos[k] = d.rk4_qpos[k]
    d.time = start
    if m.opt_enableflags & WITH_SLEEP != 0:
        fall_asleep_here(m, d)
    for i in range(m.nv):
        d.qvel[i] = d.rk4_qvel[i, 0] + h * d.rk4_dqvel[i]
        d.qacc[i] = d.rk4_dqvel[i]
    integrate_pos(m, d.qpos, d.rk4_dqpos, h)
    if m.opt_enableflags & WITH_SLEEP != 0:
        stay_in_place(m, d)
    if m.nplastic > 0:
        yield_after_rk4(m, d)
    if m.nhistory > 0:
        # of where the step started; stages have read controls of before
        d.time = start
        keep_samples(m, d)
    d.time = start + h


@kernel(lanes=True)
def fall_asleep_here(m, d):
    """Put trees to sleep by the velocities at the start of the step."""
    for i in range(m.nv):
        d.qvel[i] = d.rk4_qvel[i, 0]
    fall_asleep(m, d)


@kernel(lanes=True)
def combine_activations(m, d):
    """Advance activations from the first state, at the mean rate of all stages."""
    for k in range(m.na):
        d.act_rate[k] = weighted(d.rk4_adot, k)
        d.act[k] = d.rk4_act[k]
    if m.opt_disableflags & NO_ACTUATION == 0:
        # friction of motors moves on at the speed of the first state
        if has_motor(m):
            for out in range(m.nout):
                d.actuator_velocity[out] = d.rk4_speed[out]
        advance_activations(m, d)


@kernel(lanes=True)
def has_motor(m):
    """Whether a model has DC motors."""
    found = False
    for a in range(m.nactuator):
        if m.actuator_dyntype[a] == DYN_DCMOTOR:
            found = True
    return found


@kernel(lanes=True)
def weighted(stages, i: int):
    """(k_1 + 2 k_2 + 2 k_3 + k_4) / 6."""
    outer = stages[i, 0] + stages[i, 3]
    inner = stages[i, 1] + stages[i, 2]
    return outer / 6.0 + inner / 3.0


@kernel(lanes=True)
def store_stage(m, d, stage: int, time):
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
                store_turn_rate(d, stage, dof + 3, time)
            elif m.jnt_type[j] == BALL:
                store_turn_rate(d, stage, dof, time)


@kernel(lanes=True)
def store_turn_rate(d, stage: int, dof: int, time):
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
    rate = rotation_vector_rate(short_way(turn), velocity)
    d.rk4_rate[dof, stage] = rate.x
    d.rk4_rate[dof + 1, stage] = rate.y
    d.rk4_rate[dof + 2, stage] = rate.z
