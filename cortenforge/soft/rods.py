"""Elements of chains: segments with a frame each, and pairs of them."""

from __future__ import annotations

import math

import numpy as np

from cortenforge.soft.bodies import CapsuleChain
from cortenforge.soft.family import Family, periods


def segments(chain: CapsuleChain, invmass: np.ndarray) -> Family:
    """Segments: stiffness in shear and in stretching as forces for unit strain."""
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
        "quat0": frames(np.diff(chain.vertices, axis=0)),
    }
    stretch = stiffness[:, 1] / length * invmass[chain.cells].sum(axis=1)
    return Family(columns, periods(stretch))


def twists(chain: CapsuleChain, rods: Family) -> Family:
    """Pairs of segments that follow each other: bending and twisting."""
    length, material = chain.lengths(), chain.material
    between = 0.5 * (length[1:] + length[:-1])
    first = np.arange(len(between))
    moment = chain.bending * math.pi * chain.radius**4 / 4
    stiffness = np.array([material.young * moment, material.shear * 2 * moment]) / between[:, None]
    quats = rods.columns["quat0"]
    columns = {
        "rod": np.stack([first, first + 1], axis=1),
        "rest": _products(quats[:-1] * [1, -1, -1, -1], quats[1:]),
        "stiffness": stiffness,
    }
    inverse = rods.columns["invinertia"]
    return Family(columns, periods((stiffness * (inverse[1:] + inverse[:-1])).max(axis=1)))


def frames(directions: np.ndarray) -> np.ndarray:
    """Quaternions whose third axes are along directions, carried on from one to the next without
    a twist."""
    units = directions / np.linalg.norm(directions, axis=1)[:, None]
    found = np.empty((len(units), 4))
    before, quat = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0, 0.0])
    for i, unit in enumerate(units):
        quat = _product(_between(before, unit), quat)
        quat /= np.linalg.norm(quat)
        found[i], before = quat, unit
    return found


def _between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The shortest turn that takes a unit vector to another."""
    real = 1.0 + float(a @ b)
    if real < 1e-9:
        # half a turn about any axis across
        axis = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        turn = np.concatenate([[0.0], axis])
    else:
        turn = np.concatenate([[real], np.cross(a, b)])
    unit: np.ndarray = turn / np.linalg.norm(turn)
    return unit


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    found: np.ndarray = _products(a[None], b[None])[0]
    return found


def _products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of quaternions, row by row."""
    real = a[:, :1] * b[:, :1] - (a[:, 1:] * b[:, 1:]).sum(axis=1, keepdims=True)
    rest = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.concatenate([real, rest], axis=1)
