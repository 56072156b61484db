"""Elements of soft bodies: neo-Hookean tetrahedra, and edges where these only keep volume.

With `model="edges"`, springs along all edges make a solid with lambda = mu (Cauchy), so Poisson's
ratio 1/4; tetrahedra add the missing lambda - mu:

    k = 5/2 mu V_e / L^2    of an edge of length L, with V_e the volume of tetrahedra around it
"""

from __future__ import annotations

import numpy as np

from cortenforge.soft.bodies import SoftBody
from cortenforge.soft.element_family import (
    Family,
    gradient_gram,
    largest_eigenvalue,
    longest_substeps,
)
from cortenforge.soft.grid_meshes import unique_edges


def solid_tetrahedra(body: SoftBody, invmass: np.ndarray) -> Family:
    """Tetrahedra: inverse edge matrices, and moduli times volume."""
    corners = body.rest[body.tets]
    inverse = np.linalg.inv((corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1))
    gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    weight = gradient_gram(gradients, invmass[body.tets])
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
    return Family(columns, longest_substeps(stiffest * largest_eigenvalue(weight)))


def edge_springs(body: SoftBody, invmass: np.ndarray) -> Family:
    """Edges as springs of stiffness k [N/m]; none with model="solid"."""
    edges = unique_edges(body.tets) if body.model == "edges" else np.zeros((0, 2), np.int64)
    length = np.linalg.norm(body.rest[edges[:, 1]] - body.rest[edges[:, 0]], axis=1)
    stiffness = (
        2.5
        * body.material.shear
        * _volume_around_edges(body, edges)
        / np.maximum(length, 1e-300) ** 2
    )
    columns = {"vert": edges, "length": length, "stiffness": stiffness}
    return Family(columns, longest_substeps(stiffness * invmass[edges].sum(axis=1)))


def _volume_around_edges(body: SoftBody, edges: np.ndarray) -> np.ndarray:
    """Total volume of the tetrahedra around each edge."""
    if not len(edges):
        return np.zeros(0)
    count = len(body.rest)
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    each = np.sort(body.tets[:, pairs].reshape(-1, 2), axis=1)
    place = np.searchsorted(edges @ [count, 1], each @ [count, 1])
    found: np.ndarray = np.bincount(place, np.repeat(body.volumes(), 6), len(edges))
    return found
