"""Tendons in motion: velocity, springs and dampers, and the bias force of their inertia."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.math.polynomial import polynomial
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import MINVAL, cross, dot, norm, unit
from cortenforge.step.constants import NO_DAMPER, NO_SPRING, PULLEY, SPATIAL
from cortenforge.step.reflected import tendon_damping, tendon_inertia


@kernel(lanes=True, unit=True)
def tendon_velocity(m, d):
    """How fast lengths change: J qvel.  Mirrors mj_fwdVelocity."""
    for i in range(m.ntendon):
        speed = 0.0
        start = m.ten_J_rowadr[i]
        for at in range(start, start + m.ten_J_rownnz[i]):
            speed += d.ten_J[at] * d.qvel[m.ten_J_colind[at]]
        d.ten_velocity[i] = speed
        d.ten_passive[i] = 0.0
        d.ten_force[i] = 0.0


@kernel(lanes=True, unit=True)
def tendon_forces(m, d):
    """Springs and dampers along tendons, as forces on joints.  Mirrors mj_springdamper."""
    for i in range(m.ntendon):
        spring, damper = 0.0, 0.0
        if m.opt_disableflags & NO_SPRING == 0:
            spring = spring_force(m, d, i)
            if any_lane(spring != 0.0):
                pull_joints(m, d, d.qfrc_spring, i, spring)
        if m.opt_disableflags & NO_DAMPER == 0:
            damper = damper_force(m, d, i)
            if any_lane(damper != 0.0):
                pull_joints(m, d, d.qfrc_damper, i, damper)
        d.ten_passive[i] = spring + damper
        # limits are not known yet
        d.ten_force[i] = d.ten_passive[i]


@kernel(lanes=True)
def pull_joints(m, d, qfrc, i: int, force):
    """Add J' force, in worlds where there is a force."""
    start = m.ten_J_rowadr[i]
    for at in range(start, start + m.ten_J_rownnz[i]):
        dof = m.ten_J_colind[at]
        qfrc[dof] = select(force != 0.0, qfrc[dof] + d.ten_J[at] * force, qfrc[dof])


@kernel(lanes=True)
def spring_force(m, d, i: int):
    """Force of a spring along a tendon; zero between the lengths where it rests."""
    x = tendon_shift(m, d, i)
    k2, k3 = m.tendon_stiffnesspoly[i, 0], m.tendon_stiffnesspoly[i, 1]
    return -x * polynomial(m.tendon_stiffness[i], k2, k3, x)


@kernel(lanes=True)
def tendon_shift(m, d, i: int):
    """How far a tendon is longer than its spring at rest, or shorter if negative."""
    over = d.ten_length[i] - m.tendon_lengthspring[i, 1]
    under = d.ten_length[i] - m.tendon_lengthspring[i, 0]
    if m.tendon_plasticadr[i] >= 0:
        over = d.ten_length[i] - d.plastic[m.tendon_plasticadr[i] + 1]
        under = d.ten_length[i] - d.plastic[m.tendon_plasticadr[i]]
    return select(over > 0.0, over, select(under < 0.0, under, 0.0))


@kernel(lanes=True)
def damper_force(m, d, i: int):
    """Force of a damper along a tendon and of those of its actuators, odd in velocity."""
    b1 = m.tendon_damping[i] + tendon_damping(m, i, 1)
    b2 = m.tendon_dampingpoly[i, 0] + tendon_damping(m, i, 2)
    b3 = m.tendon_dampingpoly[i, 1] + tendon_damping(m, i, 3)
    v = d.ten_velocity[i]
    return -v * polynomial(b1, b2, b3, abs(v))


@kernel(lanes=True, unit=True)
def tendon_bias(m, d):
    """Force that the inertia of tendons takes at constant velocity: J' a dJ/dt qvel.

    Mirrors mj_tendonBias.
    """
    for i in range(m.ntendon):
        if m.tendon_type[i] == SPATIAL:
            armature = tendon_inertia(m, i)
            if any_lane(armature != 0.0):
                force = armature * rate_of_stretch(m, d, i)
                pull_joints(m, d, d.qfrc_bias, i, select(armature != 0.0, force, 0.0))


@kernel(lanes=True)
def rate_of_stretch(m, d, i: int):
    """Second derivative of a length while joints keep their velocity.  Mirrors mj_tendonDot.

    Paths of heavy tendons go from site to site, without geoms.
    """
    total = 0.0
    share = 1.0
    first = m.tendon_adr[i]
    for step in range(first, first + m.tendon_num[i] - 1):
        if m.wrap_type[step] == PULLEY:
            share = 1.0 / m.wrap_prm[step]
        elif m.wrap_type[step + 1] != PULLEY:
            one, other = m.wrap_objid[step], m.wrap_objid[step + 1]
            if m.site_bodyid[one] != m.site_bodyid[other]:
                total += share * rate_between(m, d, one, other)
    return total


@kernel(lanes=True)
def rate_between(m, d, one: int, other: int):
    """Second derivative of the distance of two sites while joints keep their velocity."""
    line = d.site_xpos[other] - d.site_xpos[one]
    length = norm(line)
    along = unit(line)
    start_velocity, start_acceleration = site_motion(m, d, one)
    end_velocity, end_acceleration = site_motion(m, d, other)
    change = end_velocity - start_velocity
    across = change - along * dot(along, change)
    turning = select(length > MINVAL, dot(across, change) / length, 0.0)
    return dot(along, end_acceleration - start_acceleration) + turning


@kernel(lanes=True)
def site_motion(m, d, site: int):
    """Velocity of a site, and its acceleration while joints keep their velocity.

    With the acceleration against gravity that all bodies share: differences do not have it.
    """
    body = m.site_bodyid[site]
    arm = d.site_xpos[site] - d.subtree_com[m.body_rootid[body]]
    spin = angular(d.cvel[body])
    velocity = linear(d.cvel[body]) + cross(spin, arm)
    rate = d.rne_cacc[body]
    acceleration = linear(rate) + cross(angular(rate), arm) + cross(spin, velocity)
    return velocity, acceleration
