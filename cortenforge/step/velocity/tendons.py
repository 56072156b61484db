"""Tendons in motion: velocity, spring and damper forces, bias force of tendon armature.

    ten_velocity = J qvel
    spring  f = -(k1 + k2 x + k3 x^2) x     x: length beyond the rest interval lengthspring
    damper  f = -(b1 + b2 |v| + b3 v^2) v
    qfrc += J' f
    qfrc_bias += J' a (dJ/dt qvel)          (a: armature, of spatial tendons)

dJ/dt qvel is the second derivative of the length at zero joint acceleration. A segment between
points with relative velocity v and acceleration c, unit vector u and length L, has

    u . c + (|v|^2 - (u . v)^2) / L

Source: MuJoCo: XML reference, tendon/spatial, attributes "springlength" and "armature".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.polynomial import polynomial_coefficient
from cortenforge.math.spatial import linear
from cortenforge.math.vector import MINVAL, dot, norm, unit
from cortenforge.step.armature_and_damping import (
    reflected_tendon_damping,
    tendon_armature_with_actuators,
)
from cortenforge.step.constants import NO_DAMPER, NO_SPRING, SPATIAL
from cortenforge.step.position.objects import acceleration_at_point, motion_at_point


@kernel(lanes=True, unit=True)
def tendon_velocity(m, d):
    """ten_velocity = J qvel.  Mirrors mj_fwdVelocity."""
    for i in range(m.ntendon):
        speed = 0.0
        start = m.ten_J_rowadr[i]
        for at in range(start, start + m.ten_J_rownnz[i]):
            speed += d.ten_J[at] * d.qvel[m.ten_J_colind[at]]
        d.ten_velocity[i] = speed
        d.ten_passive[i] = 0.0
        d.ten_force[i] = 0.0


@kernel(lanes=True, unit=True)
def tendon_passive_forces(m, d):
    """Spring and damper forces of tendons, as joint forces.  Mirrors mj_springdamper."""
    for i in range(m.ntendon):
        spring, damper = 0.0, 0.0
        if m.opt_disableflags & NO_SPRING == 0:
            spring = tendon_spring_force(m, d, i)
            if any_lane(spring != 0.0):
                add_tendon_force(m, d, d.qfrc_spring, i, spring)
        if m.opt_disableflags & NO_DAMPER == 0:
            damper = tendon_damper_force(m, d, i)
            if any_lane(damper != 0.0):
                add_tendon_force(m, d, d.qfrc_damper, i, damper)
        d.ten_passive[i] = spring + damper
        # forces of limits are added later
        d.ten_force[i] = d.ten_passive[i]


@kernel(lanes=True)
def add_tendon_force(m, d, qfrc, i: int, force):
    """Add J' force of a tendon to joint forces, in lanes where the force is not zero."""
    start = m.ten_J_rowadr[i]
    for at in range(start, start + m.ten_J_rownnz[i]):
        dof = m.ten_J_colind[at]
        qfrc[dof] = select(force != 0.0, qfrc[dof] + d.ten_J[at] * force, qfrc[dof])


@kernel(lanes=True)
def tendon_spring_force(m, d, i: int):
    """Spring force along a tendon; zero within the rest interval."""
    x = tendon_spring_displacement(m, d, i)
    k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
    return -x * polynomial_coefficient(m.tendon_stiffness[i], k2, k3, x)


@kernel(lanes=True)
def tendon_spring_displacement(m, d, i: int):
    """Displacement of a tendon's spring from its rest interval: positive if it is longer."""
    over = d.ten_length[i] - m.tendon_lengthspring[i, 1]
    under = d.ten_length[i] - m.tendon_lengthspring[i, 0]
    if m.tendon_plasticadr[i] >= 0:
        over = d.ten_length[i] - d.plastic[m.tendon_plasticadr[i] + 1]
        under = d.ten_length[i] - d.plastic[m.tendon_plasticadr[i]]
    return select(over > 0.0, over, select(under < 0.0, under, 0.0))


@kernel(lanes=True)
def tendon_damper_force(m, d, i: int):
    """Damper force along a tendon, with damping of its actuators."""
    b1 = m.tendon_damping[i] + reflected_tendon_damping(m, i, 1)
    b2 = m.tendon_dampingpoly[i, 0] + reflected_tendon_damping(m, i, 2)
    b3 = m.tendon_dampingpoly[i, 1] + reflected_tendon_damping(m, i, 3)
    v = d.ten_velocity[i]
    return -v * polynomial_coefficient(b1, b2, b3, abs(v))


@kernel(lanes=True, unit=True)
def tendon_bias(m, d):
    """Add the bias force of tendon armature to qfrc_bias.  Mirrors mj_tendonBias."""
    add_tendon_bias(m, d, d.qfrc_bias)


@kernel(lanes=True)
def add_tendon_bias(m, d, qfrc):
    """qfrc += J' a dJ/dt qvel of tendons with armature.  Mirrors mj_tendonBias."""
    for i in range(m.ntendon):
        if m.tendon_type[i] == SPATIAL:
            armature = tendon_armature_with_actuators(m, i)
            if any_lane(armature != 0.0):
                force = armature * tendon_jdot_qvel(m, d, i)
                add_tendon_force(m, d, qfrc, i, select(armature != 0.0, force, 0.0))


@kernel(lanes=True)
def tendon_jdot_qvel(m, d, i: int):
    """dJ/dt qvel of a tendon: second derivative of its length at zero qacc.

    Tendons with armature run from site to site, without wrapping geoms.

    Mirrors mj_tendonDot.
    """
    total = 0.0
    first = m.tenseg_adr[i]
    for s in range(first, first + m.tenseg_num[i]):
        if m.tenseg_bodyid[s, 0] != m.tenseg_bodyid[s, 1]:
            total += d.tenseg_share[s] * segment_jdot_qvel(m, d, s)
    return total


@kernel(lanes=True)
def segment_jdot_qvel(m, d, s: int):
    """dJ/dt qvel of the length of a segment between two sites."""
    start, end = d.tenseg_start[s], d.tenseg_end[s]
    line = end - start
    length = norm(line)
    along = unit(line)
    start_velocity, start_acceleration = point_motion(m, d, m.tenseg_bodyid[s, 0], start)
    end_velocity, end_acceleration = point_motion(m, d, m.tenseg_bodyid[s, 1], end)
    change = end_velocity - start_velocity
    across = change - along * dot(along, change)
    centripetal = select(length > MINVAL, dot(across, change) / length, 0.0)
    return dot(along, end_acceleration - start_acceleration) + centripetal


@kernel(lanes=True)
def point_motion(m, d, body: int, point):
    """(velocity, acceleration) of a point of a body in world axes, at zero joint acceleration.

    The acceleration includes -gravity (rne_cacc), which cancels in differences of two points.
    """
    velocity = motion_at_point(m, d, body, point, d.cvel[body])
    acceleration = acceleration_at_point(m, d, body, point, d.rne_cacc[body])
    return linear(velocity), linear(acceleration)
