"""Convex hulls laid out for the support function: vertices, neighbours, starting vertices.

In MuJoCo's `mesh_graph` a hull vertex refers to a mesh vertex in single precision. Here coordinates
are doubles in the order of the hull, and once more in that of neighbours, so that hill climbing
along edges reads them one after another. hull_toward, which is kept with processed meshes, holds
the support vertex for directions through the cells of a cube around the origin, where the climb
starts; meshes without a hull need none.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from cortenforge.step.collision.convex.support_function import DIRECTION_CELLS

#: the fields of `hull_arrays`
HULL_FIELDS = (
    *("hull_vertadr", "hull_vertnum", "hull_vert", "hull_vertid"),
    *("hull_edgeadr", "hull_edgenum", "hull_edge", "hull_edgevert", "hull_polypoint"),
)


def hull_arrays(arrays: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The hull_* fields but hull_toward, by name, from MuJoCo's mesh_* fields."""
    vert = np.asarray(arrays["mesh_vert"], np.float64).reshape(-1, 3)
    nmesh = len(arrays["mesh_vertadr"])
    number, ids, neighbours = [], [np.zeros(0, np.int32)], [np.zeros((0, 2), np.int32)]
    start = 0
    for mesh in range(nmesh):
        vertex, edge = _hull_graph(arrays, mesh)
        number.append(len(vertex))
        ids.append(vertex)
        neighbours.append(edge + start)
        start += len(vertex)
    counts = np.array(number, np.int32)
    first = np.repeat(np.asarray(arrays["mesh_vertadr"]), counts)
    pairs = np.concatenate(neighbours)
    degree = np.bincount(pairs[:, 0], minlength=start)
    ids_of_all = np.concatenate(ids)
    places = vert[first + ids_of_all]
    return {
        "hull_vertadr": np.cumsum(counts) - counts,
        "hull_vertnum": counts,
        "hull_vert": places,
        "hull_vertid": ids_of_all,
        "hull_edgeadr": np.cumsum(degree) - degree,
        "hull_edgenum": degree,
        "hull_edge": pairs[:, 1],
        "hull_edgevert": places[pairs[:, 1]],
        "hull_polypoint": vert[_polygon_vertices(arrays)],
    }


@functools.cache
def support_cell_directions() -> np.ndarray:
    """Directions (6 CELLS^2, 3) through the cells of a cube, in the order of `direction_cell`."""
    middles = (np.arange(DIRECTION_CELLS) + 0.5) * (2.0 / DIRECTION_CELLS) - 1.0
    one, two = np.meshgrid(middles, middles, indexing="ij")
    sides = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            side = np.empty((DIRECTION_CELLS, DIRECTION_CELLS, 3))
            side[..., axis], side[..., axis - 2], side[..., axis - 1] = sign, one, two
            sides.append(side)
    return np.concatenate(sides).reshape(-1, 3)


def support_vertices(places: np.ndarray) -> np.ndarray:
    """Support vertices of a hull (n, 3) in the directions of the cells, (6 CELLS^2,)."""
    # products of a few directions stay in the processor's cache
    count = min(1 + len(places) // 100, 6 * DIRECTION_CELLS)
    parts = np.array_split(support_cell_directions(), count)
    return np.concatenate([(part @ places.T).argmax(axis=1) for part in parts]).astype(np.int32)


def hull_field_sizes(hulls: Mapping[str, np.ndarray]) -> dict[str, int]:
    """Sizes nhullvert and nhulledge."""
    return {"nhullvert": len(hulls["hull_vert"]), "nhulledge": len(hulls["hull_edge"])}


def _hull_graph(arrays: Mapping[str, Any], mesh: int) -> tuple[np.ndarray, np.ndarray]:
    """(mesh vertices of a hull, edges (n, 2)); all vertices and no edges without a hull."""
    start = int(arrays["mesh_graphadr"][mesh])
    if start < 0:
        return np.arange(arrays["mesh_vertnum"][mesh], dtype=np.int32), np.zeros((0, 2), np.int32)
    graph = np.asarray(arrays["mesh_graph"])[start:]
    nvert, nface = int(graph[0]), int(graph[1])
    edges = graph[2 + 2 * nvert : 2 + 3 * nvert + 3 * nface]
    # the neighbours of a vertex end with -1, vertex by vertex
    owner: np.ndarray = np.cumsum(edges < 0) - (edges < 0)
    inside = edges >= 0
    pairs = np.stack((owner[inside], edges[inside]), axis=1).astype(np.int32)
    return graph[2 + nvert : 2 + 2 * nvert], pairs


def _polygon_vertices(arrays: Mapping[str, Any]) -> np.ndarray:
    """Vertices of all polygons, as indices into mesh_vert."""
    per_polygon = np.repeat(np.asarray(arrays["mesh_vertadr"]), np.asarray(arrays["mesh_polynum"]))
    first = np.repeat(per_polygon, np.asarray(arrays["mesh_polyvertnum"]))
    found: np.ndarray = np.asarray(arrays["mesh_polyvert"]) + first
    return found
