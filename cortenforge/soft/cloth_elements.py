"""Elements of cloth: membranes in plane stress, and hinges that resist bending.

    B = bending E t^3 / 12        bending stiffness of a sheet of thickness t, for a unit of width
    k = 3/4 B (l / H) (1 + (min(c / H, 1))^p)    of a hinge of angle phi, with energy k/2 phi^2

l is the length of the edge, H the mean height of both triangles over it, c the distance of their
circumcentres, p = ln(1/2) / ln(2/3). For the weights of the bending vector see
`step/soft/hinge.py`.
"""

from __future__ import annotations

import numpy as np

from cortenforge.soft.bodies import Cloth
from cortenforge.soft.element_family import (
    Family,
    gradient_gram,
    largest_eigenvalue,
    longest_substeps,
)

#: the power p, with which grids of equilateral triangles and of squares are equally stiff
REGULAR = np.log(0.5) / np.log(2 / 3)


def cloth_membranes(cloth: Cloth, invmass: np.ndarray) -> Family:
    """Triangles: inverse edge matrices, and moduli times volume, for plane stress."""
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
    weight = gradient_gram(gradients, invmass[faces])
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
    return Family(columns, longest_substeps(2 * np.maximum(mu, lam) * largest_eigenvalue(weight)))


def cloth_hinges(cloth: Cloth, invmass: np.ndarray) -> Family:
    """Pairs of triangles: weights of the bending vector, its length at rest, and stiffness k.

    The bending vector is orthogonal to the edge, and 2 sin(phi/2) long where the pair is folded by
    phi. The energy is k/2 of its square, about k/2 phi^2.
    """
    vert = _adjacent_triangle_pairs(cloth.faces)[: None if cloth.bending > 0 else 0]
    coef, shape = _bending_weights(cloth.rest, vert)
    stiffness = _stiffness(cloth, shape)
    weight = (invmass[vert] * coef**2).sum(axis=1)
    columns = {
        "vert": vert,
        "coef": coef,
        "bend": _bend_at_rest(cloth.rest, vert, coef),
        "weight": weight,
        "stiffness": stiffness,
    }
    return Family(
        columns, longest_substeps(_vertex_stiffness_bound(vert, coef, stiffness, invmass))
    )


def _vertex_stiffness_bound(
    vert: np.ndarray, coef: np.ndarray, stiffness: np.ndarray, invmass: np.ndarray
) -> np.ndarray:
    """Half of a bound of stiffness over mass at the vertices of each pair, the largest [1/s^2].

    Pairs around a vertex bend together, so they are stiffer than each of them.
    """
    pulls = stiffness[:, None] * np.abs(coef) * np.abs(coef).sum(axis=1)[:, None]
    total = np.bincount(vert.reshape(-1), weights=pulls.reshape(-1), minlength=len(invmass))
    found: np.ndarray = 0.5 * (total * invmass)[vert].max(axis=1)
    return found


def _adjacent_triangle_pairs(faces: np.ndarray) -> np.ndarray:
    """Rows of four vertices for each inner edge: its two ends, and the two opposite vertices."""
    half = faces[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2)
    opposite = faces.reshape(-1)
    edges, inverse = np.unique(np.sort(half, axis=1), axis=0, return_inverse=True)
    order = np.argsort(inverse.ravel(), kind="stable")
    counts = np.bincount(inverse.ravel(), minlength=len(edges))
    first = np.cumsum(counts) - counts
    inner = first[counts == 2]
    sides = np.stack([order[inner], order[inner + 1]], axis=1)
    found: np.ndarray = np.concatenate([half[sides[:, 0]], opposite[sides]], axis=1)
    return found


def _bending_weights(rest: np.ndarray, vert: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(coef, shape): weights of bending vectors (n, 4), and proportions of pairs (n, 2).

    Columns of shape: l / H and c / H, the edge and the distance of circumcentres by the mean
    height of both triangles over the edge.
    """
    a, b, c, d = (rest[vert[:, i]] for i in range(4))
    edge = b - a
    length = np.linalg.norm(edge, axis=1)
    axis = edge / length[:, None]
    coef = np.zeros((len(vert), 4))
    heights, apart = np.zeros(len(vert)), np.zeros(len(vert))
    for place, corner in ((2, c), (3, d)):
        part = np.einsum("ij,ij->i", corner - a, axis) / length
        height = np.linalg.norm(corner - a - (part * length)[:, None] * axis, axis=1)
        coef[:, place] = 1 / height
        coef[:, 0] -= (1 - part) / height
        coef[:, 1] -= part / height
        heights += 0.5 * height
        apart += 0.5 * (height - part * (1 - part) * length**2 / height)
    return coef, np.stack([length / heights, np.maximum(apart, 0) / heights], axis=1)


def _stiffness(cloth: Cloth, shape: np.ndarray) -> np.ndarray:
    """Stiffness k of pairs, so that a strip bends as a beam, E t^3 / 12 for a unit of width.

    A sheet of hinges also deforms between them, so bending of a smooth sheet alone does not give
    its stiffness. With all these deformations, the rule is exact, in all directions, for grids
    whose diagonals alternate and for equilateral triangles; triangles twice as long as wide are
    off by a third.
    """
    rigidity = cloth.bending * cloth.material.young * cloth.thickness**3 / 12
    edge_ratio, centre_ratio = shape.T
    found: np.ndarray = rigidity * 0.75 * edge_ratio * (1 + np.minimum(centre_ratio, 1) ** REGULAR)
    return found


def _bend_at_rest(rest: np.ndarray, vert: np.ndarray, coef: np.ndarray) -> np.ndarray:
    """Bending vectors at rest along the normals of pairs, as signed lengths (n,)."""
    a, b, c, d = (rest[vert[:, i]] for i in range(4))
    # weights make unit normals of both triangles of the products, so that the vector is along them
    normal = coef[:, 2:3] * np.cross(b - a, c - a) + coef[:, 3:] * np.cross(d - a, b - a)
    length = np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    vector = np.einsum("ni,nij->nj", coef, rest[vert])
    bend: np.ndarray = (vector * normal).sum(axis=1) / length
    bend[np.abs(bend) < 1e-12] = 0.0
    return bend
