"""Whether points are inside of sites."""

from __future__ import annotations

from cortenforge.kernel import kernel, select
from cortenforge.math.vector import MINVAL, dot, into_frame
from cortenforge.step.sensing.kinds import (
    BODY,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    INSIDESITE,
    SPHERE,
)
from cortenforge.step.sensing.objects import place_of
from cortenforge.step.sensing.report import report


@kernel(lanes=True, unit=True)
def inside_sensors(m, d):
    """Which objects have their origin inside of a site.  Mirrors mj_sensorPos."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == INSIDESITE:
            site = m.sensor_refid[i]
            away = object_centre(m, d, i) - d.site_xpos[site]
            inside = is_inside(m, site, into_frame(d.site_xmat[site], away))
            report(m, d, i, select(inside, 1.0, 0.0))


@kernel(lanes=True)
def object_centre(m, d, i: int):
    """Where the object of a sensor is; a body without mass is where what it carries is."""
    number = m.sensor_objid[i]
    centre = place_of(d, m.sensor_objtype[i], number)
    if m.sensor_objtype[i] == BODY and number > 0:
        hollow = m.body_mass[number] < MINVAL and m.body_subtreemass[number] >= MINVAL
        centre = select(hollow, d.subtree_com[number], centre)
    return centre


@kernel(lanes=True)
def is_inside(m, site: int, p):
    """Whether a point, in the axes of a site, is inside of it.  Mirrors mju_insideGeom."""
    size = m.site_size[site]
    kind = m.site_type[site]
    if kind == SPHERE:
        return dot(p, p) < size.x * size.x
    if kind == CAPSULE:
        beyond = max(abs(p.z) - size.y, 0.0)
        return p.x * p.x + p.y * p.y + beyond * beyond < size.x * size.x
    if kind == ELLIPSOID:
        x, y, z = p.x / size.x, p.y / size.y, p.z / size.z
        return x * x + y * y + z * z < 1.0
    if kind == CYLINDER:
        return abs(p.z) < size.y and p.x * p.x + p.y * p.y < size.x * size.x
    return abs(p.x) < size.x and abs(p.y) < size.y and abs(p.z) < size.z
