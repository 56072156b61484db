"""Convex hull of a mesh: its graph, coplanar faces merged to polygons, extreme vertices.

By Qhull, as in MuJoCo. Faces come in the same order, vertices mostly; the order of neighbours and
of polygons depends on internal lists, and is not always the same.

Source: Barber, Dobkin, Huhdanpaa, "The Quickhull algorithm for convex hulls", ACM Transactions on
Mathematical Software 22(4), 1996.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cortenforge.compile.mesh.clean import cross, face_cross
from cortenforge.compile.mesh.hash_order import hash_table_order
from cortenforge.compile.mesh.polygon_kernels import polygon_outlines
from cortenforge.compile.mesh.raw_mesh import MeshError
from cortenforge.compile.mesh.surface_kernels import MINVAL
from cortenforge.compile.mesh.weld_kernels import number_rows

DIRECTION_STEP = 0.01
POLE_COSINE = 1.0 - 1e-7
CUBE_DIRECTIONS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)])


@dataclass(frozen=True)
class Polygons:
    """Outlines of polygons, one after another: their vertices, and how many each has."""

    vertex: np.ndarray
    counts: np.ndarray

    @classmethod
    def none(cls) -> Polygons:
        """No polygons."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))

    @property
    def first(self) -> np.ndarray:
        """Where each outline begins."""
        begin: np.ndarray = np.cumsum(self.counts) - self.counts
        return begin

    def reversed(self) -> Polygons:
        """The same polygons with opposite winding."""
        within = np.arange(len(self.vertex)) - np.repeat(self.first, self.counts)
        last = np.repeat(self.first + self.counts - 1, self.counts)
        return Polygons(self.vertex[last - within], self.counts)


@dataclass
class Hull:
    """Outward faces (indices of mesh vertices), the vertex graph, vertices, polygons."""

    face: np.ndarray
    graph: np.ndarray
    vertex: np.ndarray
    polygons: Polygons = field(default_factory=Polygons.none)

    def mirrored(self) -> Hull:
        """The hull of the mirrored mesh: opposite winding."""
        face = self.face[:, [0, 2, 1]]
        graph = self.graph.copy()
        graph[len(graph) - face.size :] = face.ravel()
        return Hull(face, graph, self.vertex, self.polygons.reversed())


def convex_hull(vert: np.ndarray, most: int) -> Hull:
    """The convex hull of points, with at most `most` vertices if that is not negative."""
    _check_solid(vert)
    # imported late: it takes a tenth of a second
    from scipy.spatial import ConvexHull, QhullError

    options = "Qt" if most < 0 else f"Qt Q9 TA{most - 4}"
    try:
        found = ConvexHull(vert, qhull_options=options)
    except (QhullError, ValueError) as problem:
        reason = str(problem).strip().splitlines()
        raise MeshError(f"no convex hull: {reason[0] if reason else 'Qhull failed'}") from None
    raw = found.simplices.astype(np.int64)
    face = _outward(raw, vert, found.equations[:, :3], found.neighbors)
    graph, vertex = _graph(raw, face, _vertex_order(raw, found.equations), len(vert))
    return Hull(face, graph, vertex, _polygons(face, vert))


def _check_solid(vert: np.ndarray) -> None:
    """Raise an error for points that coincide, are collinear or coplanar."""
    from_first = vert - vert[0]
    length = np.sqrt(np.einsum("ij,ij->i", from_first, from_first))
    apart = np.flatnonzero(length > MINVAL)
    if not len(apart):
        raise MeshError("all vertices are in one place, so there is no convex hull")
    along, reach = from_first[apart[0]], length[apart[0]]
    normal = cross(np.broadcast_to(along, vert.shape), from_first)
    size = np.sqrt(np.einsum("ij,ij->i", normal, normal))
    aside = np.flatnonzero((size > MINVAL * reach * length) & (length >= MINVAL))
    if not len(aside):
        raise MeshError("all vertices are on a line, so there is no convex hull")
    up = normal[aside[0]] / size[aside[0]]
    if not np.any(np.abs(vert @ up - up @ vert[0]) > MINVAL * reach):
        raise MeshError("the mesh is flat, so there is no convex hull: use a plane or a thin box")


def _outward(
    raw: np.ndarray, vert: np.ndarray, outside: np.ndarray, neighbors: np.ndarray
) -> np.ndarray:
    """Faces wound counter-clockwise seen from outside."""
    normal = face_cross(raw, vert)
    size = np.sqrt(np.einsum("ij,ij->i", normal, normal))
    side = np.einsum("ij,ij->i", normal, outside)
    edge = np.sqrt(((vert[raw] - vert[np.roll(raw, 1, axis=1)]) ** 2).sum(axis=2)).max(axis=1)
    clear = (np.abs(side) > 0.5 * size) & (size > 1e-9 * edge * edge)
    face = raw.copy()
    flip = side < 0
    face[flip] = face[flip][:, [1, 0, 2]]
    # slivers have no reliable normal: they take their winding from a neighbour
    pending = [int(i) for i in np.flatnonzero(~clear)]
    for _ in range(len(pending)):
        rest = []
        for i in pending:
            known = [int(j) for j in neighbors[i] if j >= 0 and clear[j]]
            if not known:
                rest.append(i)
                continue
            if _edges(face[i]) & _edges(face[known[0]]):
                face[i] = face[i][[1, 0, 2]]
            clear[i] = True
        if not rest or len(rest) == len(pending):
            break
        pending = rest
    return face


def _edges(face: np.ndarray) -> set[tuple[int, int]]:
    a, b, c = (int(i) for i in face)
    return {(a, b), (b, c), (c, a)}


def _vertex_order(raw: np.ndarray, equations: np.ndarray) -> np.ndarray:
    """Vertices in the order of Qhull's list, as far as its faces show it.

    Qhull adds a point at a time and moves the vertices of new faces to the end of its list. A
    face's first vertex is the point with which it was made; faces cut out of coplanar ones come
    last.
    """
    if len(raw) == 4:
        result: np.ndarray = raw.sum() // 3 - raw.sum(axis=1)
        return result
    made = np.cumsum(np.r_[0, raw[1:, 0] != raw[:-1, 0]])
    # -0 + 0 is 0
    _, same = number_rows(equations + 0.0)
    made[np.bincount(same)[same] > 1] = len(raw)
    flat, step = raw.ravel(), np.repeat(made, 3)
    last = np.zeros(int(flat.max()) + 1, np.int64)
    np.maximum.at(last, flat, step)
    newest = np.flatnonzero(last[flat] == step)
    # of each vertex the first, in order of appearance
    first, _ = number_rows(flat[newest, None])
    order = newest[first]
    result = flat[order[np.argsort(step[order], kind="stable")]]
    return result


def _graph(
    raw: np.ndarray, face: np.ndarray, vertex: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """MuJoCo's graph array, and the hull's vertices.

    Counts, the address of each vertex' edges, vertices, edges, faces.
    """
    local = np.full(count, -1, np.int64)
    local[vertex] = np.arange(len(vertex))
    ids = local[raw].astype(np.int32)
    start = ids[:, [0, 0, 1, 1, 2, 2]].ravel()
    end = ids[:, [1, 2, 0, 2, 0, 1]].ravel()
    first, _ = number_rows(np.stack([start, end], axis=1))
    first = first[stable_order(start[first], len(vertex))]
    degree = np.bincount(start[first], minlength=len(vertex))
    address = np.cumsum(degree + 1) - (degree + 1)
    edges = np.full(int((degree + 1).sum()), -1, np.int64)
    within = np.arange(len(first)) - np.repeat(np.cumsum(degree) - degree, degree)
    edges[np.repeat(address, degree) + within] = end[first]
    counts = [len(vertex), len(face)]
    graph = np.concatenate([counts, address, vertex, edges, face.ravel()]).astype(np.int32)
    return graph, vertex


def _polygons(face: np.ndarray, vert: np.ndarray) -> Polygons:
    """Polygons of the hull: adjacent coplanar faces merged, as outlines of vertices."""
    normal = face_cross(face, vert)
    size = np.sqrt(normal[:, 0] ** 2 + normal[:, 1] ** 2 + normal[:, 2] ** 2)
    kept = np.flatnonzero(size >= MINVAL)
    if not len(kept):
        return Polygons.none()
    unit = normal[kept] / size[kept, None] + 0.0
    azimuth = _rounded(np.arctan2(unit[:, 1], unit[:, 0]) / DIRECTION_STEP)
    polar = _rounded(np.arccos(np.clip(unit[:, 2], -1, 1)) / DIRECTION_STEP)
    pole = np.abs(unit[:, 2]) > POLE_COSINE
    azimuth[pole] = 0
    polar[pole] = np.where(unit[pole, 2] < 0, _rounded(np.array(np.pi / DIRECTION_STEP)), 0)
    first, group = number_rows((azimuth * 1000 + polar)[:, None] + 0.0)
    counts = np.bincount(group)
    members = face[kept[stable_order(group, len(counts))]]
    order = hash_table_order(azimuth[first], polar[first])
    begin = np.cumsum(counts) - counts
    return Polygons(*polygon_outlines(members, begin[order], counts[order], len(vert)))


def stable_order(number: np.ndarray, count: int) -> np.ndarray:
    """Indices that sort numbers below a count; equal ones stay in order."""
    # 16 bits are sorted by their digits, in a tenth of the time
    short = number.astype(np.uint16) if count <= 2**16 else number
    order: np.ndarray = np.argsort(short, kind="stable")
    return order


def _rounded(values: np.ndarray) -> np.ndarray:
    """Nearest integers, halves away from zero."""
    result: np.ndarray = np.copysign(np.floor(np.abs(values) + 0.5), values)
    return result


def polygon_normals(polygons: Polygons, vert: np.ndarray) -> np.ndarray:
    """Unit normals of polygons from their whole outlines, by Newell's method."""
    counts, flat = polygons.counts, polygons.vertex
    if not len(counts):
        return np.zeros((0, 3))
    begin = np.cumsum(counts) - counts
    following = np.arange(1, len(flat) + 1)
    following[np.cumsum(counts) - 1] = begin
    # about the first vertex of each outline, where nothing large cancels
    origin = np.repeat(vert[flat[begin]], counts, axis=0)
    here, there = vert[flat] - origin, vert[flat[following]] - origin
    total = np.add.reduceat(cross(here, there), begin, axis=0)
    length = np.sqrt(np.einsum("ij,ij->i", total, total))
    short = length < 1e-14
    total /= np.where(short, 1.0, length)[:, None]
    total[short] = (1, 0, 0)
    return total


def extreme_vertices(hull: Hull, vert: np.ndarray) -> np.ndarray:
    """For 27 directions (-1, 0, 1 on each axis), the hull vertex farthest along it."""
    points = vert[hull.vertex].astype(np.float32)
    reach = (
        points[:, :1] * CUBE_DIRECTIONS[:, 0].astype(np.float32)
        + points[:, 1:2] * CUBE_DIRECTIONS[:, 1].astype(np.float32)
        + points[:, 2:] * CUBE_DIRECTIONS[:, 2].astype(np.float32)
    )
    result: np.ndarray = np.argmax(reach, axis=0).astype(np.int32)
    return result
