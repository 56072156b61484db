"""Elements of chains: segments of a Cosserat rod with a frame each, and pairs of neighbours.

shear 5/6 G A, stretch E A    forces for unit strain, A = pi r^2
inertia of a segment          m (3 r^2 + L^2) / 12 across, m r^2 / 2 about its axis
bend E I / l, twist 2 G I / l moments for unit angle, I = bending pi r^4 / 4, l: between centres
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.quaternions import conjugate_quats, quat_products
from cortenforge.soft.bodies import CapsuleChain
from cortenforge.soft.element_family import Family, longest_substeps


def chain_segments(chain: CapsuleChain, invmass: np.ndarray) -> Family:
    """Segments: inverse inertia, frames, and stiffness in shear and stretch [N]."""
    radius, length, material = chain.radius, chain.lengths(), chain.material
    area = math.pi * radius**2
    mass = material.density * area * length
    inertia = np.stack([mass * (3 * radius**2 + length**2) / 12, mass * radius**2 / 2], axis=1)
    stiffness = np.tile([5 / 6 * material.shear * area, material.young * area], (len(length), 1))
    columns = {
        "vert": chain.cells,
        "length": length,
        "invinertia": 1 / inertia,
        "stiffness": stiffness,
        "quat0": parallel_transport_frames(np.diff(chain.vertices, axis=0)),
    }
    stretch = stiffness[:, 1] / length * invmass[chain.cells].sum(axis=1)
    return Family(columns, longest_substeps(stretch))


def segment_pairs(chain: CapsuleChain, rods: Family) -> Family:
    """Pairs of neighbouring segments: relative frame at rest, bending and twisting [N m]."""
    length, material = chain.lengths(), chain.material
    between = 0.5 * (length[1:] + length[:-1])
    first = np.arange(len(between))
    moment = chain.bending * math.pi * chain.radius**4 / 4
    stiffness = np.array([material.young * moment, material.shear * 2 * moment]) / between[:, None]
    quats = rods.columns["quat0"]
    columns = {
        "rod": np.stack([first, first + 1], axis=1),
        "rest": quat_products(conjugate_quats(quats[:-1]), quats[1:]),
        "stiffness": stiffness,
    }
    inverse = rods.columns["invinertia"]
    return Family(columns, longest_substeps((stiffness * (inverse[1:] + inverse[:-1])).max(axis=1)))


def parallel_transport_frames(directions: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4) whose third axes are along directions (n, 3), by parallel transport.

    Each is the one before, turned by the shortest rotation: no twist about the axis.
    """
    units = directions / np.linalg.norm(directions, axis=1)[:, None]
    found = np.empty((len(units), 4))
    before, quat = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0, 0.0])
    for i, unit in enumerate(units):
        quat = quat_products(_shortest_rotation(before, unit), quat)
        quat /= np.linalg.norm(quat)
        found[i], before = quat, unit
    return found


def _shortest_rotation(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternion of the shortest rotation that takes unit vector a to b."""
    real = 1.0 + float(a @ b)
    if real < 1e-9:
        # half a turn about any axis across
        axis = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        turn = np.concatenate([[0.0], axis])
    else:
        turn = np.concatenate([[real], np.cross(a, b)])
    unit: np.ndarray = turn / np.linalg.norm(turn)
    return unit
