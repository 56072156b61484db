"""Builtin meshes made from parameters: spheres, cones, tori, surfaces of tactile sensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from cortenforge.compile.mesh.grid_meshes import KINDS, grid_mesh
from cortenforge.compile.mesh.raw_mesh import MeshError, RawMesh

PARAMETERS = {
    "sphere": "subdivision",
    "hemisphere": "resolution",
    "cone": "nvert radius",
    "supersphere": "resolution e n",
    "supertorus": "resolution radius s t",
    "wedge": "res_phi res_theta fov_phi fov_theta gamma",
    "plate": "res_x res_y",
}
# limits: a few characters of a file must not ask for unlimited time and memory
MOST_EDGES, MOST_STEPS = 1000, 200
GOLDEN = np.float32((1 + math.sqrt(5)) / 2)
ICOSAHEDRON = "0b5 051 017 07a 0ab 159 5b4 ba2 a76 718 394 342 326 368 389 495 24b 62a 867 981"


def builtin_mesh(kind: str, params: tuple[float, ...]) -> RawMesh:
    """A mesh of one of MuJoCo's builtin kinds."""
    if kind in KINDS:
        return grid_mesh(kind, params)
    names = PARAMETERS[kind].split()
    if len(params) != len(names):
        raise MeshError(
            f'builtin "{kind}" takes {len(names)} parameters ({", ".join(names)}), '
            f"not {len(params)}"
        )
    makers: dict[str, Callable[..., RawMesh]] = {
        "sphere": _sphere,
        "hemisphere": _hemisphere,
        "cone": _cone,
        "supersphere": _supersphere,
        "supertorus": _supertorus,
        "wedge": _wedge,
        "plate": _plate,
    }
    return makers[kind](*params)


def _within(name: str, value: float, low: float, high: float = math.inf) -> None:
    if not low <= value <= high:
        bounds = f"at least {low:g}" if high == math.inf else f"between {low:g} and {high:g}"
        raise MeshError(f"{name} is {value:g}; it must be {bounds}")


def _count(name: str, value: float, low: int, high: float = MOST_STEPS) -> int:
    """A count given as a number; decimals are dropped."""
    _within(name, int(value), low, high)
    return int(value)


def _raw(vert: np.ndarray, face: np.ndarray | Sequence[Sequence[int]] | None = None) -> RawMesh:
    raw = RawMesh(vert=np.asarray(vert, np.float32).reshape(-1, 3))
    if face is not None:
        raw.face = np.array(face, np.int32).reshape(-1, 3)
    return raw


def _sphere(subdivision: float) -> RawMesh:
    """Icosphere: an icosahedron whose triangles are split in four repeatedly."""
    rounds = _count("subdivision", subdivision, 0, 4)
    p, one, zero = GOLDEN, np.float32(1), np.float32(0)
    plane = [(-one, p), (one, p), (-one, -p), (one, -p)]
    corners = [(a, b, zero) for a, b in plane] + [(zero, a, b) for a, b in plane]
    corners += [(b, zero, a) for a, b in plane]
    length = math.sqrt(1 + float(p) * float(p))
    vert = [np.array(corner, float) / length for corner in corners]
    points = [point.astype(np.float32) for point in vert]
    faces = [tuple(int(c, 16) for c in word) for word in ICOSAHEDRON.split()]
    for _ in range(rounds):
        faces = _subdivided(points, faces)
    return _raw(np.array(points), faces)


def _subdivided(points: list[np.ndarray], faces: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Faces split in four; midpoints of edges are projected onto the unit sphere."""
    known: dict[tuple[int, int], int] = {}

    def middle(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in known:
            x, y, z = (points[a] + points[b]) / np.float32(2)
            length = np.sqrt(x * x + y * y + z * z)
            known[key] = len(points)
            points.append(np.array((x, y, z), np.float32) / length)
        return known[key]

    result: list[tuple[int, ...]] = []
    for a, b, c in faces:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        result += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    return result


def _hemisphere(resolution: float) -> RawMesh:
    """Rings of a pyramid's four sides, projected onto the unit sphere, and a flat bottom."""
    res = _count("resolution", resolution, 0, 10)
    pole = np.array((0.0, 0.0, 1.0))
    equator = np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], float)
    vert = [pole]
    for row in range(res + 1):
        factor = (row + 1) / (res + 1)
        for side in range(4):
            start = pole + factor * (equator[side] - pole)
            end = pole + factor * (equator[(side + 1) % 4] - pole)
            for i in range(row + 1):
                point = start + i * ((end - start) / (row + 1))
                vert.append(point / math.sqrt(point @ point))
    vert.append(np.zeros(3))
    faces = [(0, i + 1, (i + 1) % 4 + 1) for i in range(4)]
    for row in range(res):
        faces += _ring_faces(row)
    first, count = 2 * res * (res + 1) + 1, 4 * (res + 1)
    faces += [(first + i, len(vert) - 1, first + (i + 1) % count) for i in range(count)]
    return _raw(np.array(vert), faces)


def _ring_faces(row: int) -> list[tuple[int, int, int]]:
    """Faces between two consecutive rings of a hemisphere."""
    near, here = 2 * row * (row + 1) + 1, 4 * (row + 1)
    far, there = near + here, 4 * (row + 2)
    faces = []
    for side in range(4):
        for i in range(row + 2):
            a, b = i + (row + 1) * side, i + (row + 2) * side
            inner, outer = near + a % here, far + (b + 1) % there
            faces.append((inner, far + b % there, outer))
            if i < row + 1:
                faces.append((inner, outer, near + (a + 1) % here))
    return faces


def _cone(nvert: float, radius: float) -> RawMesh:
    """A polygon at the bottom, a smaller one or a point at the top."""
    count = _count("nvert", nvert, 3, MOST_EDGES)
    _within("radius", radius, 0, 1)
    turn = 2 * np.arange(2 * count) * math.pi / count
    x, y = np.cos(turn), np.sin(turn)
    bottom = np.stack([x, y, np.full(2 * count, -1.0)], axis=1)[:count]
    top = np.array([(0.0, 0.0, 1.0)])
    if radius > 0:
        top = np.stack([radius * x, radius * y, np.full(2 * count, 1.0)], axis=1)[count:]
    return _raw(np.concatenate([bottom, top]))


def _signed_power(wave: np.ndarray, power: float) -> np.ndarray:
    """Signed power: sign(w) |w|^p."""
    result: np.ndarray = np.copysign(np.abs(wave) ** power, wave)
    return result


def _supersphere(resolution: float, e: float, n: float) -> RawMesh:
    """Superellipsoid: a sphere whose sines and cosines have exponents."""
    res = _count("resolution", resolution, 3)
    _within("e", e, 0)
    _within("n", n, 0)
    v = (-math.pi / 2 + np.arange(1, res) * math.pi / res)[:, None]
    u = (-math.pi + np.arange(res) * 2 * math.pi / res)[None, :]
    ring = _signed_power(np.cos(v), n)
    rows = np.broadcast_arrays(
        ring * _signed_power(np.cos(u), e),
        ring * _signed_power(np.sin(u), e),
        _signed_power(np.sin(v), n),
    )
    vert = np.concatenate([[(0, 0, -1.0)], np.stack(rows, axis=2).reshape(-1, 3), [(0, 0, 1.0)]])
    j = np.arange(res)
    following = (j + 1) % res
    south = np.stack([0 * j, 1 + following, 1 + j], axis=1)
    rings = 1 + res * np.arange(res - 2)[:, None]
    quads = np.stack(
        np.broadcast_arrays(rings + j, rings + following, rings + res + following, rings + res + j),
        axis=2,
    ).reshape(-1, 4)
    last = 1 + (res - 2) * res
    north = np.stack([last + j, last + following, 0 * j + len(vert) - 1], axis=1)
    return _raw(vert, np.concatenate([south, _triangles(quads), north]))


def _triangles(quads: np.ndarray) -> np.ndarray:
    """Two triangles of each quad, one after the other."""
    return np.stack([quads[:, [0, 1, 3]], quads[:, [1, 2, 3]]], axis=1).reshape(-1, 3)


def _supertorus(resolution: float, radius: float, s: float, t: float) -> RawMesh:
    """A torus whose sines and cosines have exponents."""
    res = _count("resolution", resolution, 3)
    for name, value, high in (("radius", radius, 1.0), ("s", s, math.inf), ("t", t, math.inf)):
        if not 0 < value <= high:
            raise MeshError(f"{name} is {value:g}; it must be greater than 0, at most {high:g}")
    i = np.arange(res)
    u, v = (2 * math.pi * i / res)[:, None], (2 * math.pi * i / res)[None, :]
    tube = 1 + radius * _signed_power(np.cos(v), s)
    rows = np.broadcast_arrays(
        tube * _signed_power(np.cos(u), t),
        tube * _signed_power(np.sin(u), t),
        radius * _signed_power(np.sin(v), s),
    )
    a, b = np.meshgrid(i, i, indexing="ij")
    c, d = (a + 1) % res, (b + 1) % res
    corners = (a * res + b, c * res + b, c * res + d, a * res + d)
    quads = np.stack(corners, axis=2).reshape(-1, 4)
    return _raw(np.stack(rows, axis=2).reshape(-1, 3), _triangles(quads))


def _wedge(
    res_phi: float, res_theta: float, fov_phi: float, fov_theta: float, gamma: float
) -> RawMesh:
    """Directions on a part of the unit sphere, each with a frame of three normals."""
    counts = _count("res_phi", res_phi, 1), _count("res_theta", res_theta, 1)
    for name, value, high in (("fov_phi", fov_phi, 180.0), ("fov_theta", fov_theta, 90.0)):
        if not 0 < value <= high:
            raise MeshError(f"{name} is {value:g}; it must be greater than 0, at most {high:g}")
    _within("gamma", gamma, 0, 1)
    x, y = (
        _foveal_edges(n, gamma) * (fov * math.pi / 180)
        for n, fov in zip(counts, (fov_phi, fov_theta), strict=True)
    )
    grids = np.meshgrid(0.5 * (x[1:] + x[:-1]), 0.5 * (y[1:] + y[:-1]), indexing="ij")
    a, e = (grid.ravel() for grid in grids)
    raw = _raw(np.stack([np.cos(e) * np.sin(a), np.sin(e), -np.cos(e) * np.cos(a)], axis=1))
    side = np.stack([np.cos(e) * np.cos(a), 0 * a, np.cos(e) * np.sin(a)], axis=1)
    up = np.stack([-np.sin(e) * np.sin(a), np.cos(e), np.sin(e) * np.cos(a)], axis=1)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    frames = np.stack([np.cross(up, side), side, up], axis=1)
    raw.normal = frames.reshape(-1, 3).astype(np.float32)
    return raw


def _foveal_edges(count: int, gamma: float) -> np.ndarray:
    """Edges of bins from -1 to 1, denser in the middle."""
    steps = np.full(count + 1, 2.0 / count)
    steps[0] = -1.0
    edges = np.cumsum(steps)
    return edges if gamma == 0 else gamma * edges**5 + (1 - gamma) * edges


def _plate(res_x: float, res_y: float) -> RawMesh:
    """Centres of the cells of a square, each with a frame of three normals; without volume."""
    nx, ny = _count("res_x", res_x, 1), _count("res_y", res_y, 1)
    i, j = np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij")
    x, y = -1 + (i + 0.5) * (2.0 / nx), -1 + (j + 0.5) * (2.0 / ny)
    raw = _raw(np.stack([x, y, np.full_like(x, -1.0)], axis=2))
    raw.normal = np.tile(np.eye(3, dtype=np.float32), (nx * ny, 1))
    corner = (i * ny + j)[:-1, :-1].ravel()
    quads = np.stack(
        [corner, corner + ny, corner + 1, corner + ny + 1, corner + 1, corner + ny], axis=1
    )
    raw.face = quads.reshape(-1, 3).astype(np.int32)
    raw.shell = True
    return raw
