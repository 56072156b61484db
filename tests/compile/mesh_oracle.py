"""Compare meshes with MuJoCo's, leaving out what is a matter of order.

The order of a hull's vertices and polygons follows from internal lists of Qhull and of hash maps:
hull faces, sets of polygons and farthest vertices are compared instead.  Single-precision arrays
may differ in their last bit, because sums run in another order.
"""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compile import CompiledModel, compile_spec
from cortenforge.read import read_mjcf

mujoco = pytest.importorskip("mujoco")

ORDER = {
    "mesh_graph",
    "mesh_extrema",
    "mesh_polynormal",
    "mesh_polyvert",
    "mesh_polyvertadr",
    "mesh_polyvertnum",
    "mesh_polymap",
}
REAL, SINGLE = 1e-9, 2e-7


def mesh_differences(text: str, assets: dict[str, bytes] | None = None) -> list[str]:
    """Fields of a model with meshes that are not MuJoCo's."""
    ours = compile_spec(read_mjcf(text, assets=assets))
    theirs = mujoco.MjModel.from_xml_string(text, assets or {})
    return array_differences(ours, theirs) + hull_differences(ours, theirs)


def array_differences(ours: CompiledModel, theirs) -> list[str]:
    """Names of arrays and sizes that differ."""
    found = []
    for name, array in ours.arrays.items():
        reference = getattr(theirs, name)
        if name in ORDER or isinstance(reference, bytes):
            continue
        reference = np.asarray(reference)
        if array.shape != reference.shape:
            found.append(f"{name}: shape {array.shape}, not {reference.shape}")
            continue
        scale = max(1.0, float(np.max(np.abs(reference), initial=0.0)))
        limit = {"float32": SINGLE, "float64": REAL}.get(str(array.dtype), 0.0) * scale
        error = np.abs(array.astype(float) - reference.astype(float))
        if not np.all(error <= limit):
            found.append(f"{name}: {np.max(error):.1e}")
    found += [name for name, size in ours.sizes.items() if size != getattr(theirs, name)]
    return found


def hull_differences(ours: CompiledModel, theirs) -> list[str]:
    """What differs of the convex hulls, whatever their order."""
    found = []
    for mesh in range(theirs.nmesh):
        mine, other = _hull(ours.arrays.__getitem__, mesh), _hull(_of(theirs), mesh)
        found += [f"mesh {mesh}: {part}" for part in other if mine[part] != other[part]]
    return found


def _of(model):
    return lambda name: getattr(model, name)


def _hull(get, mesh: int) -> dict[str, object]:
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
    faces = graph[2 + 3 * nvert + 3 * nface : 2 + 3 * nvert + 6 * nface].reshape(-1, 3)
    vert = get("mesh_vert")[get("mesh_vertadr")[mesh] :]
    reach = [
        round(float(vert[ids[i]] @ direction), 5)
        for i, direction in zip(get("mesh_extrema")[mesh], _directions(), strict=True)
    ]
    return {
        "edges": around,
        "faces": faces.tolist(),
        "polygons": _polygons(get, mesh),
        "extrema": reach,
    }


def _directions() -> np.ndarray:
    steps = (-1, 0, 1)
    return np.array([(x, y, z) for x in steps for y in steps for z in steps], np.float32)


def _polygons(get, mesh: int) -> dict[tuple[int, ...], list[float]]:
    """Outlines that begin at their smallest vertex, with their normals."""
    first, count = int(get("mesh_polyadr")[mesh]), int(get("mesh_polynum")[mesh])
    found = {}
    for polygon in range(first, first + count):
        begin, number = get("mesh_polyvertadr")[polygon], get("mesh_polyvertnum")[polygon]
        outline = get("mesh_polyvert")[begin : begin + number]
        turned = tuple(int(i) for i in np.roll(outline, -int(np.argmin(outline))))
        found[turned] = np.round(get("mesh_polynormal")[polygon], 6).__add__(0.0).tolist()
    return found
