"""Contact sensors: matching contacts, their reduction, and the data written of them.

Data are bits of intprm[0] (found, force, torque, dist, pos, normal, tangent, velocities); the
reduction is intprm[1] (none, smallest distance, largest force, net force).
Source: MuJoCo: XML reference, sensor/contact.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.spatial import angular, linear
from cortenforge.math.vector import MINVAL, cross, dot, into_frame, norm
from cortenforge.sensors import CONTACT_DATA, REDUCTIONS
from cortenforge.step.body_forces.contact_force import contact_linear_force, contact_torque
from cortenforge.step.position.objects import ANYTHING, BODY, GEOM, SITE, XBODY, motion_at_point
from cortenforge.step.sensing.inside_site import is_inside_site
from cortenforge.step.sensing.readings import append_vector
from cortenforge.step.sensing.sensor_types import CONTACT

#: data of a contact, as bits, in the order in which they are written
(
    CONDATA_FOUND,
    CONDATA_FORCE,
    CONDATA_TORQUE,
    CONDATA_DIST,
    CONDATA_POS,
    CONDATA_NORMAL,
    CONDATA_TANGENT,
    CONDATA_LINVEL,
    CONDATA_ANGVEL,
) = (1 << bit for bit in range(len(CONTACT_DATA)))
#: reductions: which contacts are written
_, REDUCE_MINDIST, REDUCE_MAXFORCE, REDUCE_NETFORCE = range(len(REDUCTIONS))


@kernel(unit=True)
def contact_sensors(m, d, stage: int):
    """Contact sensors of a stage.  Mirrors mj_sensorPos, mj_sensorVel and mj_sensorAcc."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == CONTACT and m.sensor_needstage[i] == stage:
            at = m.sensor_adr[i]
            for k in range(at, at + m.sensor_dim[i]):
                d.sensordata[k] = 0.0
            found = match_contacts(m, d, i)
            if m.sensor_intprm[i, 1] != REDUCE_NETFORCE:
                write_selected_contacts(m, d, i, found)
            elif found > 0:
                write_net_contact(m, d, i, found)


@kernel
def match_contacts(m, d, i: int):
    """contact_match of each contact: 1, -1 if its geoms are in reverse order, else 0; how many.

    Mirrors matchContact.
    """
    count = 0
    for c in range(d.ncon):
        d.contact_match[c] = contact_match_sign(m, d, i, c)
        if d.contact_match[c] != 0:
            count += 1
    return count


@kernel
def contact_match_sign(m, d, i: int, c: int):
    """1 if a contact is between a sensor's two objects, -1 if in reverse order, else 0."""
    objtype, reftype = m.sensor_objtype[i], m.sensor_reftype[i]
    if objtype == SITE:
        site = m.sensor_objid[i]
        away = d.contact_pos[c] - d.site_xpos[site]
        if not is_inside_site(m, site, into_frame(d.site_xmat[site], away)):
            return 0
    first, second = d.contact_geom[c, 0], d.contact_geom[c, 1]
    straight = geom_matches(m, first, objtype, m.sensor_objid[i]) and geom_matches(
        m, second, reftype, m.sensor_refid[i]
    )
    reverse = geom_matches(m, second, objtype, m.sensor_objid[i]) and geom_matches(
        m, first, reftype, m.sensor_refid[i]
    )
    if straight:
        return 1
    return -1 if reverse else 0


@kernel
def geom_matches(m, g: int, kind: int, number: int):
    """Whether a geom is a sensor's object or belongs to it.  Mirrors checkMatch."""
    if kind == GEOM:
        return g == number
    b = m.geom_bodyid[g]
    if kind == BODY:
        return b == number
    if kind == XBODY:
        while b > number:
            b = m.body_parentid[b]
        return b == number
    # the volume of a site is checked by the caller
    return kind == ANYTHING if kind != SITE else True


@kernel
def write_selected_contacts(m, d, i: int, found: int):
    """Fill a sensor's slots with matching contacts, in the order of its reduction."""
    width = contact_data_width(m.sensor_intprm[i, 0])
    at = m.sensor_adr[i]
    last = at + m.sensor_dim[i]
    while at + width <= last and width > 0:
        c = select_contact(m, d, m.sensor_intprm[i, 1])
        if c < 0:
            break
        at = write_contact_data(m, d, m.sensor_intprm[i, 0], at, c, found)
        # each contact is written once
        d.contact_match[c] = 0


@kernel
def select_contact(m, d, order: int):
    """The next matching contact by smallest distance or largest force; -1 if none is left."""
    chosen = -1
    smallest = 0.0
    for c in range(d.ncon):
        if d.contact_match[c] != 0:
            key = 0.0
            if order == REDUCE_MINDIST:
                key = d.contact_dist[c]
            elif order == REDUCE_MAXFORCE:
                push = contact_linear_force(m, d, c)
                key = -dot(push, push)
            if chosen < 0 or key < smallest:
                chosen = c
                smallest = key
    return chosen


@kernel
def contact_data_width(what: int):
    """Number of values per contact."""
    width = 0
    for k in range(9):
        if (what >> k) & 1 == 1:
            # found and dist are scalars
            width += 1 if k == 0 or k == 3 else 3
    return width


@kernel
def write_contact_data(m, d, what: int, at: int, c: int, found: int):
    """Write the data of a contact; returns the address behind it.  Mirrors copySensorData.

    In reverse order, the contact frame is rotated by 180 degrees about its second tangent.
    """
    sign = -1.0 if d.contact_match[c] < 0 else 1.0
    frame = d.contact_frame[c]
    if what & CONDATA_FOUND != 0:
        d.sensordata[at] = found
        at += 1
    if what & CONDATA_FORCE != 0:
        at = append_vector(d, at, seen_from_side(contact_linear_force(m, d, c), sign))
    if what & CONDATA_TORQUE != 0:
        at = append_vector(d, at, seen_from_side(contact_torque(m, d, c), sign))
    if what & CONDATA_DIST != 0:
        d.sensordata[at] = d.contact_dist[c]
        at += 1
    if what & CONDATA_POS != 0:
        at = append_vector(d, at, d.contact_pos[c])
    if what & CONDATA_NORMAL != 0:
        at = append_vector(d, at, vec3(frame.xx, frame.xy, frame.xz) * sign)
    if what & CONDATA_TANGENT != 0:
        at = append_vector(d, at, vec3(frame.yx, frame.yy, frame.yz) * sign)
    if what & (CONDATA_LINVEL | CONDATA_ANGVEL) != 0:
        relative = contact_relative_velocity(m, d, c)
        if what & CONDATA_LINVEL != 0:
            at = append_vector(d, at, seen_from_side(frame @ linear(relative), sign))
        if what & CONDATA_ANGVEL != 0:
            at = append_vector(d, at, seen_from_side(frame @ angular(relative), sign))
    return at


@kernel
def seen_from_side(v, sign):
    """A vector in the contact frame, as seen from the side of the sensor's first object."""
    return vec3(v.x, v.y, v.z * sign)


@kernel
def contact_relative_velocity(m, d, c: int):
    """Velocity of the second body relative to the first at the contact, in world axes."""
    point = d.contact_pos[c]
    one, other = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
    return motion_at_point(m, d, other, point, d.cvel[other]) - motion_at_point(
        m, d, one, point, d.cvel[one]
    )


@kernel
def write_net_contact(m, d, i: int, found: int):
    """Net force of all matching contacts, in world axes, at their force-weighted centre."""
    centre = vec3(0.0, 0.0, 0.0)
    weight = 0.0
    for c in range(d.ncon):
        if d.contact_match[c] != 0:
            size = norm(contact_linear_force(m, d, c))
            centre = centre + d.contact_pos[c] * size
            weight += size
    centre = centre * (1.0 / max(weight, MINVAL))
    force = vec3(0.0, 0.0, 0.0)
    torque = vec3(0.0, 0.0, 0.0)
    for c in range(d.ncon):
        if d.contact_match[c] != 0:
            sign = -1.0 if d.contact_match[c] < 0 else 1.0
            push = into_frame(d.contact_frame[c], contact_linear_force(m, d, c)) * sign
            twist = into_frame(d.contact_frame[c], contact_torque(m, d, c)) * sign
            force = force + push
            torque = torque + twist + cross(d.contact_pos[c] - centre, push)
    write_synthetic_contact(m, d, i, found, centre, force, torque)


@kernel
def write_synthetic_contact(m, d, i: int, found: int, centre, force, torque):
    """Write the contact that stands for several; its frame is that of the world."""
    what = m.sensor_intprm[i, 0]
    at = m.sensor_adr[i]
    if what & CONDATA_FOUND != 0:
        d.sensordata[at] = found
        at += 1
    if what & CONDATA_FORCE != 0:
        at = append_vector(d, at, force)
    if what & CONDATA_TORQUE != 0:
        at = append_vector(d, at, torque)
    if what & CONDATA_DIST != 0:
        at += 1
    if what & CONDATA_POS != 0:
        at = append_vector(d, at, centre)
    if what & CONDATA_NORMAL != 0:
        at = append_vector(d, at, vec3(1.0, 0.0, 0.0))
    if what & CONDATA_TANGENT != 0:
        append_vector(d, at, vec3(0.0, 1.0, 0.0))
