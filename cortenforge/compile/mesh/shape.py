"""Building a mesh: hull, normals, frame, inertia and trees, in MuJoCo's order."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from cortenforge.compile.mesh.clean import (
    check_mesh,
    check_winding,
    flip_winding,
    place_vertices,
    rotate_rows,
    vertex_normals,
)
from cortenforge.compile.mesh.convex_hull import (
    Hull,
    Polygons,
    convex_hull,
    extreme_vertices,
    polygon_normals,
    stable_order,
)
from cortenforge.compile.mesh.inertia import measure_mesh, signed_volume
from cortenforge.compile.mesh.octree import octree
from cortenforge.compile.mesh.raw_mesh import MeshError, RawMesh
from cortenforge.compile.pack.bvh import face_tree
from cortenforge.model.changes.hulls import support_cell_directions, support_vertices
from cortenforge.spec.rotation import (
    UNIT_QUAT,
    ZERO_VECTOR,
    Quaternion,
    Vector,
    conjugate,
    rotation_matrix,
)

ONES = (1.0, 1.0, 1.0)
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Request:
    """What the model needs of a mesh, independent of its vertices."""

    scale: Vector = ONES
    refpos: Vector = ZERO_VECTOR
    refquat: Quaternion = UNIT_QUAT
    inertia: str = "legacy"
    maxhullvert: int = -1
    smooth: bool = False
    collides: bool = False
    marked: bool = False  # a site has its shape
    sdf: bool = False


@dataclass
class Shape:
    """A mesh in its own frame: centre of mass, principal axes; `pos` and `quat` place it.

    `arrays` are rows of the Model's arrays of meshes, without `mesh_`, counted from the mesh's
    first row, its tree as `bvh_` arrays, and `exact`: vertices in double precision. `oct_` arrays
    are added by `add_octree`. `key` is that of the cache.
    """

    arrays: Arrays = field(default_factory=dict)
    pos: Vector = ZERO_VECTOR
    quat: Quaternion = UNIT_QUAT
    box: Vector = ZERO_VECTOR  # half-sizes of the box of the same inertia
    volume: float = 0.0
    low: Vector = ZERO_VECTOR
    high: Vector = ZERO_VECTOR
    fill: float = 1.0  # how much of the hull a closed mesh fills
    key: str = ""


def build_shape(raw: RawMesh, request: Request) -> Shape:
    """Build a mesh but for its octree."""
    check_mesh(raw)
    vert = raw.vert.astype(np.float64)
    inertia = request.inertia
    if raw.shell or (raw.flat and inertia == "legacy"):
        inertia = "shell"
    if inertia == "exact":
        check_winding(raw.face, vert)
    hull = None
    if request.collides or request.marked or inertia == "convex" or not len(raw.face):
        hull = convex_hull(vert, request.maxhullvert)
    if not len(raw.face) and hull is not None:
        raw = replace(raw, face=hull.face.astype(np.int32))
    raw = _with_normals_and_indices(raw, vert, smooth=request.smooth)
    shape = Shape()
    if request.collides and hull is not None:
        shape.fill = _hull_fill_ratio(raw.face, hull.face, vert)
    if math.prod(request.scale) <= 0:
        raw = replace(
            raw,
            face=flip_winding(raw.face),
            facenormal=flip_winding(raw.facenormal),
            facetexcoord=flip_winding(raw.facetexcoord),
        )
        hull = hull and hull.mirrored()
    vert, normal = place_vertices(vert, raw.normal, request.refpos, request.refquat, request.scale)
    solid = hull.face if inertia == "convex" and hull is not None else raw.face
    measured = measure_mesh(vert, raw.face, solid, inertia)
    shape.volume, shape.box = measured.volume, measured.box
    if not raw.in_place:
        shape.pos, shape.quat = measured.centre, measured.quat
    turn = np.array(rotation_matrix(conjugate(shape.quat))).reshape(3, 3)
    vert = rotate_rows(vert - np.array(shape.pos), turn)
    normal = rotate_rows(normal.astype(float), turn).astype(np.float32)
    shape.low, shape.high = tuple(vert.min(axis=0).tolist()), tuple(vert.max(axis=0).tolist())
    shape.arrays = {"exact": vert, "vert": vert.astype(np.float32), "normal": normal}
    shape.arrays |= _given_arrays(raw) | _hull_arrays(hull, vert)
    shape.arrays |= face_tree(vert, shape.arrays["face"])
    return shape


def add_octree(shape: Shape) -> None:
    """Build the octree of a shape."""
    shape.arrays |= octree(shape.arrays["exact"], shape.arrays["face"], shape.arrays)


def _with_normals_and_indices(raw: RawMesh, vert: np.ndarray, *, smooth: bool) -> RawMesh:
    """The mesh with default normals and indices where none are given."""
    normal, facenormal = raw.normal, raw.facenormal
    if not len(normal):
        normal = vertex_normals(raw.face, vert, smooth=smooth)
        facenormal = raw.face
    if not len(facenormal):
        facenormal = (len(normal) // len(vert)) * raw.face
    if facenormal.max() >= len(normal):
        raise MeshError(f"{len(normal)} normals for {len(vert)} vertices")
    facetexcoord = raw.facetexcoord
    if not len(facetexcoord):
        facetexcoord = raw.face if len(raw.texcoord) else np.zeros_like(raw.face)
        if len(raw.texcoord) and facetexcoord.max() >= len(raw.texcoord):
            raise MeshError(f"{len(raw.texcoord)} texture coordinates for {len(vert)} vertices")
    return replace(raw, normal=normal, facenormal=facenormal, facetexcoord=facetexcoord)


def _given_arrays(raw: RawMesh) -> Arrays:
    """Arrays that are kept as given."""
    arrays = {name: getattr(raw, name) for name in ("face", "facenormal", "facetexcoord")}
    arrays = {name: array.astype(np.int32, copy=False) for name, array in arrays.items()}
    return arrays | {"texcoord": raw.texcoord.astype(np.float32, copy=False)}


def _hull_arrays(hull: Hull | None, vert: np.ndarray) -> Arrays:
    """Arrays of the convex hull: graph, polygons, extreme and support vertices; none without."""
    hull = hull or Hull(*(np.zeros(0, np.int32),) * 3)
    polygons = hull.polygons
    members, counts = _polygon_map(polygons, len(vert))
    extrema = np.zeros(27, np.int32) if not len(hull.graph) else extreme_vertices(hull, vert)
    arrays = {
        "graph": hull.graph,
        "polyvert": polygons.vertex,
        "polyvertnum": polygons.counts,
        "polymap": members,
        "polymapnum": counts,
        "extrema": extrema,
    }
    arrays = {name: array.astype(np.int32) for name, array in arrays.items()}
    arrays["toward"] = np.zeros(len(support_cell_directions()), np.int32)
    if len(hull.graph):
        # the coordinates that a model has
        arrays["toward"] = support_vertices(vert[hull.vertex].astype(np.float32).astype(float))
    return arrays | {"polynormal": polygon_normals(polygons, vert)}


def _polygon_map(polygons: Polygons, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Polygons at each vertex, vertex by vertex, and their counts."""
    owner = np.repeat(np.arange(len(polygons.counts)), polygons.counts)
    vertex = polygons.vertex
    return owner[stable_order(vertex, count)], np.bincount(vertex, minlength=count)


def _hull_fill_ratio(face: np.ndarray, hull: np.ndarray, vert: np.ndarray) -> float:
    """Volume of a closed mesh over that of its hull; 1 if it is not closed."""
    a, b = face.astype(np.int64), len(vert)
    there = np.concatenate([a[:, i] * b + a[:, (i + 1) % 3] for i in range(3)])
    back = np.concatenate([a[:, (i + 1) % 3] * b + a[:, i] for i in range(3)])
    if not np.array_equal(np.sort(there), np.sort(back)):
        return 1.0
    own, around = signed_volume(face, vert), signed_volume(hull, vert)
    return own / around if own > 0 and around > 0 else 1.0
