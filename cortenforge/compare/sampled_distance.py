"""Distance or penetration depth of two convex geoms, by sampling directions.

With support heights h(u) = max over points x of u.x, the overlap along a unit vector u is
h_A(u) + h_B(-u). Its minimum over u is the penetration depth, or, if negative, minus the distance
(separating axis theorem for convex bodies). Random sampling with refinement is slow, but does not
end early as GJK or EPA may: an independent check of both engines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import GeomType

if TYPE_CHECKING:
    from cortenforge.model import Data

__all__ = ["convex_distance"]

#: initial directions, how many of the best are refined, and with how many neighbours each
INITIAL_DIRECTIONS, KEPT_DIRECTIONS, NEIGHBOURS = 4000, 24, 48
#: factor on the neighbours' radius per round, and number of rounds
RADIUS_FACTOR, ROUNDS = 0.7, 80


def convex_distance(data: Data, one: int, other: int) -> float | None:
    """Signed distance, exact to about 1e-9; None for height fields, SDFs and two planes."""
    kinds = [GeomType(int(data.model.geom_type[g])) for g in (one, other)]
    if GeomType.HFIELD in kinds or GeomType.SDF in kinds or kinds == [GeomType.PLANE] * 2:
        return None
    if GeomType.PLANE in kinds:
        plane, body = (one, other) if kinds[0] == GeomType.PLANE else (other, one)
        up = data.geom_xmat[plane].reshape(3, 3)[:, 2]
        return float(-support_heights(data, body, -up[None])[0] - up @ data.geom_xpos[plane])
    rng = np.random.default_rng(0)
    ways = _unit_rows(rng.normal(size=(INITIAL_DIRECTIONS, 3)))
    overlap = _overlap_along(data, one, other, ways)
    radius = 0.1
    for _round in range(ROUNDS):
        best = ways[np.argsort(overlap)[:KEPT_DIRECTIONS]]
        near = best[:, None] + radius * rng.normal(size=(KEPT_DIRECTIONS, NEIGHBOURS, 3))
        ways = np.concatenate((best, _unit_rows(near.reshape(-1, 3))))
        overlap = _overlap_along(data, one, other, ways)
        radius *= RADIUS_FACTOR
    return -float(overlap.min())


def _overlap_along(data: Data, one: int, other: int, ways: np.ndarray) -> np.ndarray:
    both: np.ndarray = support_heights(data, one, ways) + support_heights(data, other, -ways)
    return both


def support_heights(data: Data, geom: int, ways: np.ndarray) -> np.ndarray:
    """Support heights of a geom: max of u.x over its points x, for each direction u in `ways`."""
    model = data.model
    local, size = ways @ data.geom_xmat[geom].reshape(3, 3), model.geom_size[geom]
    kind = GeomType(int(model.geom_type[geom]))
    if kind == GeomType.SPHERE:
        far = np.full(len(ways), size[0])
    elif kind == GeomType.CAPSULE:
        far = size[0] + size[1] * np.abs(local[:, 2])
    elif kind == GeomType.ELLIPSOID:
        far = np.linalg.norm(local * size, axis=1)
    elif kind == GeomType.CYLINDER:
        far = size[0] * np.hypot(local[:, 0], local[:, 1]) + size[1] * np.abs(local[:, 2])
    elif kind == GeomType.BOX:
        far = np.abs(local) @ size
    else:
        mesh = model.geom_dataid[geom]
        start = model.mesh_vertadr[mesh]
        points = model.mesh_vert[start : start + model.mesh_vertnum[mesh]]
        far = np.max(local @ points.T, axis=1)
    found: np.ndarray = far + ways @ data.geom_xpos[geom]
    return found


def _unit_rows(vectors: np.ndarray) -> np.ndarray:
    scaled: np.ndarray = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    return scaled
