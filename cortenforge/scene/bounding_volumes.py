"""Bounding volumes: nodes of the BVH of bodies and of meshes, and cells of octrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.errors import ArgumentError
from cortenforge.scene.decor_geoms import Decor
from cortenforge.scene.options import RenderOptions

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def _is_leaf(model: Model) -> np.ndarray:
    return np.asarray((np.asarray(model.bvh_child) == -1).all(1))


def _at_shown_depth(model: Model, options: RenderOptions) -> np.ndarray:
    """Whether each node is at the depth `options.bvh_depth`, or a leaf above it."""
    if model.vis.global_.bvactive:
        raise ArgumentError(
            "vis.global.bvactive: active nodes are not stored; set it to 0 to show all of a depth"
        )
    depth = np.asarray(model.bvh_depth)
    wanted = options.bvh_depth
    return np.asarray((depth == wanted) | (_is_leaf(model) & (depth < wanted)))


def world_boxes(
    pos: np.ndarray, mat: np.ndarray, boxes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Boxes (centre, half sizes) of a frame in the world: centres, matrices, half sizes."""
    mats = np.broadcast_to(np.reshape(mat, (-1, 3, 3)), (len(boxes), 3, 3))
    return pos + np.einsum("nij,nj->ni", mats, boxes[:, :3]), mats, boxes[:, 3:]


def add_body_boxes(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add BVH nodes of bodies; leaves are the aligned boxes of geoms."""
    leaf, seen = _is_leaf(model), _at_shown_depth(model, options)
    for body in range(model.nbody):
        first, count = int(model.body_bvhadr[body]), int(model.body_bvhnum[body])
        own = first + np.flatnonzero(seen[first : first + count]) if count else np.zeros(0, int)
        inner = own[~leaf[own]]
        boxes = world_boxes(data.xipos[body], data.ximat[body], np.asarray(model.bvh_aabb)[inner])
        if len(inner):
            decor.boxes(*boxes, model.vis.rgba.bv)
        geoms = np.asarray(model.bvh_nodeid)[own[leaf[own]]]
        if len(geoms):
            boxes = world_boxes(
                data.geom_xpos[geoms], data.geom_xmat[geoms], np.asarray(model.geom_aabb)[geoms]
            )
            decor.boxes(*boxes, model.vis.rgba.bv)


def add_mesh_boxes(decor: Decor, model: Model, data: Data, options: RenderOptions) -> None:
    """Add BVH nodes of meshes, or cells of their octrees if they have one."""
    seen = _at_shown_depth(model, options)
    for geom in range(model.ngeom):
        mesh, kind = int(model.geom_dataid[geom]), int(model.geom_type[geom])
        if mesh < 0 or kind == GeomType.HFIELD:
            continue
        first, count = int(model.mesh_octadr[mesh]), int(model.mesh_octnum[mesh])
        if first >= 0:
            own = np.arange(first, first + count)
            own = own[np.asarray(model.oct_depth)[own] == options.bvh_depth]
            boxes = np.asarray(model.oct_aabb)[own]
        elif kind == GeomType.SDF:
            continue
        else:
            first, count = int(model.mesh_bvhadr[mesh]), int(model.mesh_bvhnum[mesh])
            own = first + np.flatnonzero(seen[first : first + count])
            boxes = np.asarray(model.bvh_aabb)[own]
        if len(boxes):
            placed = world_boxes(data.geom_xpos[geom], data.geom_xmat[geom], boxes)
            decor.boxes(*placed, model.vis.rgba.bv)
