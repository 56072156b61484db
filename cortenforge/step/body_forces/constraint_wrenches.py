"""External forces on bodies from contacts and equalities, added to cfrc_ext.

    contact    force F' f and torque F' t at the contact's position, F: its frame by rows
    connect    f at both anchors, opposite on the second body
    weld       the same, and the torque scale / 2 vec(q_2 (0, f_rot) q_1*)
    distance   f (p_1 - p_2) / |p_1 - p_2| at both anchors

Source: MuJoCo: Computation, "Constraint model"; API reference, mjData, "cfrc_ext".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, vec3
from cortenforge.math.rotation import conjugate
from cortenforge.math.vector import into_frame, unit
from cortenforge.step.body_forces.contact_force import contact_linear_force, contact_torque
from cortenforge.step.body_forces.external_wrench import add_external_wrench
from cortenforge.step.constants import EQ_CONNECT, EQ_DISTANCE, EQ_WELD
from cortenforge.step.constraint.equality_rows import (
    equality_anchors,
    equality_body,
    weld_rotations,
)


@kernel(unit=True)
def add_contact_wrenches(m, d):
    """Add contact forces to cfrc_ext.  Mirrors mj_rnePostConstraint."""
    for c in range(d.ncon):
        if d.contact_efc_address[c] >= 0:
            frame = d.contact_frame[c]
            force = into_frame(frame, contact_linear_force(m, d, c))
            torque = into_frame(frame, contact_torque(m, d, c))
            point = d.contact_pos[c]
            one, other = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
            add_external_wrench(m, d, one, point, -force, -torque, True)
            add_external_wrench(m, d, other, point, force, torque, True)


@kernel(unit=True)
def add_equality_wrenches(m, d):
    """Add forces of connect, weld and distance equalities to cfrc_ext.

    Joint equalities act between a body and its parent; tendon equalities along their paths.
    Mirrors mj_rnePostConstraint.
    """
    row = 0
    while row < d.ne:
        e = d.efc_id[row]
        kind = m.eq_type[e]
        if kind == EQ_CONNECT:
            add_equality_wrench_pair(m, d, e, three_row_forces(d, row), vec3(0.0, 0.0, 0.0))
            row += 3
        elif kind == EQ_WELD:
            add_equality_wrench_pair(
                m,
                d,
                e,
                three_row_forces(d, row),
                weld_torque(m, d, e, three_row_forces(d, row + 3)),
            )
            row += 6
        else:
            if kind == EQ_DISTANCE:
                anchor1, anchor2 = equality_anchors(m, d, e)
                push = unit(anchor1 - anchor2) * d.efc_force[row]
                add_equality_wrench_pair(m, d, e, push, vec3(0.0, 0.0, 0.0))
            row += 1


@kernel
def three_row_forces(d, row: int):
    """efc_force of three rows."""
    return vec3(d.efc_force[row], d.efc_force[row + 1], d.efc_force[row + 2])


@kernel
def add_equality_wrench_pair(m, d, e: int, force, torque):
    """Add opposite wrenches on both objects of an equality, at their anchors."""
    anchor1, anchor2 = equality_anchors(m, d, e)
    one, other = equality_body(m, e, m.eq_obj1id[e]), equality_body(m, e, m.eq_obj2id[e])
    add_external_wrench(m, d, one, anchor1, force, torque, True)
    add_external_wrench(m, d, other, anchor2, -force, -torque, True)


@kernel
def weld_torque(m, d, e: int, force):
    """Torque of a weld on its first object, from the forces of its rotation rows.

    J' f with J = scale / 2 vec(q_2* w q_1):  torque = scale / 2 vec(q_2 (0, f) q_1*).
    """
    quat1, quat2_conj = weld_rotations(m, d, e)
    turned = conjugate(quat2_conj) * quat(0.0, force.x, force.y, force.z) * conjugate(quat1)
    return vec3(turned.x, turned.y, turned.z) * (0.5 * m.eq_data[e, 10])
