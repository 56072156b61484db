"""Passes over the triangles of a mesh: vertex normals, volume and inertia, leaves of its tree.

Sums are in the order of faces, and products are rounded before they are added, as in MuJoCo:
bounding volume trees are sorted by centres of slivers, where one bit makes another tree.
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.compile.mesh.ear_clipping_kernels import rounded_to_single
from cortenforge.kernel import kernel, vec3
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on
from cortenforge.spec.rotation import MIN_NORM

MINVAL = 1e-15
# cosine of the angle between a face and its vertex's normal beyond which the face is left out
SHARP_COSINE = 0.8
#: with fewer faces, kernels run as plain Python
MAX_PLAIN_FACES = 16
#: places in the sums of a mesh: area of its surface, volume, centre, volume about the centre, and
#: integrals of xx, yy, zz, xy, xz, yz
AREA, VOLUME, CENTRE, INNER, PRODUCTS, SUMS = 0, 1, 2, 5, 6, 12

SURFACE_LAYOUT = StructLayout(
    "Surface",
    [
        ("nface", "size", (), True),
        ("nsolid", "size", (), True),
        ("smooth", "size", (), True),
        ("shell", "size", (), True),
        ("legacy", "size", (), True),
        ("face", "int", (), False),
        ("solid", "int", (), False),
        ("vert", "vec3", (), False),
    ],
    constant=True,
)
PASS_LAYOUT = StructLayout(
    "SurfacePass",
    [
        ("total", "real", (), False),
        ("sharp", "real", (), False),
        ("sums", "real", (), False),
        ("place", "real", (), False),
        ("low", "real", (), False),
        ("high", "real", (), False),
    ],
    constant=False,
)


@kernel
def separate_dot(a, b):
    """Scalar product, with products rounded before they are added."""
    x = a.x * b.x
    y = a.y * b.y
    z = a.z * b.z
    return x + y + z


@kernel
def separate_cross(a, b):
    """Vector product, with products rounded before they are subtracted."""
    yz, zy = a.y * b.z, a.z * b.y
    zx, xz = a.z * b.x, a.x * b.z
    xy, yx = a.x * b.y, a.y * b.x
    return vec3(yz - zy, zx - xz, xy - yx)


@kernel
def divided_by(a, divisor):
    """A vector divided by a number, component by component."""
    return vec3(a.x / divisor, a.y / divisor, a.z / divisor)


# ------------------------------------------------------------------------------ vertex normals


@kernel
def normalized_with_length(a):
    """A vector of unit length and the length it had; a too short one stays, with length 0."""
    square = separate_dot(a, a)
    length = math.sqrt(square)
    if square < MIN_NORM:
        length = 0.0
    divisor = length
    if length == 0.0 or abs(length - 1.0) <= MIN_NORM:
        divisor = 1.0
    return divided_by(a, divisor), length


@kernel
def face_unit_and_share(m, f: int):
    """Unit normal of a face, and that times twice its area."""
    a = m.vert[m.face[3 * f]]
    normal = separate_cross(m.vert[m.face[3 * f + 1]] - a, m.vert[m.face[3 * f + 2]] - a)
    unit, area = normalized_with_length(normal)
    return unit, unit * area


@kernel
def add_in_single(total, v: int, share):
    """Add to a row of numbers in single precision, each sum rounded to it."""
    total[3 * v] = rounded_to_single(total[3 * v] + share.x)
    total[3 * v + 1] = rounded_to_single(total[3 * v + 1] + share.y)
    total[3 * v + 2] = rounded_to_single(total[3 * v + 2] + share.z)


@kernel(entry=True)
def sum_vertex_normals(m, d, count: int):
    """Sums of the normals of faces around each vertex: of all, and of those that are sharp there.

    With `smooth` none is sharp.
    """
    for f in range(m.nface):
        _, share = face_unit_and_share(m, f)
        for k in range(3):
            add_in_single(d.total, m.face[3 * f + k], share)
    if m.smooth == 0:
        for f in range(m.nface):
            unit, share = face_unit_and_share(m, f)
            for k in range(3):
                v = m.face[3 * f + k]
                around = vec3(d.total[3 * v], d.total[3 * v + 1], d.total[3 * v + 2])
                around, _ = normalized_with_length(around)
                if separate_dot(unit, around) < SHARP_COSINE:
                    add_in_single(d.sharp, v, share)
    return 0


# -------------------------------------------------------------------------- volume and inertia


@kernel
def triangle_measures(a, b, c):
    """Area, unit normal and centroid of a triangle; a degenerate one has area 0."""
    normal = separate_cross(b - a, c - a)
    length = math.sqrt(separate_dot(normal, normal))
    area = 0.5 * length
    if length < MINVAL:
        area = 0.0
        length = 1.0
    return area, divided_by(normal, length), divided_by(a + b + c, 3.0)


@kernel
def share_of_triangle(m, a, b, c, about):
    """Volume of the tetrahedron between a triangle and a point, or the triangle's area.

    Also returns its centroid.
    """
    area, normal, middle = triangle_measures(a, b, c)
    part = area
    if m.shell == 0:
        part = separate_dot(middle - about, normal) * area / 3.0
    if m.legacy == 1:
        part = abs(part)
    return part, middle


@kernel
def add_to_sums(d, first: int, values):
    """Add a vector to three sums."""
    d.sums[first] += values.x
    d.sums[first + 1] += values.y
    d.sums[first + 2] += values.z


@kernel
def sum_areas(m, d):
    """Area of the surface; returns its centroid."""
    whole = 0.0
    moment = vec3(0.0, 0.0, 0.0)
    for f in range(m.nface):
        area, _, middle = triangle_measures(
            m.vert[m.face[3 * f]], m.vert[m.face[3 * f + 1]], m.vert[m.face[3 * f + 2]]
        )
        whole += area
        part = middle * area
        moment = moment + part
    d.sums[AREA] = whole
    return divided_by(moment, whole)


@kernel
def sum_volumes(m, d, about):
    """Volume (or area) and centre, from tetrahedra between a point and the faces."""
    for f in range(m.nsolid):
        part, middle = share_of_triangle(
            m,
            m.vert[m.solid[3 * f]],
            m.vert[m.solid[3 * f + 1]],
            m.vert[m.solid[3 * f + 2]],
            about,
        )
        d.sums[VOLUME] += part
        centre = divided_by(middle * 3.0, 4.0) + divided_by(about, 4.0)
        add_to_sums(d, CENTRE, centre * part)
    if d.sums[VOLUME] >= MINVAL:
        for k in range(3):
            d.sums[CENTRE + k] = d.sums[CENTRE + k] / d.sums[VOLUME]


@kernel
def pair_products(ai, aj, bi, bj, ci, cj):
    """Sum of products of coordinates i and j of all pairs of corners, each with itself twice."""
    aa, bb, cc = ai * aj, bi * bj, ci * cj
    total = aa + bb + cc
    total = 2.0 * total
    ab, ba = ai * bj, bi * aj
    ac, ca = ai * cj, ci * aj
    bc, cb = bi * cj, ci * bj
    return total + ab + ba + ac + ca + bc + cb


@kernel
def sum_products(m, d, centre):
    """Volume (or area) and integrals of products of coordinates, about a point."""
    origin = vec3(0.0, 0.0, 0.0)
    divisor = 12.0 if m.shell == 1 else 20.0
    for f in range(m.nsolid):
        a = m.vert[m.solid[3 * f]] - centre
        b = m.vert[m.solid[3 * f + 1]] - centre
        c = m.vert[m.solid[3 * f + 2]] - centre
        part, _ = share_of_triangle(m, a, b, c, origin)
        d.sums[INNER] += part
        weight = part / divisor
        squares = vec3(
            pair_products(a.x, a.x, b.x, b.x, c.x, c.x),
            pair_products(a.y, a.y, b.y, b.y, c.y, c.y),
            pair_products(a.z, a.z, b.z, b.z, c.z, c.z),
        )
        mixed = vec3(
            pair_products(a.x, a.y, b.x, b.y, c.x, c.y),
            pair_products(a.x, a.z, b.x, b.z, c.x, c.z),
            pair_products(a.y, a.z, b.y, b.z, c.y, c.z),
        )
        add_to_sums(d, PRODUCTS, squares * weight)
        add_to_sums(d, PRODUCTS + 3, mixed * weight)


@kernel(entry=True)
def sum_surface(m, d, count: int):
    """All sums of a mesh: area, volume, centre, and integrals of products about the centre."""
    about = sum_areas(m, d)
    sum_volumes(m, d, about)
    sum_products(m, d, vec3(d.sums[CENTRE], d.sums[CENTRE + 1], d.sums[CENTRE + 2]))
    return 0


# ------------------------------------------------------------------------------ leaves of trees


@kernel
def write_leaf_edge(m, d, leaf: int, axis: int, place, p, q, r):
    """Along an axis: the point that a triangle is sorted by, and both ends of its box."""
    low, high = min(min(p, q), r), max(max(p, q), r)
    middle = low + high
    half = high - low
    middle = 0.5 * middle
    half = 0.5 * half
    d.place[axis * m.nface + leaf] = place
    d.low[3 * leaf + axis] = middle - half
    d.high[3 * leaf + axis] = middle + half


@kernel(entry=True)
def write_face_leaves(m, d, count: int):
    """Boxes of triangles, and centres of their circumscribed circles, as leaves of a tree."""
    for f in range(m.nface):
        p, q, r = m.vert[m.face[3 * f]], m.vert[m.face[3 * f + 1]], m.vert[m.face[3 * f + 2]]
        a = p - r
        b = q - r
        normal = separate_cross(a, b)
        area = math.sqrt(separate_dot(normal, normal))
        along_b = b * separate_dot(a, a)
        along_a = a * separate_dot(b, b)
        away = separate_cross(along_b - along_a, normal)
        place = divided_by(away, 2.0 * area * area) + r
        write_leaf_edge(m, d, f, 0, place.x, p.x, q.x, r.x)
        write_leaf_edge(m, d, f, 1, place.y, p.y, q.y, r.y)
        write_leaf_edge(m, d, f, 2, place.z, p.z, q.z, r.z)
    return 0


@registered(lambda: [sum_vertex_normals, sum_surface, write_face_leaves])
def surface_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(SURFACE_LAYOUT, PASS_LAYOUT)


def vertex_normal_sums(
    face: np.ndarray, vert: np.ndarray, *, smooth: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of normals times areas around vertices: of all faces, and of those that are sharp there.

    They have single precision.

    face: `(n, 3)` indices;  vert: `(n, 3)`.
    """
    made = {name: np.zeros((len(vert), 3)) for name in ("total", "sharp")}
    given = _given(face, vert) | {"smooth": int(smooth)}
    run_on(sum_vertex_normals, surface_linker, given, made, small=len(face) < MAX_PLAIN_FACES)
    return made["total"].astype(np.float32), made["sharp"].astype(np.float32)


def surface_sums(
    face: np.ndarray, vert: np.ndarray, solid: np.ndarray, *, shell: bool, legacy: bool
) -> np.ndarray:
    """Sums of a mesh, at the places AREA and so on.

    solid:  the faces that bound its volume.
    shell:  areas in place of volumes.
    legacy: each tetrahedron's volume is positive.
    """
    made = {"sums": np.zeros(SUMS)}
    given = _given(face, vert) | {
        "nsolid": len(solid),
        "shell": int(shell),
        "legacy": int(legacy),
        "solid": np.ascontiguousarray(solid, np.int32),
    }
    run_on(sum_surface, surface_linker, given, made, small=len(face) < MAX_PLAIN_FACES)
    return made["sums"]


def face_leaves(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Leaves of the tree over the faces of a mesh.

    Points to sort them by, `(3, faces)`, lowest and highest corners of their boxes, `(faces, 3)`.
    """
    place, low, high = np.empty((3, len(face))), *np.empty((2, len(face), 3))
    made = {"place": place, "low": low, "high": high}
    small = len(face) < MAX_PLAIN_FACES
    run_on(write_face_leaves, surface_linker, _given(face, vert), made, small=small)
    return place, low, high


def _given(face: np.ndarray, vert: np.ndarray) -> dict[str, np.ndarray | int]:
    return {
        "nface": len(face),
        "face": np.ascontiguousarray(face, np.int32),
        "vert": np.ascontiguousarray(vert, np.float64),
    }
