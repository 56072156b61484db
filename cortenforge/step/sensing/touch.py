"""Touch sensors: sum of the normal forces of contacts in the volume of a site.

A contact counts if its position is in the volume, or if the ray from it along its normal meets it.
Source: MuJoCo: XML reference, sensor/touch.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.vector import dot, into_frame
from cortenforge.step.body_forces.contact_force import contact_force_component
from cortenforge.step.rays.primitives import hit_primitive
from cortenforge.step.sensing.readings import write_reading
from cortenforge.step.sensing.sensor_types import TOUCH


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
                    force = contact_force_component(m, d, c, 0)
                    if force > 0.0 and contact_reaches_zone(m, d, site, c, second):
                        total += force
            if m.nsoft > 0:
                total += soft_touch_force(m, d, site, body)
            write_reading(m, d, i, total)


@kernel
def soft_touch_force(m, d, site: int, body: int):
    """Sum of the normal forces of deformables' vertices in the volume of a site."""
    total = 0.0
    for k in range(d.nsoftcon):
        if m.geom_bodyid[d.softcon_geom[k]] == body:
            force = dot(d.softcon_force[k], d.softcon_normal[k])
            if force > 0.0 and ray_meets_zone(m, d, site, d.softcon_pos[k], d.softcon_normal[k]):
                total += force
    return total


@kernel
def contact_reaches_zone(m, d, site: int, c: int, second: bool):
    """Whether a contact is in the volume of a site, or the volume lies along its normal.

    Soft contacts may be behind the back of a thin volume.
    """
    frame = d.contact_frame[c]
    normal = vec3(frame.xx, frame.xy, frame.xz)
    outwards = -normal if second else normal
    return ray_meets_zone(m, d, site, d.contact_pos[c], outwards)


@kernel
def ray_meets_zone(m, d, site: int, point, outwards):
    """Whether a point is in the volume of a site, or a ray from it meets the volume."""
    axes = d.site_xmat[site]
    point_local = into_frame(axes, point - d.site_xpos[site])
    direction_local = into_frame(axes, outwards)
    distance, _part = hit_primitive(
        m.site_type[site], m.site_size[site], point_local, direction_local
    )
    return distance >= 0.0
