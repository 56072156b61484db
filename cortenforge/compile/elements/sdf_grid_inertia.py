"""Volume and inertia of the solid inside a grid of signed distances.

Each value stands for a cube of edge h, of which the share w = clip(1/2 - distance / h, 0, 1) is
inside:

    V = h^3 sum w,   c = sum w x / sum w
    S = sum w (x - c)(x - c)' / sum w + h^2/12 1,   I / m = tr(S) 1 - S
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.elements.body_inertia import diagonalised_inertia
from cortenforge.grids import Grid
from cortenforge.spec.rotation import IDENTITY_POSE, Pose, Vector, vector


@dataclass(frozen=True)
class GridInertia:
    """Volume, principal moments of inertia for unit mass, and the pose of the principal axes."""

    volume: float
    moments: Vector
    pose: Pose


def grid_inertia(grid: Grid) -> GridInertia:
    """Volume and inertia of a grid, by the share of the cube around each value that is inside."""
    share = np.clip(0.5 - grid.distance / grid.cell, 0.0, 1.0)
    total = float(share.sum())
    if total == 0.0:
        return GridInertia(0.0, (0.0, 0.0, 0.0), IDENTITY_POSE)
    at = np.nonzero(share)
    weight = share[at] / total
    # indices are those of Z-Y-X
    place = np.array(grid.origin) + grid.cell * np.stack(at[::-1], axis=1)
    centre = weight @ place
    away = place - centre
    second = np.einsum("n,ni,nj->ij", weight, away, away) + np.eye(3) * grid.cell**2 / 12
    full = (np.trace(second) * np.eye(3) - second).tolist()
    moments, quat = diagonalised_inertia(
        (full[0][0], full[1][1], full[2][2], full[0][1], full[0][2], full[1][2])
    )
    return GridInertia(total * grid.cell**3, moments, (vector(centre.tolist()), quat))
