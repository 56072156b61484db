"""Families of elements: columns of numbers, and the substep that resolves them.

G = sum_i w_i b_i b_i'     of an element with gradients b_i and inverse masses w_i
h = sqrt(2 / K)            for a stiffness over inertia K [1/s^2]: h^2 K is 2
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Columns = dict[str, np.ndarray]


@dataclass(frozen=True)
class Family:
    """Elements of a kind of one deformable.

    columns: by names of fields without their prefix; the first has the members of elements.
    period:  longest substep that resolves each of them [s].
    """

    columns: Columns
    period: np.ndarray

    def __len__(self) -> int:
        return len(self.period)


def longest_substeps(stiffness: np.ndarray) -> np.ndarray:
    """sqrt(2 / K) [s]: longest substeps that resolve a stiffness over inertia K [1/s^2]."""
    with np.errstate(divide="ignore"):
        found: np.ndarray = np.sqrt(2.0 / np.maximum(stiffness, 0.0))
    return found


def largest_eigenvalue(entries: np.ndarray) -> np.ndarray:
    """Largest eigenvalues of symmetric matrices given by rows of their upper triangles."""
    size = 2 if entries.shape[1] == 3 else 3
    matrices = np.empty((len(entries), size, size))
    row, column = np.triu_indices(size)
    matrices[:, row, column] = entries
    matrices[:, column, row] = entries
    found: np.ndarray = np.linalg.eigvalsh(matrices)[:, -1]
    return found


def gradient_gram(gradients: np.ndarray, invmass: np.ndarray) -> np.ndarray:
    """Upper triangle of G = sum_i w_i b_i b_i'; gradients b: (n, vertices, size)."""
    row, column = np.triu_indices(gradients.shape[2])
    products = gradients[:, :, row] * gradients[:, :, column]
    found: np.ndarray = (products * invmass[:, :, None]).sum(axis=1)
    return found
