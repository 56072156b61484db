"""What contacts and equalities do to bodies."""

from __future__ import annotations

from cortenforge.kernel import kernel, quat, vec3
from cortenforge.math.rotation import conjugate
from cortenforge.math.spatial import wrench_about
from cortenforge.math.vector import into_frame
from cortenforge.step.constants import EQ_CONNECT, EQ_WELD, ON_BODIES
from cortenforge.step.contact_force import push_of, twist_of


@kernel
def add_wrench(m, d, b: int, point, force, torque):
    """Add a force and torque on a body at a point; the world does not care."""
    if b > 0:
        offset = point - d.subtree_com[m.body_rootid[b]]
        d.cfrc_ext[b] = d.cfrc_ext[b] + wrench_about(force, torque, offset)


@kernel(unit=True)
def contact_pushes(m, d):
    """Add what contacts do to bodies.  Mirrors mj_rnePostConstraint."""
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
    """Add what connects and welds do to bodies.  Mirrors mj_rnePostConstraint."""
    row = 0
    while row < d.ne:
        e = d.efc_id[row]
        kind = m.eq_type[e]
        if kind == EQ_CONNECT:
            hold(m, d, e, row, vec3(0.0, 0.0, 0.0))
            row += 3
        elif kind == EQ_WELD:
            hold(m, d, e, row, weld_torque(m, d, e, row + 3))
            row += 6
        else:
            row += 1


@kernel
def hold(m, d, e: int, row: int, torque):
    """Pull the two objects of an equality at their points."""
    force = vec3(d.efc_force[row], d.efc_force[row + 1], d.efc_force[row + 2])
    one, other = m.eq_obj1id[e], m.eq_obj2id[e]
    if m.eq_objtype[e] == ON_BODIES:
        # the place on the first body, then that on the second: a weld has them the other way round
        near, far = 0, 3
        if m.eq_type[e] == EQ_WELD:
            near, far = 3, 0
        add_wrench(m, d, one, on_body(m, d, e, one, near), force, torque)
        add_wrench(m, d, other, on_body(m, d, e, other, far), -force, -torque)
    else:
        add_wrench(m, d, m.site_bodyid[one], d.site_xpos[one], force, torque)
        add_wrench(m, d, m.site_bodyid[other], d.site_xpos[other], -force, -torque)


@kernel
def on_body(m, d, e: int, b: int, at: int):
    """A place on a body, of which the numbers of an equality say where it is."""
    local = vec3(m.eq_data[e, at], m.eq_data[e, at + 1], m.eq_data[e, at + 2])
    return d.xpos[b] + d.xmat[b] @ local


@kernel
def weld_torque(m, d, e: int, row: int):
    """Torque of a weld on its first object: its rows measure half of a quaternion's error."""
    one, other = m.eq_obj1id[e], m.eq_obj2id[e]
    first = d.site_xquat[one] if m.eq_objtype[e] != ON_BODIES else welded(m, d, e, one)
    second = d.site_xquat[other] if m.eq_objtype[e] != ON_BODIES else d.xquat[other]
    pull = quat(0.0, d.efc_force[row], d.efc_force[row + 1], d.efc_force[row + 2])
    turned = second * pull * conjugate(first)
    return vec3(turned.x, turned.y, turned.z) * (0.5 * m.eq_data[e, 10])


@kernel
def welded(m, d, e: int, b: int):
    """How the second body of a weld would be turned if it held."""
    relative = quat(m.eq_data[e, 6], m.eq_data[e, 7], m.eq_data[e, 8], m.eq_data[e, 9])
    return d.xquat[b] * relative
