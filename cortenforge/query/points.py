"""Signed distances and heights at many points."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.rays.primitives import HUGE
from cortenforge.step.signed_distance.geoms import geom_distance_at
from cortenforge.step.signed_distance.hfield_surface import hfield_surface_at
from cortenforge.step.signed_distance.octree import octree_distance


@kernel
def is_finite_point(p):
    """Whether a point is finite."""
    return abs(p.x) + abs(p.y) + abs(p.z) < HUGE


@kernel(unit=True)
def octree_distances(m, d):
    """Signed distances of points from a mesh with an octree, and gradients."""
    d.wrong = -1
    for i in range(d.npoint):
        if not is_finite_point(d.point[i]):
            d.wrong = i
            break
        distance, gradient = octree_distance(m, d.asset, d.point[i])
        d.value[i] = distance
        d.slope[i] = gradient


@kernel(unit=True)
def geom_distances(m, d):
    """Signed distances of points from a geom, and gradients, in its frame."""
    d.wrong = -1
    for i in range(d.npoint):
        if not is_finite_point(d.point[i]):
            d.wrong = i
            break
        distance, gradient = geom_distance_at(m, d.asset, d.point[i])
        d.value[i] = distance
        d.slope[i] = gradient


@kernel(unit=True)
def hfield_heights(m, d):
    """Heights and normals of a height field at places; places beside it are skipped."""
    d.wrong = -1
    for i in range(d.npoint):
        p = d.point[i]
        if not is_finite_point(p):
            d.wrong = i
            break
        if abs(p.x) <= m.hfield_size[d.asset, 0] and abs(p.y) <= m.hfield_size[d.asset, 1]:
            height, normal = hfield_surface_at(m, d.asset, p.x, p.y)
            d.value[i] = height
            d.slope[i] = normal
