"""Linkers that load the kernels of queries."""

from __future__ import annotations

from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.query.layout import POINTS, RAYS
from cortenforge.query.points import geom_distances, hfield_heights, octree_distances
from cortenforge.query.rays import cast_rays


@registered(lambda: [cast_rays])
def ray_linker() -> Linker:
    """Linker of batched rays."""
    return Linker(MODEL_LAYOUT, RAYS)


@registered(lambda: [octree_distances, geom_distances, hfield_heights])
def point_linker() -> Linker:
    """Linker of distances and heights at points."""
    return Linker(MODEL_LAYOUT, POINTS)
