"""Convex hulls of two engines, compared independently of the order of lists.

The order of a hull's vertices and polygons follows from internal lists of Qhull and from hash maps,
so neighbours, faces, sets of polygons and extreme vertices are compared instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["ORDER_DEPENDENT", "hull_differences"]

#: fields whose order is arbitrary
ORDER_DEPENDENT = frozenset(
    {
        "mesh_graph",
        "mesh_extrema",
        "mesh_polynormal",
        "mesh_polyvert",
        "mesh_polyvertadr",
        "mesh_polyvertnum",
        "mesh_polymap",
    }
)
#: tolerance of normals, which are computed from single-precision vertices
NORMAL_TOLERANCE = 1e-6

FieldGetter = Callable[[str], np.ndarray]


class HullPolygons(dict[tuple[int, ...], np.ndarray]):
    """Normals of polygons, by their vertices from the smallest index on."""


def hull_differences(ours: FieldGetter, theirs: FieldGetter) -> list[str]:
    """Differences, such as "mesh 2: polygons"."""
    found = []
    for mesh in range(len(theirs("mesh_graphadr"))):
        mine, other = _hull(ours, mesh), _hull(theirs, mesh)
        found += [
            f"mesh {mesh}: {part}" for part in other if not _same(mine.get(part), other[part])
        ]
    return found


def _same(mine: Any, other: Any) -> bool:
    """Whether parts are equal; normals within NORMAL_TOLERANCE."""
    if not isinstance(other, HullPolygons):
        return bool(mine == other)
    return (
        isinstance(mine, HullPolygons)
        and mine.keys() == other.keys()
        and all(
            np.abs(mine[outline] - other[outline]).max() <= NORMAL_TOLERANCE for outline in other
        )
    )


def _hull(get: FieldGetter, mesh: int) -> dict[str, Any]:
    start = int(get("mesh_graphadr")[mesh])
    if start < 0:
        return {"none": True}
    graph = get("mesh_graph")[start:]
    nvert, nface = (int(n) for n in graph[:2])
    ids = graph[2 + nvert : 2 + 2 * nvert]
    edges = graph[2 + 2 * nvert : 2 + 3 * nvert + 3 * nface]
    around = {}
    for own, begin in zip(ids, graph[2 : 2 + nvert], strict=True):
        end = begin + int(np.argmin(edges[begin:] >= 0))
        around[int(own)] = sorted(int(ids[i]) for i in edges[begin:end])
    vert = get("mesh_vert")[get("mesh_vertadr")[mesh] :]
    return {
        "neighbours": around,
        "faces": graph[2 + 3 * nvert + 3 * nface : 2 + 3 * nvert + 6 * nface].tolist(),
        "polygons": _polygons(get, mesh),
        "extreme vertices": _has_farthest_vertices(vert[ids], get("mesh_extrema")[mesh]),
    }


def _has_farthest_vertices(points: np.ndarray, extrema: np.ndarray) -> bool:
    """Whether the chosen vertices are extreme in the 27 directions."""
    steps = (-1, 0, 1)
    directions = np.array([(x, y, z) for x in steps for y in steps for z in steps])
    far = points.astype(float) @ directions.T
    chosen = far[extrema, np.arange(27)]
    slack = 1e-6 * max(1e-30, float(np.abs(points).max()))
    return bool(np.all(chosen >= far.max(axis=0) - slack))


def _polygons(get: FieldGetter, mesh: int) -> HullPolygons:
    """Polygons of a hull."""
    first, count = int(get("mesh_polyadr")[mesh]), int(get("mesh_polynum")[mesh])
    found = HullPolygons()
    for polygon in range(first, first + count):
        begin, number = get("mesh_polyvertadr")[polygon], get("mesh_polyvertnum")[polygon]
        outline = get("mesh_polyvert")[begin : begin + number]
        turned = tuple(int(i) for i in np.roll(outline, -int(np.argmin(outline))))
        found[turned] = get("mesh_polynormal")[polygon]
    return found
