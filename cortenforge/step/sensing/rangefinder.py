"""Rangefinders: what is in front of a site, or of each pixel of a camera."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, vec3
from cortenforge.math.trig import sin_cos
from cortenforge.math.vector import dot, unit
from cortenforge.step.rays.cast import cast, normal_at
from cortenforge.step.sensing.kinds import RANGEFINDER, SITE
from cortenforge.step.sensing.report import cut_off

#: what is reported of a ray, as bits, in the order in which it is
DIST = 1
DIR = 2
ORIGIN = 4
POINT = 8
NORMAL = 16
DEPTH = 32

#: in radians
HALF_A_DEGREE = math.pi / 360.0


@kernel(unit=True)
def range_sensors(m, d):
    """What rays of rangefinders meet.  Mirrors mj_sensorPos."""
    for i in range(m.nsensor):
        if m.sensor_type[i] == RANGEFINDER:
            if m.sensor_objtype[i] == SITE:
                from_site(m, d, i)
            else:
                from_camera(m, d, i)


@kernel
def from_site(m, d, i: int):
    """One ray, along the z axis of a site; how deep something is, is how far it is."""
    site = m.sensor_objid[i]
    axes = d.site_xmat[site]
    along = vec3(axes.xz, axes.yz, axes.zz)
    look(m, d, i, m.sensor_adr[i], d.site_xpos[site], along, along, m.site_bodyid[site])


@kernel
def from_camera(m, d, i: int):
    """A ray for the centre of each pixel, row by row from the top.  Mirrors mju_camPixelRay."""
    camera = m.sensor_objid[i]
    width = m.cam_resolution[camera, 0]
    height = m.cam_resolution[camera, 1]
    axes = d.cam_xmat[camera]
    ahead = vec3(-axes.xz, -axes.yz, -axes.zz)
    # focal lengths in pixels; without a lens, pixels are square and the field of view decides
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
            along = ahead
            if m.cam_projection[camera] == 0:
                x = (column + 0.5 - m.cam_centre[camera, 0]) / x_focal
                y = (row + 0.5 - m.cam_centre[camera, 1]) / y_focal
                along = unit(axes @ vec3(x, -y, -1.0))
            else:
                x = (2.0 * column + 1.0) / width - 1.0
                y = (2.0 * row + 1.0) / height - 1.0
                half = 0.5 * m.cam_fovy[camera]
                origin = origin + axes @ vec3(x * half, -y * half, 0.0)
            at = look(m, d, i, at, origin, along, ahead, m.cam_bodyid[camera])


@kernel
def look(m, d, i: int, at: int, origin, along, ahead, excluded: int):
    """Report on one ray, from a place in the readings on; the place behind it.

    Mirrors fill_raydata.
    """
    what = m.sensor_intprm[i, 0]
    nothing = vec3(0.0, 0.0, 0.0)
    far, geom, part = cast(m, d, origin, along, excluded)
    met = geom >= 0
    point = origin + along * far if met else nothing
    if what & DIST != 0:
        d.sensordata[at] = within_range(m, i, far)
        at += 1
    if what & DIR != 0:
        at = put(m, d, i, at, along if met else nothing)
    if what & ORIGIN != 0:
        at = put(m, d, i, at, origin)
    if what & POINT != 0:
        at = put(m, d, i, at, point)
    if what & NORMAL != 0:
        normal = nothing
        if met:
            normal = normal_at(m, d, geom, part, point)
        at = put(m, d, i, at, normal)
    if what & DEPTH != 0:
        depth = -1.0
        if met:
            depth = far * dot(along, ahead)
        d.sensordata[at] = within_range(m, i, depth)
        at += 1
    return at


@kernel
def within_range(m, i: int, far):
    """A distance as far as the sensor goes; -1, which says "nothing", stays.

    MuJoCo makes minus the cutoff of it, if that is below one.
    """
    most = m.sensor_cutoff[i]
    return most if most > 0.0 and far > most else far


@kernel
def put(m, d, i: int, at: int, v):
    """Write three numbers among the readings; the place behind them."""
    d.sensordata[at] = cut_off(m, i, v.x)
    d.sensordata[at + 1] = cut_off(m, i, v.y)
    d.sensordata[at + 2] = cut_off(m, i, v.z)
    return at + 3
