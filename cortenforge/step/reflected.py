"""Damping of joints and tendons, and inertia and damping that actuators add to them."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.polynomial import polynomial_slope
from cortenforge.step.constants import IN_PARENT, ON_TENDON


@kernel(lanes=True)
def adds_to(m, a: int, j: int):
    """Whether an actuator adds to a joint; gear squared if so, else 0."""
    scale = 0.0
    if m.actuator_trntype[a] <= IN_PARENT and m.actuator_trnid[a, 0] == j:
        gear = m.actuator_gear[m.actuator_outadr[a], 0]
        scale = gear * gear
    return scale


@kernel(lanes=True)
def pulls(m, a: int, i: int):
    """Whether an actuator adds to a tendon; gear squared if so, else 0."""
    scale = 0.0
    if m.actuator_trntype[a] == ON_TENDON and m.actuator_trnid[a, 0] == i:
        gear = m.actuator_gear[m.actuator_outadr[a], 0]
        scale = gear * gear
    return scale


@kernel(lanes=True)
def reflected_armature(m, j: int):
    """Inertia from all actuators of a joint.  Mirrors mj_actuatorArmature."""
    total = 0.0
    if m.jnt_actuatorid[j] != -1:
        for a in range(m.nactuator):
            total += m.actuator_armature[a] * adds_to(m, a, j)
    return total


@kernel(lanes=True)
def tendon_inertia(m, i: int):
    """Inertia of a tendon, with that of all its actuators.  Mirrors mj_actuatorArmature."""
    total = m.tendon_armature[i]
    if m.tendon_actuatorid[i] != -1:
        for a in range(m.nactuator):
            total += m.actuator_armature[a] * pulls(m, a, i)
    return total


@kernel(lanes=True)
def reflected_damping(m, j: int, power: int):
    """A coefficient of damping from all actuators of a joint.  Mirrors mj_actuatorDamping."""
    total = 0.0
    if m.jnt_actuatorid[j] != -1:
        for a in range(m.nactuator):
            total += coefficient(m, a, power) * adds_to(m, a, j)
    return total


@kernel(lanes=True)
def tendon_damping(m, i: int, power: int):
    """A coefficient of damping from all actuators of a tendon.  Mirrors mj_actuatorDamping."""
    total = 0.0
    if m.tendon_actuatorid[i] != -1:
        for a in range(m.nactuator):
            total += coefficient(m, a, power) * pulls(m, a, i)
    return total


@kernel(lanes=True)
def coefficient(m, a: int, power: int):
    """An actuator's coefficient of damping, for a power of the velocity."""
    if power == 1:
        return m.actuator_damping[a]
    return m.actuator_dampingpoly[a, power - 2]


@kernel(lanes=True)
def damping_size(m, i: int):
    """Not zero if a dof, or an actuator of it, is damped."""
    curved = abs(m.dof_dampingpoly[i, 0]) + abs(m.dof_dampingpoly[i, 1])
    size = max(m.dof_damping[i], curved)
    if m.jnt_actuatorid[m.dof_jntid[i]] != -1:
        size = max(size, 1.0)
    return size


@kernel(lanes=True)
def damping_slope(m, d, i: int):
    """How a dof's damping, with that of its actuators, grows with its velocity."""
    joint = m.dof_jntid[i]
    b1 = m.dof_damping[i] + reflected_damping(m, joint, 1)
    b2 = m.dof_dampingpoly[i, 0] + reflected_damping(m, joint, 2)
    b3 = m.dof_dampingpoly[i, 1] + reflected_damping(m, joint, 3)
    return polynomial_slope(b1, b2, b3, abs(d.qvel[i]))


@kernel(lanes=True)
def tendon_slope(m, d, i: int):
    """How a tendon's damping, with that of its actuators, grows with its velocity."""
    b1 = m.tendon_damping[i] + tendon_damping(m, i, 1)
    b2 = m.tendon_dampingpoly[i, 0] + tendon_damping(m, i, 2)
    b3 = m.tendon_dampingpoly[i, 1] + tendon_damping(m, i, 3)
    return polynomial_slope(b1, b2, b3, abs(d.ten_velocity[i]))
