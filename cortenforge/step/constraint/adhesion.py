"""Adhesion: contacts that attract, and actuators that attract a body to all that it touches.

    qfrc -= adhesion J_n',   J_n: Jacobian of the normal distance of two bodies
    moment of an adhesion actuator = -mean of J_n over the body's contacts

Source: MuJoCo: Computation, "Constraint solver", "Parameters", "Adhesion".
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import spatial_dot
from cortenforge.step.apply_force import last_dof_of_body, wrench_on_body
from cortenforge.step.constants import TRN_BODY
from cortenforge.step.status import is_ok

#: largest contact_exclude that an adhesion actuator acts through: contacts in the gap
EXCLUDED_IN_GAP = 1


@kernel(unit=True)
def set_adhesion_moments(m, d):
    """Moment arms of adhesion actuators: minus the mean normal Jacobian of a body's contacts.

    Mirrors mj_transmission, which adds up constraint rows instead.
    """
    # a world that asks for room for its contacts has no contacts yet
    if is_ok(d):
        for a in range(m.nactuator):
            if m.actuator_trntype[a] == TRN_BODY:
                set_body_adhesion_moment(
                    m, d, m.actuator_trnid[a, 0], m.moment_rowadr[m.actuator_outadr[a]]
                )


@kernel
def set_body_adhesion_moment(m, d, body: int, start: int):
    """Moment arms of one body's adhesion, one entry a dof, from `start` in actuator_moment."""
    count = 0.0
    for c in range(d.ncon):
        one, other = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
        if (one == body or other == body) and d.contact_exclude[c] <= EXCLUDED_IN_GAP:
            count += 1.0
            add_normal_force(m, d, d.actuator_moment, start, c, 1.0)
    if count > 0.0:
        for i in range(start, start + m.nv):
            d.actuator_moment[i] = d.actuator_moment[i] * (-1.0 / count)


@kernel
def add_adhesion_force(m, d, c: int):
    """Add a contact's adhesion to qfrc_adhesion and qfrc_passive.  Mirrors mj_passive."""
    add_normal_force(m, d, d.qfrc_adhesion, 0, c, -d.contact_adhesion[c])
    add_normal_force(m, d, d.qfrc_passive, 0, c, -d.contact_adhesion[c])


@kernel
def add_normal_force(m, d, qfrc, start: int, c: int, size):
    """qfrc += size J_n', with J_n the Jacobian of a contact's normal distance."""
    one, other = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
    frame, pos = d.contact_frame[c], d.contact_pos[c]
    normal, none = vec3(frame.xx, frame.xy, frame.xz), vec3(0.0, 0.0, 0.0)
    on_one = wrench_on_body(m, d, one, pos, normal, none)
    on_other = wrench_on_body(m, d, other, pos, normal, none)
    i, j = last_dof_of_body(m, one), last_dof_of_body(m, other)
    # dofs that move both bodies do not move them apart
    while i != j:
        if i > j:
            qfrc[start + i] -= size * spatial_dot(d.cdof[i], on_one)
            i = m.dof_parentid[i]
        else:
            qfrc[start + j] += size * spatial_dot(d.cdof[j], on_other)
            j = m.dof_parentid[j]
