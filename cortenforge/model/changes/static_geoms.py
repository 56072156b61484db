"""Static geoms: which they are, and their order in the tree of boxes.

A geom is static if its body is welded to the world and no mocap body carries it. Where there are
many, near pairs of a moving and a static geom are found in a tree
(`step/collision/static_pairs.py`), and static geoms are placed once, not in every step. The order
of the leaves is along a Morton (Z-order) curve: the bits of the three coordinates interleaved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import GeomType
from cortenforge.fields import MODEL_FIELDS, Field
from cortenforge.quaternions import quat_products, rotate_vectors
from cortenforge.step.collision.static_bvh import BVH_WIDTH

if TYPE_CHECKING:
    from cortenforge.model.model import Model

#: fewest static geoms for which a tree is made
MIN_TREE_GEOMS = 128
#: bits of a coordinate in a Morton code
MORTON_BITS = 20
#: fields of poses and sizes of static geoms
PLACEMENT_FIELDS: tuple[Field, ...] = tuple(field for field in MODEL_FIELDS if field.placing)
#: other fields on which the bounds of static geoms depend
REACH_FIELDS = frozenset({"geom_margin", "geom_gap", "opt_o_margin"})


def static_bodies(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """Mask (nbody,) of bodies that are welded to the world and not carried by a mocap body."""
    carried = arrays["body_mocapid"][arrays["body_rootid"]] >= 0
    found: np.ndarray = (arrays["body_weldid"] == 0) & ~carried
    return found


def static_tree_sizes(arrays: Mapping[str, np.ndarray]) -> dict[str, int]:
    """Sizes of a tree of all static geoms but planes; zeros if they are few."""
    still = static_bodies(arrays)[arrays["geom_bodyid"]]
    count = int(np.count_nonzero(still & (arrays["geom_type"] != GeomType.PLANE)))
    if count < MIN_TREE_GEOMS:
        return {"nstaticpad": 0, "nstaticbox": 0}
    return {
        "nstaticpad": BVH_WIDTH * -(-count // BVH_WIDTH),
        "nstaticbox": tree_level_starts(count)[-1],
    }


def tree_level_starts(count: int) -> list[int]:
    """Index of the first box of each level of a tree over `count` geoms; last, their number."""
    starts = [0]
    while True:
        count = -(-count // BVH_WIDTH)
        starts.append(starts[-1] + BVH_WIDTH * -(-count // BVH_WIDTH))
        if count <= BVH_WIDTH:
            return starts


def static_tree_geoms(model: Model) -> np.ndarray:
    """Ids of static geoms that can collide; none if they are few or there is a contact filter.

    A contact filter works on the bits of near pairs, which pairs of the tree do not have.
    """
    arrays = model._store.arrays
    if not model._store.sizes["nstaticpad"] or model.callbacks.contactfilter is not None:
        return np.zeros(0, np.int32)
    still = static_bodies(arrays)[model.geom_bodyid] & (model.geom_type != GeomType.PLANE)
    found = np.flatnonzero(still & ((model.geom_contype | model.geom_conaffinity) != 0))
    return (found if len(found) >= MIN_TREE_GEOMS else found[:0]).astype(np.int32)


def build_static_tree(model: Model, geoms: np.ndarray) -> None:
    """Set the static_* and moving_* fields: order of geoms, levels of boxes, moving geoms."""
    store = model._store
    moving = np.zeros(0, np.int32)
    if len(geoms):
        moving = np.flatnonzero(~static_bodies(store.arrays)[model.geom_bodyid]).astype(np.int32)
    store.resize({"nstatic": len(geoms), "nmoving": len(moving)})
    model._drop_growing()
    put = store.assign
    put("moving_geom", moving)
    put(
        "static_geom",
        geoms[_morton_order(_approximate_positions(model, geoms))] if len(geoms) else geoms,
    )
    starts = tree_level_starts(len(geoms)) if len(geoms) else [0]
    put("static_levels", len(starts) - 1)
    levels = np.zeros(len(model.static_level), np.int32)
    levels[: len(starts)] = starts
    put("static_level", levels)
    shift = max(len(moving) - 1, 0).bit_length()
    put("static_shift", shift)
    put("static_stride", 1 << shift)
    placing = {field.name for field in PLACEMENT_FIELDS} | REACH_FIELDS
    put("static_differs", int(bool(len(geoms) and model._differing & placing)))
    if len(geoms):
        put("static_version", model.static_version + 1)


def _morton_order(places: np.ndarray) -> np.ndarray:
    """Order of points (n, 3) along a Morton curve, which keeps neighbours together."""
    low = places.min(axis=0)
    extent = max(float((places.max(axis=0) - low).max()), np.finfo(float).tiny)
    cells = ((places - low) * ((1 << MORTON_BITS) - 1) / extent).astype(np.int64)
    codes = np.zeros(len(places), np.int64)
    for bit in range(MORTON_BITS):
        for axis in range(3):
            codes |= (cells[:, axis] >> bit & 1) << (3 * bit + axis)
    return np.argsort(codes, kind="stable")


def _approximate_positions(model: Model, geoms: np.ndarray) -> np.ndarray:
    """Approximate positions of static geoms (n, 3), for their order only."""
    still, parent = static_bodies(model._store.arrays), model.body_parentid
    pos, quat = model.body_pos.copy(), model.body_quat.copy()
    level = np.array([0])
    placed = np.zeros(model.nbody, bool)
    placed[0] = True
    while level.size:
        # bodies whose parents were placed in the last round
        level = np.flatnonzero(still & ~placed & placed[parent])
        above = parent[level]
        pos[level] = pos[above] + rotate_vectors(quat[above], pos[level])
        quat[level] = quat_products(quat[above], quat[level])
        placed[level] = True
    body = model.geom_bodyid[geoms]
    places = pos[body] + rotate_vectors(quat[body], model.geom_pos[geoms])
    finite: np.ndarray = np.nan_to_num(places, posinf=0.0, neginf=0.0)
    return finite
