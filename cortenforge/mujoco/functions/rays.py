"""Rays, distances of geoms, points in sites."""

from __future__ import annotations

import numpy as np

from cortenforge.model.internals import is_in_site
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.functions.pipeline import ready
from cortenforge.mujoco.functions.sizes import check_index, check_size, give
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function
from cortenforge.quaternions import rotation_matrices

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


@function
def mj_insideSite(m: MjModel, d: MjData, siteid: int, point: Array) -> int:
    """1 if a point is inside of a site, else 0."""
    check_index("site", siteid, m.nsite)
    ready(m, d)
    if m.site_type[siteid] == ENUMS["mjtGeom"]["mjGEOM_MESH"]:
        away = d.site_xmat[siteid].reshape(3, 3).T @ (point - d.site_xpos[siteid])
        return int(_is_in_hull(m, int(m.site_dataid[siteid]), away))
    return int(is_in_site(d._native, siteid, point))


def _is_in_hull(m: MjModel, mesh: int, point: Array) -> bool:
    """Whether a point, in the frame of the file of a mesh, is behind all faces of its hull."""
    local = rotation_matrices(m.mesh_quat[mesh]).T @ (point - m.mesh_pos[mesh])
    first, count = int(m.mesh_polyadr[mesh]), int(m.mesh_polynum[mesh])
    faces = slice(first, first + count)
    corner = m.mesh_polyvert[m.mesh_polyvertadr[faces]] + m.mesh_vertadr[mesh]
    behind = ((local - m.mesh_vert[corner]) * m.mesh_polynormal[faces]).sum(axis=1)
    return count > 0 and bool(np.all(behind < 0.0))
