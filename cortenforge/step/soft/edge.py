"""Edges that resist stretching: springs between two vertices (XPBD distance constraints).

    C = |x_b - x_a| - L,    grad_b C = -grad_a C = n = (x_b - x_a) / |x_b - x_a|,    alpha = 1 / k
    lambda = -C / (1 / (k h^2) + theta (w_a + w_b)),    x_b += w_b n lambda,    x_a -= w_a n lambda

Source: Macklin, Mueller and Chentanez, XPBD (2016); theta: see `implicitness`.
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import eights, kernel
from cortenforge.math.vector import dot
from cortenforge.step.soft.implicitness import implicitness
from cortenforge.step.soft.membrane import DIVISION_FLOOR


@kernel(unit=True)
def project_edges(m, d, first: int, last: int):
    """Project the edges of one colour: towards their lengths at rest."""
    h2 = d.soft_h * d.soft_h
    for k in eights(first, last):
        a, b = m.softedge_vert[k, 0], m.softedge_vert[k, 1]
        xa, xb = d.soft_p[a], d.soft_p[b]
        wa, wb = d.soft_w[a], d.soft_w[b]
        edge = xb - xa
        length = math.sqrt(dot(edge, edge))
        stiffness = m.softedge_stiffness[k] * h2
        ratio = stiffness * (wa + wb)
        impulse = stiffness * (length - m.softedge_length[k]) / (1.0 + implicitness(ratio) * ratio)
        correction = edge * (impulse / max(length, DIVISION_FLOOR))
        d.soft_p[a] = xa + correction * wa
        d.soft_p[b] = xb - correction * wb
