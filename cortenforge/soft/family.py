"""Families of elements: columns of numbers, one row an element."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Columns = dict[str, np.ndarray]


@dataclass(frozen=True)
class Family:
    """Elements of a kind of one deformable.

    columns: by the names of fields without their prefix; the first tells members of elements.
    period:  longest substep that resolves each of them [s].
    """

    columns: Columns
    period: np.ndarray

    def __len__(self) -> int:
        return len(self.period)


def periods(stiffness: np.ndarray) -> np.ndarray:
    """Longest substeps that resolve springs of a stiffness over an inertia [1/s^2]."""
    with np.errstate(divide="ignore"):
        found: np.ndarray = np.sqrt(2.0 / np.maximum(stiffness, 0.0))
    return found


def largest_eigenvalue(entries: np.ndarray) -> np.ndarray:
    """Of symmetric 2 by 2 or 3 by 3 matrices that are given by rows of their upper triangles."""
    size = 2 if entries.shape[1] == 3 else 3
    matrices = np.empty((len(entries), size, size))
    row, column = np.triu_indices(size)
    matrices[:, row, column] = entries
    matrices[:, column, row] = entries
    found: np.ndarray = np.linalg.eigvalsh(matrices)[:, -1]
    return found


def weights(gradients: np.ndarray, invmass: np.ndarray) -> np.ndarray:
    """Upper triangles of sums of w b b' over vertices; gradients (n, vertices, size)."""
    row, column = np.triu_indices(gradients.shape[2])
    products = gradients[:, :, row] * gradients[:, :, column]
    found: np.ndarray = (products * invmass[:, :, None]).sum(axis=1)
    return found
