"""How equalities would move by themselves: accelerations along their rows while joints coast.

Points that are held together move on curves, so that their velocities along the rows change while
nothing accelerates. Without this, a connection that turns would be pulled off its place.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, spatial
from cortenforge.math.rotation import conjugate
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import cross, dot, norm, unit
from cortenforge.step.constants import EQ_DISTANCE, EQ_WELD
from cortenforge.step.constraint.equality import held_body, held_points, held_turn, turned_by
from cortenforge.step.push import last_dof


@kernel(unit=True)
def equality_drift(m, d):
    """Take the acceleration of coasting out of what equalities ask for.  Mirrors mj_Jdotv.

    As in MuJoCo for connections and welds, and for distances.
    """
    row = 0
    while row < d.ne:
        e = d.efc_id[row]
        kind = m.eq_type[e]
        if kind <= EQ_WELD:
            off = relative_acceleration(m, d, e)
            d.efc_aref[row] -= off.x
            d.efc_aref[row + 1] -= off.y
            d.efc_aref[row + 2] -= off.z
            row += 3
            if kind == EQ_WELD:
                turn = relative_turning(m, d, e)
                d.efc_aref[row] -= turn.x
                d.efc_aref[row + 1] -= turn.y
                d.efc_aref[row + 2] -= turn.z
                row += 3
        else:
            if kind == EQ_DISTANCE:
                d.efc_aref[row] -= distance_acceleration(m, d, e)
            row += 1


@kernel
def coasting(m, d, body: int):
    """Acceleration of a body while no joint accelerates."""
    total = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    i = last_dof(m, body)
    while i >= 0:
        total = total + d.cdof_dot[i] * d.qvel[i]
        i = m.dof_parentid[i]
    return total


@kernel
def point_velocity(m, d, body: int, point):
    """Velocity of a point of a body."""
    offset = point - d.subtree_com[m.body_rootid[body]]
    return linear(d.cvel[body]) + cross(angular(d.cvel[body]), offset)


@kernel
def point_acceleration(m, d, body: int, point):
    """Acceleration of a point of a body while no joint accelerates."""
    offset = point - d.subtree_com[m.body_rootid[body]]
    rate = coasting(m, d, body)
    turning = cross(angular(d.cvel[body]), point_velocity(m, d, body, point))
    return linear(rate) + cross(angular(rate), offset) + turning


@kernel
def relative_acceleration(m, d, e: int):
    """Acceleration of the first held point against the second."""
    first, second = held_points(m, d, e)
    one, other = held_body(m, e, m.eq_obj1id[e]), held_body(m, e, m.eq_obj2id[e])
    return point_acceleration(m, d, one, first) - point_acceleration(m, d, other, second)


@kernel
def distance_acceleration(m, d, e: int):
    """Second derivative of a distance: along the line, and by turning of the line."""
    first, second = held_points(m, d, e)
    one, other = held_body(m, e, m.eq_obj1id[e]), held_body(m, e, m.eq_obj2id[e])
    line = unit(first - second)
    moving = point_velocity(m, d, one, first) - point_velocity(m, d, other, second)
    across = moving - line * dot(line, moving)
    length = norm(first - second)
    turning = dot(across, across) / length if length > 0.0 else 0.0
    return dot(line, relative_acceleration(m, d, e)) + turning


@kernel
def spun(q, spin):
    """Rate of an orientation that turns with a velocity in world axes."""
    return quat(0.0, spin.x, spin.y, spin.z) * q * 0.5


@kernel
def relative_turning(m, d, e: int):
    """Second derivative of the rotation that a weld takes away, scaled."""
    one, other = held_body(m, e, m.eq_obj1id[e]), held_body(m, e, m.eq_obj2id[e])
    first, second = held_turn(m, d, e)
    spin, other_spin = angular(d.cvel[one]), angular(d.cvel[other])
    rate = angular(coasting(m, d, one)) - angular(coasting(m, d, other))
    back = conjugate(spun(conjugate(second), other_spin))
    total = turned_by(back, spin - other_spin, first)
    total = total + turned_by(second, rate, first)
    total = total + turned_by(second, spin - other_spin, spun(first, spin))
    return total * (0.5 * m.eq_data[e, 10])
