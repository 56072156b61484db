"""Inertia and damping that actuators add to the joints they act on."""

from __future__ import annotations

from cortenforge.kernel import kernel

#: last of the transmissions that act on joints
ON_JOINTS = 1


@kernel(lanes=True)
def adds_to(m, a: int, j: int):
    """Whether an actuator adds to a joint; gear squared if so, else 0."""
    scale = 0.0
    if m.actuator_trntype[a] <= ON_JOINTS and m.actuator_trnid[a, 0] == j:
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
def reflected_damping(m, j: int, power: int):
    """A coefficient of damping from all actuators of a joint.  Mirrors mj_actuatorDamping."""
    total = 0.0
    if m.jnt_actuatorid[j] != -1:
        for a in range(m.nactuator):
            scale = adds_to(m, a, j)
            if power == 1:
                total += m.actuator_damping[a] * scale
            else:
                total += m.actuator_dampingpoly[a, power - 2] * scale
    return total
