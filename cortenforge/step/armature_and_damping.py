"""Armature and damping of joints and tendons, with those reflected from actuators by gear^2.

armature = own + sum gear^2 armature_a
damping force = -(b1 + b2 |v| + b3 v^2) v,   b = own + sum gear^2 b_a

Source: MuJoCo: Computation, "Polynomial forces"; XML reference, actuator/general, attributes
"armature" and "damping".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.polynomial import polynomial_derivative
from cortenforge.step.constants import TRN_JOINTINPARENT, TRN_TENDON


@kernel(lanes=True)
def joint_gear_squared(m, a: int, j: int):
    """gear^2 if an actuator acts on joint j, else 0."""
    scale = 0.0
    if m.actuator_trntype[a] <= TRN_JOINTINPARENT and m.actuator_trnid[a, 0] == j:
        gear = m.actuator_gear[m.actuator_outadr[a], 0]
        scale = gear * gear
    return scale


@kernel(lanes=True)
def tendon_gear_squared(m, a: int, i: int):
    """gear^2 if an actuator acts on tendon i, else 0."""
    scale = 0.0
    if m.actuator_trntype[a] == TRN_TENDON and m.actuator_trnid[a, 0] == i:
        gear = m.actuator_gear[m.actuator_outadr[a], 0]
        scale = gear * gear
    return scale


@kernel(lanes=True)
def reflected_armature(m, j: int):
    """Armature of all actuators of a joint, sum gear^2 armature.  Mirrors mj_actuatorArmature."""
    total = 0.0
    if m.jnt_actuatorid[j] != -1:
        for a in range(m.nactuator):
            total += m.actuator_armature[a] * joint_gear_squared(m, a, j)
    return total


@kernel(lanes=True)
def tendon_armature_with_actuators(m, i: int):
    """Armature of a tendon and all its actuators.  Mirrors mj_actuatorArmature."""
    total = m.tendon_armature[i]
    if m.tendon_actuatorid[i] != -1:
        for a in range(m.nactuator):
            total += m.actuator_armature[a] * tendon_gear_squared(m, a, i)
    return total


@kernel(lanes=True)
def reflected_damping(m, j: int, power: int):
    """Damping coefficient of all actuators of a joint, for a power of velocity.

    Mirrors mj_actuatorDamping.
    """
    total = 0.0
    if m.jnt_actuatorid[j] != -1:
        for a in range(m.nactuator):
            total += actuator_damping_coefficient(m, a, power) * joint_gear_squared(m, a, j)
    return total


@kernel(lanes=True)
def reflected_tendon_damping(m, i: int, power: int):
    """Damping coefficient of all actuators of a tendon, for a power of velocity.

    Mirrors mj_actuatorDamping.
    """
    total = 0.0
    if m.tendon_actuatorid[i] != -1:
        for a in range(m.nactuator):
            total += actuator_damping_coefficient(m, a, power) * tendon_gear_squared(m, a, i)
    return total


@kernel(lanes=True)
def actuator_damping_coefficient(m, a: int, power: int):
    """An actuator's damping coefficient, for a power of velocity."""
    if power == 1:
        return m.actuator_damping[a]
    return m.actuator_dampingpoly[a, power - 2]


@kernel(lanes=True)
def dof_damping_magnitude(m, i: int):
    """Nonzero if a dof or one of its actuators has damping."""
    curved = abs(m.dof_dampingpoly[i, 0]) + abs(m.dof_dampingpoly[i, 1])
    size = max(m.dof_damping[i], curved)
    if m.jnt_actuatorid[m.dof_jntid[i]] != -1:
        size = max(size, 1.0)
    return size


@kernel(lanes=True)
def dof_damping_derivative(m, d, i: int):
    """b1 + 2 b2 |v| + 3 b3 v^2 of a dof, actuators included: minus dforce/dv."""
    joint = m.dof_jntid[i]
    b1 = m.dof_damping[i] + reflected_damping(m, joint, 1)
    b2 = m.dof_dampingpoly[i, 0] + reflected_damping(m, joint, 2)
    b3 = m.dof_dampingpoly[i, 1] + reflected_damping(m, joint, 3)
    return polynomial_derivative(b1, b2, b3, abs(d.qvel[i]))


@kernel(lanes=True)
def tendon_damping_derivative(m, d, i: int):
    """b1 + 2 b2 |v| + 3 b3 v^2 of a tendon, actuators included: minus dforce/dv."""
    b1 = m.tendon_damping[i] + reflected_tendon_damping(m, i, 1)
    b2 = m.tendon_dampingpoly[i, 0] + reflected_tendon_damping(m, i, 2)
    b3 = m.tendon_dampingpoly[i, 1] + reflected_tendon_damping(m, i, 3)
    return polynomial_derivative(b1, b2, b3, abs(d.ten_velocity[i]))
