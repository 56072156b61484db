"""Inside-site sensors: whether an object's centre is in the volume of a site.

Source: MuJoCo: XML reference, sensor/insidesite.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, select, zero_like
from cortenforge.math.rotation import conjugate, rotate
from cortenforge.math.vector import MINVAL, dot, into_frame
from cortenforge.step.constants import CAPSULE, CYLINDER, ELLIPSOID, MESH, SPHERE
from cortenforge.step.position.objects import BODY, object_position
from cortenforge.step.sensing.readings import write_reading
from cortenforge.step.sensing.sensor_types import INSIDESITE
from cortenforge.step.statuses import MAXVAL


@kernel(lanes=True, unit=True)
def inside_site_sensors(m, d):
    """1 if the centre of a sensor's object is inside of its site, else 0.  Mirrors mj_sensorPos."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == INSIDESITE:
            site = m.sensor_refid[i]
            away = object_centre_of_mass(m, d, i) - d.site_xpos[site]
            inside = is_inside_site(m, site, into_frame(d.site_xmat[site], away))
            write_reading(m, d, i, select(inside, 1.0, 0.0))


@kernel(lanes=True)
def object_centre_of_mass(m, d, i: int):
    """Position of a sensor's object; of a massless body, the com of its subtree."""
    number = m.sensor_objid[i]
    centre = object_position(d, m.sensor_objtype[i], number)
    if m.sensor_objtype[i] == BODY and number > 0:
        massless = m.body_mass[number] < MINVAL and m.body_subtreemass[number] >= MINVAL
        centre = select(massless, d.subtree_com[number], centre)
    return centre


@kernel(lanes=True)
def is_inside_site(m, site: int, p):
    """Whether a point, in the site's axes, is inside of the site.  Mirrors mju_insideGeom."""
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
    if kind == MESH:
        return hull_plane_distance(m, m.site_dataid[site], p) < 0.0
    return abs(p.x) < size.x and abs(p.y) < size.y and abs(p.z) < size.z


@kernel(lanes=True)
def hull_plane_distance(m, mesh: int, p):
    """Largest signed distance of a point from the face planes of a convex hull; negative inside.

    p is in the frame of the mesh file, in which sites have their meshes.
    """
    local = rotate(conjugate(m.mesh_quat[mesh]), p - m.mesh_pos[mesh])
    first = m.mesh_polyadr[mesh]
    # a mesh without faces has no inside
    none = m.mesh_polynum[mesh] == 0
    most = zero_like(local.x) + (MAXVAL if none else -MAXVAL)
    for k in range(first, first + m.mesh_polynum[mesh]):
        most = max(most, dot(m.mesh_polynormal[k], local) - m.mesh_polydist[k])
    return most
