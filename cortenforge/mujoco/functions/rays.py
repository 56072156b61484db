"""Rays, distances of geoms, points in sites."""

from __future__ import annotations

import numpy as np

from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.functions.pipeline import ready
from cortenforge.mujoco.functions.sizes import check_index, check_size, give
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function

Array = np.ndarray


@function
def mj_ray(
    m: MjModel,
    d: MjData,
    pnt: Array,
    vec: Array,
    geomgroup: Array | None,
    flg_static: bool,
    bodyexclude: int,
    geomid: Array | None,
    normal: Array | None = None,
) -> float:
    """Distance along a ray to the nearest geom, -1 if there is none; and that geom."""
    ready(m, d)
    wants_normal = normal is not None
    hit = d._native.ray(pnt, vec, geomgroup, flg_static, bodyexclude, wants_normal)
    if geomid is not None:
        geomid[0] = hit.geomid
    give(normal, hit.normal)
    return float(hit.dist)


@function
def mj_multiRay(
    m: MjModel,
    d: MjData,
    pnt: Array,
    vec: Array,
    geomgroup: Array | None,
    flg_static: bool,
    bodyexclude: int,
    geomid: Array,
    dist: Array,
    normal: Array | None,
    nray: int,
    cutoff: float,
) -> None:
    """The same for many rays from one point."""
    if len(dist) != nray or len(geomid) != nray:
        raise TypeError("dist and geomid should be of size nray")
    check_size("vec", vec, 3 * nray, "3*nray")
    check_size("normal", normal, 3 * nray, "3*nray")
    ready(m, d)
    hits = d._native.multi_ray(
        pnt,
        vec.reshape(nray, 3),
        geomgroup,
        flg_static,
        bodyexclude,
        normal=normal is not None,
        cutoff=cutoff,
    )
    geomid[:], dist[:] = hits.geomid, hits.dist
    give(normal, hits.normal)


@function
def mj_geomDistance(
    m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, fromto: Array | None
) -> float:
    """Distance of two geoms, at most distmax, and the segment between the nearest points."""
    check_size("fromto", fromto, 6, "6")
    for geom in (geom1, geom2):
        check_index("geom", geom, m.ngeom)
    ready(m, d)
    found = d._native.geom_distance(geom1, geom2, distmax=distmax)
    give(fromto, found.points)
    return float(found.dist)
