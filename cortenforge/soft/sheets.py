"""Elements of cloth: triangles that resist strain, and hinges that resist bending."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from cortenforge.soft.bodies import Cloth
from cortenforge.soft.family import Family, largest_eigenvalue, periods, weights

#: pairs of triangles that resist a smaller part of what others do are left out
SMALLEST = 1e-9


def membranes(cloth: Cloth, invmass: np.ndarray) -> Family:
    """Triangles with their inverse edges, and stiffness by plane stress."""
    faces, area = cloth.faces, cloth.areas()
    a, b, c = (cloth.rest[faces[:, i]] for i in range(3))
    along, across = b - a, c - a
    length = np.linalg.norm(along, axis=1)
    # edges in the triangle's plane: the first along x
    x = np.einsum("ij,ij->i", along, across) / length
    edges = np.zeros((len(faces), 2, 2))
    edges[:, 0, 0], edges[:, 0, 1], edges[:, 1, 1] = length, x, 2 * area / length
    inverse = np.linalg.inv(edges)
    gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    weight = weights(gradients, invmass[faces])
    volume, material = area * cloth.thickness, cloth.material
    mu = material.shear * volume
    lam = (material.plane_lame + material.shear) * volume
    columns = {
        "vert": faces,
        "inv": inverse.reshape(-1, 4),
        "weight": weight,
        "mu": mu,
        "lambda": lam,
    }
    return Family(columns, periods(2 * np.maximum(mu, lam) * largest_eigenvalue(weight)))


def hinges(cloth: Cloth, invmass: np.ndarray) -> Family:
    """Pairs of triangles with the weights of their bending vectors, and their stiffness.

    The bending vector is as long as twice the sine of half the turning angle, and stands on the
    edge. For a pair that turns by an angle the energy is k/2 angle^2.
    """
    vert, sides = _pairs(cloth.faces)
    coef, frames = _bending(cloth.rest, vert)
    stiffness = _stiffness(cloth, vert, sides, frames)
    kept = stiffness > SMALLEST * max(float(stiffness.max(initial=0.0)), 1e-300)
    vert, coef, stiffness = vert[kept], coef[kept], stiffness[kept]
    weight = (invmass[vert] * coef**2).sum(axis=1)
    columns = {
        "vert": vert,
        "coef": coef,
        "bend": _bend_at_rest(cloth.rest, vert, coef),
        "weight": weight,
        "stiffness": stiffness,
    }
    return Family(columns, periods(stiffness * weight))


def _pairs(faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices of pairs of triangles (edge, edge, opposite, opposite); the edge's place in each.

    Places are numbers 3 * triangle + corner, the corner being the opposite one.
    """
    half = faces[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2)
    opposite = faces.reshape(-1)
    edges, inverse = np.unique(np.sort(half, axis=1), axis=0, return_inverse=True)
    order = np.argsort(inverse.ravel(), kind="stable")
    counts = np.bincount(inverse.ravel(), minlength=len(edges))
    first = np.cumsum(counts) - counts
    inner = first[counts == 2]
    sides = np.stack([order[inner], order[inner + 1]], axis=1)
    vert = np.concatenate([half[sides[:, 0]], opposite[sides]], axis=1)
    return vert, sides


def _bending(rest: np.ndarray, vert: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of bending vectors, and tensors that give turning angles.

    For a sheet of curvature S in the frame of the edge (along it, across it, towards the first
    opposite vertex), the angle is half the sum of the products of S with the tensor.
    """
    a, b, c, d = (rest[vert[:, i]] for i in range(4))
    edge = b - a
    length = np.linalg.norm(edge, axis=1)
    axis = edge / length[:, None]
    coef = np.zeros((len(vert), 4))
    flat = np.zeros((len(vert), 4, 2))
    flat[:, 1, 0] = length
    for place, (corner, sign) in enumerate(((c, 1.0), (d, -1.0)), start=2):
        foot = np.einsum("ij,ij->i", corner - a, axis)
        height = np.linalg.norm(corner - a - foot[:, None] * axis, axis=1)
        coef[:, place] = 1 / height
        coef[:, 0] -= (1 - foot / length) / height
        coef[:, 1] -= foot / length / height
        flat[:, place, 0], flat[:, place, 1] = foot, sign * height
    return coef, np.einsum("ni,nij,nik->njk", coef, flat, flat)


def _stiffness(
    cloth: Cloth, vert: np.ndarray, sides: np.ndarray, tensors: np.ndarray
) -> np.ndarray:
    """Stiffness of pairs, so that bending into cylinders costs what a plate's bending does.

    Each triangle asks for the stiffness of its three pairs that fits best in all directions of
    its plane; for right and for equilateral triangles that is exact. A pair has the mean of what
    its two triangles ask for, and one factor for all makes the mean energy right.
    """
    faces, area = cloth.faces, cloth.areas()
    rigidity = cloth.bending * cloth.material.young * cloth.thickness**3 / 12
    own = _triangle_tensors(cloth.rest, faces)
    inner = np.zeros(3 * len(faces), bool)
    for side in range(2):
        turned = _in_triangle(cloth.rest, faces, sides[:, side], vert, tensors, side)
        own.reshape(-1, 2, 2)[sides[:, side]] = turned
        inner[sides[:, side]] = True
    asked = _best_fit(own, area)
    stiffness = 0.5 * (asked.reshape(-1)[sides[:, 0]] + asked.reshape(-1)[sides[:, 1]])
    used = np.zeros(3 * len(faces))
    used[sides] = stiffness[:, None]
    whole = inner.reshape(-1, 3).all(axis=1)
    actual = 0.5 * (used.reshape(-1, 3) * _mean_square(own)).sum(axis=1)
    factor = float(area[whole].sum() / actual[whole].sum()) if actual[whole].sum() > 0 else 1.0
    found: np.ndarray = rigidity * factor * stiffness
    return found


def _triangle_tensors(rest: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Tensors (n, 3, 2, 2) of each triangle's edges as if its mirror image lay beyond them."""
    flat = _flat(rest, faces)
    tensors = np.empty((len(faces), 3, 2, 2))
    for corner in range(3):
        start, end = flat[:, (corner + 1) % 3], flat[:, (corner + 2) % 3]
        length = np.linalg.norm(end - start, axis=1)[:, None]
        along = (end - start) / length
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        foot = ((flat[:, corner] - start) * along).sum(axis=1)[:, None]
        height = np.abs(((flat[:, corner] - start) * across).sum(axis=1))[:, None]
        tensors[:, corner] = 2 * np.einsum("ni,nj->nij", height * across, across)
        tensors[:, corner] -= 2 * np.einsum(
            "ni,nj->nij", foot * (length - foot) / height * along, along
        )
    return tensors


def _flat(rest: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Corners of triangles in their own planes (n, 3, 2): the first edge is along x."""
    a, b, c = (rest[faces[:, i]] for i in range(3))
    length = np.linalg.norm(b - a, axis=1)
    x = np.einsum("ij,ij->i", b - a, c - a) / length
    flat = np.zeros((len(faces), 3, 2))
    flat[:, 1, 0], flat[:, 2, 0] = length, x
    flat[:, 2, 1] = np.linalg.norm(np.cross(b - a, c - a), axis=1) / length
    return flat


def _in_triangle(
    rest: np.ndarray,
    faces: np.ndarray,
    places: np.ndarray,
    vert: np.ndarray,
    tensors: np.ndarray,
    side: int,
) -> np.ndarray:
    """Tensors of pairs, from frames of their edges into those of one of their triangles."""
    triangle, corner = places // 3, places % 3
    flat = _flat(rest, faces)[triangle]
    row = np.arange(len(places))
    member = faces[triangle]
    start = flat[row, np.argmax(member == vert[:, :1], axis=1)]
    end = flat[row, np.argmax(member == vert[:, 1:2], axis=1)]
    along = (end - start) / np.linalg.norm(end - start, axis=1)[:, None]
    towards = flat[row, corner] - start
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    across *= np.sign((across * towards).sum(axis=1))[:, None]
    frame = np.stack([along, across if side == 0 else -across], axis=1)
    found: np.ndarray = np.einsum("nia,nij,njb->nab", frame, tensors, frame)
    return found


def _quartics(tensors: np.ndarray) -> np.ndarray:
    """Squares of turning angles as functions of the direction, by values in eight directions."""
    angle = np.arange(8) * np.pi / 8
    directions = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    turning = 0.5 * np.einsum("...ij,ki,kj->...k", tensors, directions, directions)
    found: np.ndarray = turning**2
    return found


def _mean_square(tensors: np.ndarray) -> np.ndarray:
    found: np.ndarray = _quartics(tensors).mean(axis=-1)
    return found


def _best_fit(tensors: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Stiffness (n, 3), none negative, for which half the energies of pairs best make the area's.

    All ways to leave pairs out are tried; there are seven.
    """
    squares = 0.5 * _quartics(tensors)
    normal = np.einsum("nik,njk->nij", squares, squares)
    right = squares.sum(axis=2) * area[:, None]
    best = np.zeros((len(area), 3))
    least = np.full(len(area), np.inf)
    for kept in (list(one) for size in (3, 2, 1) for one in combinations(range(3), size)):
        part = normal[:, kept][:, :, kept]
        scale = np.einsum("nii->n", part) + 1e-300
        solved = np.linalg.solve(
            part + 1e-12 * scale[:, None, None] * np.eye(len(kept)), right[:, kept, None]
        )[:, :, 0]
        full = np.zeros_like(best)
        full[:, kept] = solved
        error = ((np.einsum("ni,nik->nk", full, squares) - area[:, None]) ** 2).sum(axis=1)
        better = (full >= 0).all(axis=1) & (error < least * (1 - 1e-9))
        best[better], least[better] = full[better], error[better]
    return best


def _bend_at_rest(rest: np.ndarray, vert: np.ndarray, coef: np.ndarray) -> np.ndarray:
    """Bending vectors at rest, along the normals of pairs."""
    a, b, c, d = (rest[vert[:, i]] for i in range(4))
    normal = np.cross(b - a, c - a) + np.cross(d - a, b - a)
    length = np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    vector = np.einsum("ni,nij->nj", coef, rest[vert])
    bend: np.ndarray = (vector * normal).sum(axis=1) / length
    bend[np.abs(bend) < 1e-12] = 0.0
    return bend
