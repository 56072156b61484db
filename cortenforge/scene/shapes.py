"""Triangle meshes: primitives of unit size, and meshes and height fields of a model.

Primitives have the slices and stacks of `vis.quality`, so that their outlines are MuJoCo's. Flat
and straight parts are not subdivided, since lighting is computed for each pixel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import GeomType

if TYPE_CHECKING:
    from cortenforge.model import Model

#: numbers of primitives; TOP and BOTTOM are the half spheres of a capsule, TUBE has no caps
SPHERE, CAPSULE_TOP, CAPSULE_BOTTOM, TUBE, CYLINDER, CONE, BOX, PLANE = range(8)
#: crease: a corner's normal with a smaller cosine to its triangle's is replaced by the latter
CREASE_COSINE = 0.8
#: arrays of indices, and the arrays that they index
INDEX_TARGETS = {"face": "vert", "face_normal": "normal", "face_texcoord": "texcoord"}


@dataclass
class Shape:
    """Triangles: indices of vertices, normals and texture coordinates of their corners.

    Without face_normal or face_texcoord, corners index normals or coordinates as vertices; a single
    normal or coordinate is shared by all.
    """

    vert: np.ndarray
    normal: np.ndarray
    face: np.ndarray
    texcoord: np.ndarray = field(default_factory=lambda: np.zeros((1, 2)))
    face_normal: np.ndarray | None = None
    face_texcoord: np.ndarray | None = None

    @property
    def radius(self) -> float:
        """Radius of the bounding sphere around its origin."""
        return float(np.sqrt((self.vert**2).sum(1).max())) if len(self.vert) else 0.0


def _grid_triangles(rows: int, columns: int) -> np.ndarray:
    """Triangles of a grid of points: rows go up and columns to the left, seen from the front."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (i * columns + j).ravel()
    b, c, d = a + 1, a + columns + 1, a + columns
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def _circle_angles(slices: int) -> np.ndarray:
    return np.linspace(0.0, 2.0 * np.pi, slices + 1)


def _grid_shape(points: np.ndarray, normals: np.ndarray, coordinates: np.ndarray) -> Shape:
    """A grid of points `(rows, columns, 3)`; triangles without area are left out."""
    rows, columns, _ = points.shape
    vert, face = points.reshape(-1, 3), _grid_triangles(rows, columns)
    a, b, c = (vert[face[:, k]] for k in range(3))
    solid = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-12
    return Shape(vert, normals.reshape(-1, 3), face[solid], coordinates.reshape(-1, 2))


def _sphere_part(slices: int, low: float, high: float, stacks: int, lift: float) -> Shape:
    """Part of a unit sphere between two elevations, lifted along z; texture v runs downwards."""
    up, around = np.meshgrid(
        np.linspace(low, high, stacks + 1), _circle_angles(slices), indexing="ij"
    )
    out = np.stack([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)], 2)
    share = (up - low) / (high - low)
    coordinates = np.stack([around / (2 * np.pi), 1.0 - share], 2)
    return _grid_shape(out + np.array([0.0, 0.0, lift]), out, coordinates)


def _tube(slices: int) -> Shape:
    height, around = np.meshgrid([-1.0, 1.0], _circle_angles(slices), indexing="ij")
    out = np.stack([np.cos(around), np.sin(around), 0.0 * around], 2)
    coordinates = np.stack([around / (2 * np.pi), 0.5 - 0.5 * height], 2)
    return _grid_shape(out + height[..., None] * [0.0, 0.0, 1.0], out, coordinates)


def _disc(slices: int, height: float, up: float) -> Shape:
    around = _circle_angles(slices)[:-1]
    rim = np.stack([np.cos(around), np.sin(around), np.full(slices, height)], 1)
    vert = np.concatenate([[[0.0, 0.0, height]], rim])
    nxt = np.roll(np.arange(1, slices + 1), -1)
    face = np.stack([np.zeros(slices, int), np.arange(1, slices + 1), nxt], 1)
    coordinates = 0.5 + 0.5 * vert[:, :2] * [1.0, -up]
    face = face[:, :: int(up)]
    return Shape(vert, np.array([[0.0, 0.0, up]]), face, coordinates, 0 * face, face)


def _cone(slices: int) -> Shape:
    height, around = np.meshgrid([0.0, 1.0], _circle_angles(slices), indexing="ij")
    wide = 1.0 - height
    points = np.stack([np.cos(around) * wide, np.sin(around) * wide, height], 2)
    out = np.stack([np.cos(around), np.sin(around), np.ones_like(around)], 2) / np.sqrt(2.0)
    coordinates = np.stack([around / (2 * np.pi), 1.0 - height], 2)
    return _grid_shape(points, out, coordinates)


def _box_side(along: np.ndarray, up: np.ndarray, out: np.ndarray) -> Shape:
    """A side of a box at `out`; texture u runs along one axis, v down the other."""
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    vert = signs[:, :1] * along + signs[:, 1:] * up + out
    coordinates = 0.5 + 0.5 * signs * [1.0, -1.0]
    face = np.array([[0, 1, 2], [0, 2, 3]])
    return Shape(vert, out[None], face, coordinates, np.zeros_like(face), face)


def _box() -> Shape:
    x, y, z = np.eye(3)
    sides = [(x, y, z), (x, -y, -z), (y, z, x), (y, -z, -x), (x, z, -y), (x, -z, y)]
    return join_shapes([_box_side(*side) for side in sides])


def _plane() -> Shape:
    x, y, z = np.eye(3)
    flat = _box_side(x, y, z)
    flat.vert = flat.vert - z
    return flat


def join_shapes(parts: list[Shape]) -> Shape:
    """Concatenate shapes to one."""
    whole = _concatenated(parts)
    return Shape(
        whole["vert"],
        whole["normal"],
        whole["face"],
        whole["texcoord"],
        whole["face_normal"],
        whole["face_texcoord"],
    )


def primitives(slices: int, stacks: int) -> list[Shape]:
    """Shapes of unit size, in the order of their numbers."""
    quarter, half = 0.5 * np.pi, max(stacks // 2, 1)
    tube = _tube(slices)
    return [
        _sphere_part(slices, -quarter, quarter, 2 * half, 0.0),
        _sphere_part(slices, 0.0, quarter, half, 1.0),
        _sphere_part(slices, -quarter, 0.0, half, -1.0),
        tube,
        join_shapes([_disc(slices, -1.0, -1.0), tube, _disc(slices, 1.0, 1.0)]),
        join_shapes([_disc(slices, 0.0, -1.0), _cone(slices)]),
        _box(),
        _plane(),
    ]


def unit_vectors(vectors: np.ndarray) -> np.ndarray:
    """Vectors of length one."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12))


def face_normals(vert: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Normals of triangles."""
    a, b, c = (vert[face[:, k]] for k in range(3))
    return unit_vectors(np.cross(b - a, c - a))


def flat_shape(vert: np.ndarray, face: np.ndarray) -> Shape:
    """A flat-shaded shape."""
    own = np.repeat(np.arange(len(face))[:, None], 3, axis=1)
    return Shape(vert, face_normals(vert, face), face, face_normal=own)


def mesh_shape(model: Model, k: int) -> Shape:
    """A mesh of a model with its own normals; without texture coordinates, creases are sharp."""
    adr, count = int(model.mesh_vertadr[k]), int(model.mesh_vertnum[k])
    faces = slice(int(model.mesh_faceadr[k]), int(model.mesh_faceadr[k] + model.mesh_facenum[k]))
    vert = np.asarray(model.mesh_vert[adr : adr + count], float)
    face = np.asarray(model.mesh_face[faces])
    first = int(model.mesh_normaladr[k])
    normal = np.asarray(model.mesh_normal[first : first + int(model.mesh_normalnum[k])], float)
    face_normal = np.asarray(model.mesh_facenormal[faces])
    first = int(model.mesh_texcoordadr[k])
    if first >= 0:
        texcoord = np.asarray(model.mesh_texcoord[first : first + int(model.mesh_texcoordnum[k])])
        return Shape(
            vert, normal, face, texcoord, face_normal, np.asarray(model.mesh_facetexcoord[faces])
        )
    own = face_normals(vert, face)
    sharp = (normal[face_normal] * own[:, None, :]).sum(2) < CREASE_COSINE
    numbers = np.repeat(len(normal) + np.arange(len(face))[:, None], 3, axis=1)
    return Shape(
        vert, np.concatenate([normal, own]), face, face_normal=np.where(sharp, numbers, face_normal)
    )


def hull_shape(model: Model, k: int) -> Shape | None:
    """The convex hull of a mesh, or None."""
    at = int(model.mesh_graphadr[k])
    if at < 0:
        return None
    nvert, nface = (int(n) for n in model.mesh_graph[at : at + 2])
    first = at + 2 + 3 * nvert + 3 * nface
    face = np.asarray(model.mesh_graph[first : first + 3 * nface]).reshape(-1, 3)
    adr = int(model.mesh_vertadr[k])
    vert = np.asarray(model.mesh_vert[adr : adr + int(model.mesh_vertnum[k])], float)
    return flat_shape(vert, face)


def hfield_shape(model: Model, k: int) -> Shape:
    """A height field: its surface, four sides and a bottom."""
    rows, columns = int(model.hfield_nrow[k]), int(model.hfield_ncol[k])
    x, y, high, low = (float(n) for n in model.hfield_size[k])
    first = int(model.hfield_adr[k])
    heights = high * np.asarray(model.hfield_data[first : first + rows * columns], float)
    across, along = np.linspace(-x, x, columns), np.linspace(-y, y, rows)
    grid = np.stack([*np.meshgrid(across, along), heights.reshape(rows, columns)], 2)
    number = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (
        part.ravel()
        for part in (number[1:, :-1], number[:-1, :-1], number[1:, 1:], number[:-1, 1:])
    )
    top = np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])
    parts = [flat_shape(grid.reshape(-1, 3), top)]
    for edge in (grid[0], grid[::-1, 0], grid[:, -1], grid[-1, ::-1]):
        floor = edge * [1.0, 1.0, 0.0] - [0.0, 0.0, low]
        parts.append(flat_shape(np.concatenate([floor, edge]), _grid_triangles(2, len(edge))))
    corners = np.array([[-x, -y, -low], [-x, y, -low], [x, y, -low], [x, -y, -low]])
    parts.append(flat_shape(corners, np.array([[0, 1, 2], [0, 2, 3]])))
    return join_shapes(parts)


class ShapeLibrary:
    """All shapes of a model, concatenated to a few arrays.

    radius: bounding radius of each shape, around its origin.
    mesh, hull, hfield: shape of each mesh, hull (-1 for none) and height field of the model.
    most:   largest number of vertices of a shape.
    """

    def __init__(self, model: Model) -> None:
        quality = model.vis.quality
        shapes = primitives(int(quality.numslices), int(quality.numstacks))

        def add(shape: Shape | None) -> int:
            if shape is None:
                return -1
            shapes.append(shape)
            return len(shapes) - 1

        self.mesh = [add(mesh_shape(model, k)) for k in range(model.nmesh)]
        self.hull = [add(hull_shape(model, k)) for k in range(model.nmesh)]
        self.hfield = [add(hfield_shape(model, k)) for k in range(model.nhfield)]
        self.radius = np.array([shape.radius for shape in shapes])
        self.most = max(len(shape.vert) for shape in shapes)
        self.arrays = _concatenated(shapes)
        self._own = {name: len(array) for name, array in self.arrays.items()}

    def put_moving(self, shapes: list[Shape]) -> np.ndarray:
        """Append shapes to the model's own, until the next call.  Returns their numbers."""
        if not shapes:
            return np.zeros(0, np.int32)
        moving = _concatenated(shapes)
        for name, of in INDEX_TARGETS.items():
            moving[name] += self._own[of]
        for name in ("shape_face", "shape_vert"):
            moving[name][:, 0] += self._own[name.removeprefix("shape_")]
        for name, array in moving.items():
            own, end = self._own[name], self._own[name] + len(array)
            if end > len(self.arrays[name]):
                room = np.zeros((end + len(array) // 2, *array.shape[1:]), array.dtype)
                room[:own] = self.arrays[name][:own]
                self.arrays[name] = room
            self.arrays[name][own:end] = array
        first = self._own["shape_vert"]
        own_radii = self.radius[:first]
        self.radius = np.concatenate([own_radii, [shape.radius for shape in shapes]])
        self.most = max(self.most, *(len(shape.vert) for shape in shapes))
        return np.arange(first, first + len(shapes), dtype=np.int32)

    def of_geoms(self, types: np.ndarray, dataids: np.ndarray) -> np.ndarray:
        """Shape of each geom or site; -1 for none. Capsules are tubes."""
        by_type = {
            GeomType.PLANE: PLANE,
            GeomType.SPHERE: SPHERE,
            GeomType.CAPSULE: TUBE,
            GeomType.ELLIPSOID: SPHERE,
            GeomType.CYLINDER: CYLINDER,
            GeomType.BOX: BOX,
        }
        assets = {GeomType.HFIELD: self.hfield, GeomType.MESH: self.mesh, GeomType.SDF: self.mesh}
        found = [
            (assets[kind][k] if k >= 0 else -1) if kind in assets else by_type[GeomType(kind)]
            for kind, k in zip(types.tolist(), dataids.tolist(), strict=True)
        ]
        return np.array(found, np.int32)


def _concatenated(shapes: list[Shape]) -> dict[str, np.ndarray]:
    """Arrays of all shapes, one after another."""

    def starts(name: str) -> list[int]:
        return [0, *np.cumsum([len(getattr(shape, name)) for shape in shapes]).tolist()]

    def numbers(name: str, of: str) -> np.ndarray:
        rows = []
        for shape, start in zip(shapes, starts(of), strict=False):
            own = getattr(shape, name)
            if own is None:
                own = shape.face if len(getattr(shape, of)) > 1 else np.zeros_like(shape.face)
            rows.append(own + start)
        return np.ascontiguousarray(np.concatenate(rows), np.int32)

    def spans(name: str) -> np.ndarray:
        edges = starts(name)
        return np.array([edges[:-1], np.diff(edges)], np.int32).T.copy()

    return {
        "vert": np.concatenate([shape.vert for shape in shapes]).astype(float),
        "normal": np.concatenate([shape.normal for shape in shapes]).astype(float),
        "texcoord": np.concatenate([shape.texcoord for shape in shapes]).astype(float),
        "face": numbers("face", "vert"),
        "face_normal": numbers("face_normal", "normal"),
        "face_texcoord": numbers("face_texcoord", "texcoord"),
        "shape_face": spans("face"),
        "shape_vert": spans("vert"),
    }
