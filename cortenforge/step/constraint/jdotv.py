"""Velocity-dependent part of the constraint acceleration, Jdot v, for equalities.

    d^2 pos / dt^2 = J qacc + Jdot v,   so that rows ask for   J qacc = aref - Jdot v

Anchors of a connection move on curves; without this term they would drift apart as it turns.
Source: MuJoCo: Computation, "Constraint solver", "Dual problem" (the term Jdot v).
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat
from cortenforge.math.rotation import conjugate
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import dot, norm, unit
from cortenforge.step.constants import EQ_DISTANCE, EQ_WELD
from cortenforge.step.constraint.equality_rows import (
    equality_anchors,
    equality_body,
    weld_rotation_rate,
    weld_rotations,
)
from cortenforge.step.position.objects import (
    acceleration_at_point,
    body_jdotv,
    motion_at_point,
)


@kernel(unit=True)
def subtract_equality_jdotv(m, d):
    """aref -= Jdot v, for rows of connect, weld and distance.  Mirrors mj_Jdotv."""
    row = 0
    while row < d.ne:
        e = d.efc_id[row]
        kind = m.eq_type[e]
        if kind <= EQ_WELD:
            off = anchor_jdotv(m, d, e)
            d.efc_aref[row] -= off.x
            d.efc_aref[row + 1] -= off.y
            d.efc_aref[row + 2] -= off.z
            row += 3
            if kind == EQ_WELD:
                turn = weld_rotation_jdotv(m, d, e)
                d.efc_aref[row] -= turn.x
                d.efc_aref[row + 1] -= turn.y
                d.efc_aref[row + 2] -= turn.z
                row += 3
        else:
            if kind == EQ_DISTANCE:
                d.efc_aref[row] -= distance_jdotv(m, d, e)
            row += 1


@kernel
def point_velocity(m, d, body: int, point):
    """Velocity of a point that is fixed to a body, in world axes."""
    return linear(motion_at_point(m, d, body, point, d.cvel[body]))


@kernel
def point_jdotv(m, d, body: int, point):
    """Acceleration of a point that is fixed to a body when qacc = 0, in world axes."""
    return linear(acceleration_at_point(m, d, body, point, body_jdotv(m, d, body)))


@kernel
def anchor_jdotv(m, d, e: int):
    """Jdot v of a connect or weld: acceleration of the first anchor relative to the second."""
    anchor1, anchor2 = equality_anchors(m, d, e)
    one, other = equality_body(m, e, m.eq_obj1id[e]), equality_body(m, e, m.eq_obj2id[e])
    return point_jdotv(m, d, one, anchor1) - point_jdotv(m, d, other, anchor2)


@kernel
def distance_jdotv(m, d, e: int):
    """Jdot v of a distance: n (a_1 - a_2) + |v_perpendicular|^2 / length."""
    anchor1, anchor2 = equality_anchors(m, d, e)
    one, other = equality_body(m, e, m.eq_obj1id[e]), equality_body(m, e, m.eq_obj2id[e])
    line = unit(anchor1 - anchor2)
    moving = point_velocity(m, d, one, anchor1) - point_velocity(m, d, other, anchor2)
    across = moving - line * dot(line, moving)
    length = norm(anchor1 - anchor2)
    turning = dot(across, across) / length if length > 0.0 else 0.0
    return dot(line, anchor_jdotv(m, d, e)) + turning


@kernel
def quaternion_rate(q, spin):
    """Rate of a quaternion, (0, w) q / 2, for an angular velocity w in world axes."""
    return quat(0.0, spin.x, spin.y, spin.z) * q * 0.5


@kernel
def weld_rotation_jdotv(m, d, e: int):
    """Jdot v of a weld's rotation rows: d/dt of scale / 2 vec(q_2* (w_1 - w_2) q_1), qacc = 0."""
    one, other = equality_body(m, e, m.eq_obj1id[e]), equality_body(m, e, m.eq_obj2id[e])
    quat1, quat2_conj = weld_rotations(m, d, e)
    spin, other_spin = angular(d.cvel[one]), angular(d.cvel[other])
    rate = angular(body_jdotv(m, d, one)) - angular(body_jdotv(m, d, other))
    back = conjugate(quaternion_rate(conjugate(quat2_conj), other_spin))
    total = weld_rotation_rate(back, spin - other_spin, quat1)
    total = total + weld_rotation_rate(quat2_conj, rate, quat1)
    total = total + weld_rotation_rate(quat2_conj, spin - other_spin, quaternion_rate(quat1, spin))
    return total * (0.5 * m.eq_data[e, 10])
