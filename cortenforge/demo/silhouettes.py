"""Geoms as they are seen from the side, along y."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cortenforge.enums import GeomType
from cortenforge.model import Model

Array = NDArray[np.float64]


def draw_silhouettes(
    panel: Any, model: Model, xpos: Array, xmat: Array, *, layer: float = 0, alpha: float = 1.0
) -> None:
    """Fill the outlines of all geoms but planes, far ones first and a little paler."""
    solid = np.flatnonzero(model.geom_type != GeomType.PLANE)
    order = solid[np.argsort(-xpos[solid, 1])]
    near, far = xpos[order[-1], 1], xpos[order[0], 1]
    for depth, geom in enumerate(order):
        outline = geom_silhouette(model, int(geom), xpos[geom], xmat[geom])
        base = np.asarray(model.geom_rgba[geom, :3], dtype=np.float64)
        shade = 0.35 * (xpos[geom, 1] - near) / max(far - near, 0.1)
        colour = base * (1 - shade) + shade
        panel.fill(
            *outline.T, facecolor=colour, edgecolor="white", lw=0.6, alpha=alpha,
            zorder=10 + layer + depth / 50,
        )  # fmt: skip


def geom_silhouette(model: Model, geom: int, xpos: Array, xmat: Array) -> Array:
    """Outline of a geom on the x-z plane."""
    centre = xpos[[0, 2]]
    axes = xmat.reshape(3, 3)[[0, 2]]
    size, kind = model.geom_size[geom], model.geom_type[geom]
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if kind == GeomType.CAPSULE:
        axis = axes[:, 2] * size[1]
        # half of the circle moves to each end of the axis
        side = np.where(circle @ axis >= 0, 1.0, -1.0)[:, None]
        return _hull_outline(centre + size[0] * circle + side * axis)
    if kind == GeomType.BOX:
        corners = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, 8).T * size
        return _hull_outline(centre + corners @ axes.T)
    # the shadow of an ellipsoid is an ellipse whose matrix is the shadow of its matrix
    radii = size if kind == GeomType.ELLIPSOID else np.full(3, size[0])
    root = np.linalg.cholesky(axes @ np.diag(radii**2) @ axes.T)
    ellipse: Array = centre + circle @ root.T
    return ellipse


def _hull_outline(points: Array) -> Array:
    """The convex outline around points, in the order in which it is drawn."""
    from scipy.spatial import ConvexHull

    around: Array = points[ConvexHull(points).vertices]
    return around
