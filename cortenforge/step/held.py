"""External forces on bodies from contacts and equalities, for cfrc_ext.

cfrc_ext_b += (torque + (point - com) x force, force)
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, vec3
from cortenforge.math.rotation import conjugate
from cortenforge.math.spatial import wrench_about
from cortenforge.math.vector import into_frame, unit
from cortenforge.step.constants import EQ_CONNECT, EQ_DISTANCE, EQ_WELD
from cortenforge.step.constraint.equality import held_body, held_points, held_turn
from cortenforge.step.contact_force import push_of, twist_of


@kernel
def add_wrench(m, d, b: int, point, force, torque):
    """Add a force and torque at a point of a body to cfrc_ext; nothing for the world."""
    if b > 0:
        offset = point - d.subtree_com[m.body_rootid[b]]
        d.cfrc_ext[b] = d.cfrc_ext[b] + wrench_about(force, torque, offset)


@kernel(unit=True)
def contact_pushes(m, d):
    """Add contact forces to cfrc_ext.  Mirrors mj_rnePostConstraint."""
    for c in range(d.ncon):
        if d.contact_efc_address[c] >= 0:
            frame = d.contact_frame[c]
            force = into_frame(frame, push_of(m, d, c))
            torque = into_frame(frame, twist_of(m, d, c))
            point = d.contact_pos[c]
            add_wrench(m, d, m.geom_bodyid[d.contact_geom[c, 0]], point, -force, -torque)
            add_wrench(m, d, m.geom_bodyid[d.contact_geom[c, 1]], point, force, torque)


@kernel(unit=True)
def equality_pulls(m, d):
    """Add forces of connect, weld and distance equalities to cfrc_ext.

    Joint equalities act between a body and its parent; tendon equalities along their paths.
    Mirrors mj_rnePostConstraint.
    """
    row = 0
    while row < d.ne:
        e = d.efc_id[row]
        kind = m.eq_type[e]
        if kind == EQ_CONNECT:
            hold(m, d, e, force_in(d, row), vec3(0.0, 0.0, 0.0))
            row += 3
        elif kind == EQ_WELD:
            hold(m, d, e, force_in(d, row), weld_torque(m, d, e, force_in(d, row + 3)))
            row += 6
        else:
            if kind == EQ_DISTANCE:
                anchor1, anchor2 = held_points(m, d, e)
                push = unit(anchor1 - anchor2) * d.efc_force[row]
                hold(m, d, e, push, vec3(0.0, 0.0, 0.0))
            row += 1


@kernel
def force_in(d, row: int):
    """efc_force of three rows."""
    return vec3(d.efc_force[row], d.efc_force[row + 1], d.efc_force[row + 2])


@kernel
def hold(m, d, e: int, force, torque):
    """Add opposite wrenches on both objects of an equality, at their anchors."""
    anchor1, anchor2 = held_points(m, d, e)
    add_wrench(m, d, held_body(m, e, m.eq_obj1id[e]), anchor1, force, torque)
    add_wrench(m, d, held_body(m, e, m.eq_obj2id[e]), anchor2, -force, -torque)


@kernel
def weld_torque(m, d, e: int, force):
    """Torque of a weld on its first object, from the forces of its rotation rows.

    J' f with J = scale / 2 vec(q_2* w q_1):  torque = scale / 2 vec(q_2 (0, f) q_1*).
    """
    quat1, quat2_conj = held_turn(m, d, e)
    turned = conjugate(quat2_conj) * quat(0.0, force.x, force.y, force.z) * conjugate(quat1)
    return vec3(turned.x, turned.y, turned.z) * (0.5 * m.eq_data[e, 10])
