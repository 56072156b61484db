"""Elements of soft bodies: tetrahedra, and edges where these only keep volume."""

from __future__ import annotations

import numpy as np

from cortenforge.soft.bodies import SoftBody
from cortenforge.soft.family import Family, largest_eigenvalue, periods, weights
from cortenforge.soft.shapes import edges_of


def tetrahedra(body: SoftBody, invmass: np.ndarray) -> Family:
    """Tetrahedra with their inverse edges and stiffness."""
    corners = body.rest[body.tets]
    inverse = np.linalg.inv((corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1))
    gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    weight = weights(gradients, invmass[body.tets])
    volume, material = body.volumes(), body.material
    if body.model == "edges":
        mu = np.zeros(len(volume))
        lam = (material.lame - material.shear) * volume
    else:
        mu = material.shear * volume
        lam = (material.lame + material.shear) * volume
    columns = {
        "vert": body.tets,
        "inv": inverse.reshape(-1, 9),
        "weight": weight,
        "mu": mu,
        "lambda": lam,
    }
    # tetrahedra around a vertex shear together
    stiffest = np.maximum(8 * mu, 3 * lam - mu)
    return Family(columns, periods(stiffest * largest_eigenvalue(weight)))


def springs(body: SoftBody, invmass: np.ndarray) -> Family:
    """Edges as springs; none if tetrahedra do all.

    Springs in all directions make a material whose two parameters of Lame are equal; tetrahedra
    add to the first of them.
    """
    edges = edges_of(body.tets) if body.model == "edges" else np.zeros((0, 2), np.int64)
    length = np.linalg.norm(body.rest[edges[:, 1]] - body.rest[edges[:, 0]], axis=1)
    stiffness = 2.5 * body.material.shear * _around(body, edges) / np.maximum(length, 1e-300) ** 2
    columns = {"vert": edges, "length": length, "stiffness": stiffness}
    return Family(columns, periods(stiffness * invmass[edges].sum(axis=1)))


def _around(body: SoftBody, edges: np.ndarray) -> np.ndarray:
    """Volume of the tetrahedra that have each edge."""
    if not len(edges):
        return np.zeros(0)
    count = len(body.rest)
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    each = np.sort(body.tets[:, pairs].reshape(-1, 2), axis=1)
    place = np.searchsorted(edges @ [count, 1], each @ [count, 1])
    found: np.ndarray = np.bincount(place, np.repeat(body.volumes(), 6), len(edges))
    return found
