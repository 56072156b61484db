"""External forces on bodies from spatial tendons, for cfrc_ext.

    tension = spring + damper + gear * actuator force + rows - armature (J qacc + Jdot qvel)

Each straight segment of a path pushes its ends apart with the tension, divided by its pulley's.

Source: MuJoCo: API reference, mjData, "cfrc_ext"; XML reference, tendon/spatial.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.vector import MINVAL, norm, unit
from cortenforge.step.armature_and_damping import tendon_armature_with_actuators
from cortenforge.step.body_forces.external_wrench import add_external_wrench
from cortenforge.step.constants import (
    EQ_TENDON,
    EQUALITY,
    FRICTION_TENDON,
    LIMIT_TENDON,
    SPATIAL,
    TRN_TENDON,
)
from cortenforge.step.constraint.equality_rows import equality_polynomial
from cortenforge.step.constraint.limit_rows import tendon_limit_force
from cortenforge.step.position.tendons import branch_divisor
from cortenforge.step.velocity.tendons import tendon_jdot_qvel


@kernel(lanes=True, unit=True)
def add_tendon_wrenches(m, d):
    """Add forces of spatial tendons to cfrc_ext.  Mirrors mj_rnePostConstraint."""
    tendon_tensions(m, d)
    for i in range(m.ntendon):
        if m.tendon_type[i] == SPATIAL:
            add_path_wrenches(m, d, i)


@kernel(lanes=True)
def tendon_tensions(m, d):
    """ten_tension: spring, damper, actuators and constraints, minus armature times acceleration.

    Positive if it pushes the tendon's ends apart.
    """
    for i in range(m.ntendon):
        d.ten_tension[i] = d.ten_passive[i]
        if m.tendon_type[i] == SPATIAL:
            armature = tendon_armature_with_actuators(m, i)
            has_armature = armature != 0.0
            if any_lane(has_armature):
                taken = armature * tendon_acceleration(m, d, i)
                d.ten_tension[i] = select(has_armature, d.ten_tension[i] - taken, d.ten_tension[i])
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == TRN_TENDON:
            out = m.actuator_outadr[a]
            force = m.actuator_gear[out, 0] * d.actuator_force[out]
            d.ten_tension[m.actuator_trnid[a, 0]] += force
    if m.constraining != 0:
        add_constraint_tensions(m, d)


@kernel(unit=True)
def add_constraint_tensions(m, d):
    """Add forces of equality, friction loss and limit rows to ten_tension."""
    for row in range(d.nefc):
        kind = d.efc_type[row]
        i = d.efc_id[row]
        force = d.efc_force[row]
        if kind == EQUALITY and m.eq_type[i] == EQ_TENDON:
            d.ten_tension[m.eq_obj1id[i]] += force
            other = m.eq_obj2id[i]
            if other >= 0:
                _value, slope = equality_polynomial(
                    m, i, d.ten_length[other] - m.tendon_length0[other]
                )
                d.ten_tension[other] -= force * slope
        elif kind == FRICTION_TENDON:
            d.ten_tension[i] += force
        elif kind == LIMIT_TENDON:
            d.ten_tension[i] += tendon_limit_force(m, d, row)


@kernel(lanes=True)
def tendon_acceleration(m, d, i: int):
    """Second time derivative of a tendon's length, J qacc + Jdot qvel."""
    rate = tendon_jdot_qvel(m, d, i)
    start = m.ten_J_rowadr[i]
    for at in range(start, start + m.ten_J_rownnz[i]):
        rate += d.ten_J[at] * d.qacc[m.ten_J_colind[at]]
    return rate


@kernel(lanes=True)
def add_path_wrenches(m, d, i: int):
    """Add the forces of a tendon along its path, segment by segment."""
    first = m.tenseg_adr[i]
    for s in range(first, first + m.tenseg_num[i]):
        if m.tenseg_bodyid[s, 0] != m.tenseg_bodyid[s, 1]:
            tension = d.ten_tension[i] / branch_divisor(m, s)
            add_segment_wrenches(m, d, s, select(d.tenseg_share[s] != 0.0, tension, 0.0))


@kernel(lanes=True)
def add_segment_wrenches(m, d, s: int, tension):
    """Add opposite forces on the bodies of a segment along it, each away from the other.

    None if it has no length; none on the world.
    """
    active = tension != 0.0
    if any_lane(active):
        start, end = d.tenseg_start[s], d.tenseg_end[s]
        push = unit(end - start) * tension
        active = active and not norm(end - start) < MINVAL
        none = vec3(0.0, 0.0, 0.0)
        add_external_wrench(m, d, m.tenseg_bodyid[s, 0], start, -push, none, active)
        add_external_wrench(m, d, m.tenseg_bodyid[s, 1], end, push, none, active)
