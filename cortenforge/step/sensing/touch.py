"""Touch sensors: sum of the normal forces of contacts in the volume of a site.

A contact counts if its position is in the volume, or if the ray from it along its normal meets it.
Source: MuJoCo: XML reference, sensor/touch.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, into_frame
from cortenforge.step.contact_force import force_along
from cortenforge.step.rays.shapes import hit_shape
from cortenforge.step.sensing.kinds import TOUCH
from cortenforge.step.sensing.report import report


@kernel(unit=True)
def touch_sensors(m, d):
    """Touch sensors.  Mirrors mj_sensorAcc."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == TOUCH:
            site = m.sensor_objid[i]
            body = m.site_bodyid[site]
            total = 0.0
            for c in range(d.ncon):
                first = m.geom_bodyid[d.contact_geom[c, 0]] == body
                second = m.geom_bodyid[d.contact_geom[c, 1]] == body
                if first or second:
                    force = force_along(m, d, c, 0)
                    if force > 0.0 and is_felt(m, d, site, c, second):
                        total += force
            if m.nsoft > 0:
                total += soft_touch(m, d, site, body)
            report(m, d, i, total)


@kernel
def soft_touch(m, d, site: int, body: int):
    """Sum of the normal forces of deformables' vertices in the volume of a site."""
    total = 0.0
    for k in range(d.nsoftcon):
        if m.geom_bodyid[d.softcon_geom[k]] == body:
            force = dot(d.softcon_force[k], d.softcon_normal[k])
            if force > 0.0 and is_reached(m, d, site, d.softcon_pos[k], d.softcon_normal[k]):
                total += force
    return total


@kernel
def is_felt(m, d, site: int, c: int, second: bool):
    """Whether a contact is in the volume of a site, or the volume lies along its normal.

    Soft contacts may be behind the back of a thin volume.
    """
    frame = d.contact_frame[c]
    normal = vec3(frame.xx, frame.xy, frame.xz)
    outwards = -normal if second else normal
    return is_reached(m, d, site, d.contact_pos[c], outwards)


@kernel
def is_reached(m, d, site: int, point, outwards):
    """Whether a point is in the volume of a site, or a ray from it meets the volume."""
    axes = d.site_xmat[site]
    point_local = into_frame(axes, point - d.site_xpos[site])
    direction_local = into_frame(axes, outwards)
    distance, _part = hit_shape(m.site_type[site], m.site_size[site], point_local, direction_local)
    return distance >= 0.0
