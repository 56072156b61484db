"""Mass of what is inside a grid of signed distances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.elements.inertia import diagonalised
from cortenforge.grids import Grid
from cortenforge.spec.rotation import IDENTITY, Pose, Vector, vector


@dataclass(frozen=True)
class Inside:
    """Volume, principal moments of inertia for a mass of 1, and where they are."""

    volume: float
    moments: Vector
    pose: Pose


def mass_of_grid(grid: Grid) -> Inside:
    """What a cube around each value counts for is how much of it is inside, from the distance."""
    share = np.clip(0.5 - grid.distance / grid.cell, 0.0, 1.0)
    total = float(share.sum())
    if total == 0.0:
        return Inside(0.0, (0.0, 0.0, 0.0), IDENTITY)
    at = np.nonzero(share)
    weight = share[at] / total
    # indices are those of Z-Y-X
    place = np.array(grid.origin) + grid.cell * np.stack(at[::-1], axis=1)
    centre = weight @ place
    away = place - centre
    second = np.einsum("n,ni,nj->ij", weight, away, away) + np.eye(3) * grid.cell**2 / 12
    full = (np.trace(second) * np.eye(3) - second).tolist()
    moments, quat = diagonalised(
        (full[0][0], full[1][1], full[2][2], full[0][1], full[0][2], full[1][2])
    )
    return Inside(total * grid.cell**3, moments, (vector(centre.tolist()), quat))
