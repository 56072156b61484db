"""Edges that resist stretching: springs between two vertices."""

from __future__ import annotations

import math

from cortenforge.kernel import eights, kernel
from cortenforge.math.vector import dot
from cortenforge.step.soft.blend import implicitness
from cortenforge.step.soft.membrane import TINY


@kernel(unit=True)
def shorten_edges(m, d, first: int, last: int):
    """Pull the edges of one colour towards their lengths at rest."""
    square = d.soft_h * d.soft_h
    for k in eights(first, last):
        a, b = m.softedge_vert[k, 0], m.softedge_vert[k, 1]
        xa, xb = d.soft_p[a], d.soft_p[b]
        wa, wb = d.soft_w[a], d.soft_w[b]
        along = xb - xa
        length = math.sqrt(dot(along, along))
        stiffness = m.softedge_stiffness[k] * square
        ratio = stiffness * (wa + wb)
        pull = stiffness * (length - m.softedge_length[k]) / (1.0 + implicitness(ratio) * ratio)
        push = along * (pull / max(length, TINY))
        d.soft_p[a] = xa + push * wa
        d.soft_p[b] = xb - push * wb
