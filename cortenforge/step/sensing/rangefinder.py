"""Rangefinders: rays along a site's z axis, or through each pixel of a camera.

    site:    ray = column z of site_xmat
    camera:  perspective: ray = unit(xmat (x, -y, -1)), x = (column + 1/2 - centre_x) / focal_x
             orthographic: parallel to -z, from the pixel's position

Source: MuJoCo: XML reference, sensor/rangefinder; docs/rays.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import dot, unit
from cortenforge.sensors import RAY_DATA
from cortenforge.step.position.objects import SITE
from cortenforge.step.rays.cast import cast_one_ray, ray_hit_normal
from cortenforge.step.sensing.readings import append_vector_with_cutoff
from cortenforge.step.sensing.sensor_types import RANGEFINDER

#: data of a ray, as bits, in the order in which they are written
RAYDATA_DIST, RAYDATA_DIR, RAYDATA_ORIGIN, RAYDATA_POINT, RAYDATA_NORMAL, RAYDATA_DEPTH = (
    1 << bit for bit in range(len(RAY_DATA))
)

#: in radians
HALF_A_DEGREE = math.pi / 360.0


@kernel(unit=True)
def rangefinder_sensors(m, d):
    """Rangefinder sensors.  Mirrors mj_sensorPos."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == RANGEFINDER:
            if m.sensor_objtype[i] == SITE:
                range_from_site(m, d, i)
            else:
                range_from_camera(m, d, i)


@kernel
def range_from_site(m, d, i: int):
    """One ray along the z axis of a site; depth equals distance."""
    site = m.sensor_objid[i]
    axes = d.site_xmat[site]
    direction = vec3(axes.xz, axes.yz, axes.zz)
    write_ray_data(
        m, d, i, m.sensor_adr[i], d.site_xpos[site], direction, direction, m.site_bodyid[site]
    )


@kernel
def range_from_camera(m, d, i: int):
    """One ray through the centre of each pixel, row by row from the top.

    Mirrors mju_camPixelRay.
    """
    camera = m.sensor_objid[i]
    width = m.cam_resolution[camera, 0]
    height = m.cam_resolution[camera, 1]
    axes = d.cam_xmat[camera]
    forward = vec3(-axes.xz, -axes.yz, -axes.zz)
    # focal lengths in pixels; without them, square pixels and fovy
    sine, cosine = sin_cos(m.cam_fovy[camera] * HALF_A_DEGREE)
    x_focal = m.cam_focal[camera, 0]
    y_focal = m.cam_focal[camera, 1]
    if x_focal == 0.0:
        x_focal = 0.5 * cosine / sine * height
    if y_focal == 0.0:
        y_focal = 0.5 * cosine / sine * height
    at = m.sensor_adr[i]
    for row in range(height):
        for column in range(width):
            origin = d.cam_xpos[camera]
            direction = forward
            if m.cam_projection[camera] == 0:
                x = (column + 0.5 - m.cam_centre[camera, 0]) / x_focal
                y = (row + 0.5 - m.cam_centre[camera, 1]) / y_focal
                direction = unit(axes @ vec3(x, -y, -1.0))
            else:
                x = (2.0 * column + 1.0) / width - 1.0
                y = (2.0 * row + 1.0) / height - 1.0
                half = 0.5 * m.cam_fovy[camera]
                origin = origin + axes @ vec3(x * half, -y * half, 0.0)
            at = write_ray_data(m, d, i, at, origin, direction, forward, m.cam_bodyid[camera])


@kernel
def write_ray_data(m, d, i: int, at: int, origin, direction, forward, excluded: int):
    """Cast a ray and write its data from address `at` on; returns the address behind it.

    direction: of the ray. forward: of the depth axis. excluded: body whose geoms are ignored.
    Mirrors fill_raydata.
    """
    what = m.sensor_intprm[i, 0]
    nothing = vec3(0.0, 0.0, 0.0)
    distance, geom, part = cast_one_ray(m, d, origin, direction, excluded)
    hit = geom >= 0
    point = origin + direction * distance if hit else nothing
    if what & RAYDATA_DIST != 0:
        d.sensordata[at] = range_with_cutoff(m, i, distance)
        at += 1
    if what & RAYDATA_DIR != 0:
        at = append_vector_with_cutoff(m, d, i, at, direction if hit else nothing)
    if what & RAYDATA_ORIGIN != 0:
        at = append_vector_with_cutoff(m, d, i, at, origin)
    if what & RAYDATA_POINT != 0:
        at = append_vector_with_cutoff(m, d, i, at, point)
    if what & RAYDATA_NORMAL != 0:
        normal = nothing
        if hit:
            normal = ray_hit_normal(m, d, geom, part, point)
        at = append_vector_with_cutoff(m, d, i, at, normal)
    if what & RAYDATA_DEPTH != 0:
        depth = -1.0
        if hit:
            depth = distance * dot(direction, forward)
        d.sensordata[at] = range_with_cutoff(m, i, depth)
        at += 1
    return at


@kernel
def range_with_cutoff(m, i: int, distance):
    """A distance clamped to the sensor's cutoff; -1, which means no hit, stays.

    MuJoCo turns it into minus the cutoff, if that is below one.
    """
    cutoff = m.sensor_cutoff[i]
    return cutoff if cutoff > 0.0 and distance > cutoff else distance
