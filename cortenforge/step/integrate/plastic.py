"""Perfect plasticity of springs: beyond a yield displacement, the rest position follows.

x = q - rest;   |x| > yield:   rest <- rest + sign(x) (|x| - yield)

Source: MuJoCo: XML reference, body/joint, attribute "springyield".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.rotation import integrate_quat, subtract_quats
from cortenforge.math.vector import MINVAL, norm
from cortenforge.step.constants import BALL, NO_SPRING
from cortenforge.step.position.kinematics import quat_at


@kernel(lanes=True, unit=True)
def yield_after_step(m, d):
    """Rest positions of springs after a single-step integrator; joints moved with qvel."""
    yield_springs(m, d, d.qvel)


@kernel(lanes=True, unit=True)
def yield_after_rk4(m, d):
    """Rest positions of springs after Runge-Kutta; joints moved with rk4_dqpos."""
    # lengths and their gradients are those from which the step started
    for i in range(m.ntendon):
        d.ten_length[i] = d.rk4_length[i]
    for at in range(m.nJten):
        d.ten_J[at] = d.rk4_J[at]
    yield_springs(m, d, d.rk4_dqpos)


@kernel(lanes=True, unit=True)
def store_rk4_lengths(m, d):
    """Store tendon lengths and Jacobians of the first stage of Runge-Kutta."""
    for i in range(m.ntendon):
        d.rk4_length[i] = d.ten_length[i]
    for at in range(m.nJten):
        d.rk4_J[at] = d.ten_J[at]


@kernel(lanes=True)
def yield_springs(m, d, rate):
    """Update rest positions of all springs that yield.  Mirrors mj_advance."""
    if m.opt_disableflags & NO_SPRING == 0:
        for j in range(m.njnt):
            if m.jnt_plasticadr[j] >= 0:
                if m.jnt_type[j] == BALL:
                    yield_ball(m, d, j)
                else:
                    yield_scalar(m, d, j)
        for i in range(m.ntendon):
            if m.tendon_plasticadr[i] >= 0:
                yield_tendon(m, d, rate, i)


@kernel(lanes=True)
def excess_over_yield(x, limit):
    """Part of x beyond +-limit, with its sign."""
    bound = max(limit, 0.0)
    return select(x > bound, x - bound, select(x < -bound, x + bound, 0.0))


@kernel(lanes=True)
def yield_scalar(m, d, j: int):
    """Rest position of a slide's or hinge's spring."""
    at = m.jnt_plasticadr[j]
    d.plastic[at] += excess_over_yield(
        d.qpos[m.jnt_qposadr[j]] - d.plastic[at], m.jnt_springyield[j]
    )


@kernel(lanes=True)
def yield_ball(m, d, j: int):
    """Rest orientation of a ball's spring: turned by the excess angle towards the joint's."""
    at = m.jnt_plasticadr[j]
    rest = quat_at(d.plastic, at)
    turn = subtract_quats(quat_at(d.qpos, m.jnt_qposadr[j]), rest)
    angle = norm(turn)
    beyond = excess_over_yield(angle, m.jnt_springyield[j])
    if any_lane(beyond > 0.0):
        moved = integrate_quat(rest, turn, beyond / max(angle, MINVAL))
        d.plastic[at] = select(beyond > 0.0, moved.w, d.plastic[at])
        d.plastic[at + 1] = select(beyond > 0.0, moved.x, d.plastic[at + 1])
        d.plastic[at + 2] = select(beyond > 0.0, moved.y, d.plastic[at + 2])
        d.plastic[at + 3] = select(beyond > 0.0, moved.z, d.plastic[at + 3])


@kernel(lanes=True)
def yield_tendon(m, d, rate, i: int):
    """Rest length interval of a tendon's spring, from its length after the step, l + h J qvel.

    A spring that only pulls, at rest from 0 to a length, keeps the 0 when it is stretched.
    """
    speed = 0.0
    start = m.ten_J_rowadr[i]
    for k in range(start, start + m.ten_J_rownnz[i]):
        speed += d.ten_J[k] * rate[m.ten_J_colind[k]]
    length = d.ten_length[i] + m.opt_timestep * speed
    at = m.tendon_plasticadr[i]
    low, high = d.plastic[at], d.plastic[at + 1]
    over, under = length - high, length - low
    shift = excess_over_yield(
        select(over > 0.0, over, select(under < 0.0, under, 0.0)), m.tendon_springyield[i]
    )
    pinned = low == 0.0 and high > 0.0 and shift > 0.0
    d.plastic[at] = select(pinned, low, low + shift)
    d.plastic[at + 1] = high + shift
