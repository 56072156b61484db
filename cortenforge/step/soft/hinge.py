"""Pairs of triangles that resist bending.

The bending vector, a sum of four vertices with fixed weights, is zero where the pair is flat, and
along its normal and as long as the angle where it is folded.
"""

from __future__ import annotations

import math

from cortenforge.kernel import eights, kernel
from cortenforge.math.vector import cross, dot
from cortenforge.step.soft.blend import implicitness
from cortenforge.step.soft.membrane import TINY


@kernel(unit=True)
def unbend_hinges(m, d, first: int, last: int):
    """Pull the hinges of one colour towards their angles at rest."""
    square = d.soft_h * d.soft_h
    curved = m.soft_curved
    for k in eights(first, last):
        a, b = m.softhinge_vert[k, 0], m.softhinge_vert[k, 1]
        c, e = m.softhinge_vert[k, 2], m.softhinge_vert[k, 3]
        ca, cb = m.softhinge_coef[k, 0], m.softhinge_coef[k, 1]
        cc, ce = m.softhinge_coef[k, 2], m.softhinge_coef[k, 3]
        xa, xb, xc, xe = d.soft_p[a], d.soft_p[b], d.soft_p[c], d.soft_p[e]
        off = xa * ca + xb * cb + xc * cc + xe * ce
        if curved != 0:
            edge = xb - xa
            normal = cross(edge, xc - xa) * cc + cross(xe - xa, edge) * ce
            length = math.sqrt(dot(normal, normal))
            off = off - normal * (m.softhinge_bend[k] / max(length, TINY))
        stiffness = m.softhinge_stiffness[k] * square
        ratio = stiffness * m.softhinge_weight[k]
        push = off * (stiffness / (1.0 + implicitness(ratio) * ratio))
        d.soft_p[a] = xa - push * (ca * d.soft_w[a])
        d.soft_p[b] = xb - push * (cb * d.soft_w[b])
        d.soft_p[c] = xc - push * (cc * d.soft_w[c])
        d.soft_p[e] = xe - push * (ce * d.soft_w[e])
