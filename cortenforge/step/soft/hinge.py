"""Hinges, two triangles at an edge, which resist bending (quadratic, with a rest angle).

    e = c_a x_a + c_b x_b + c_c x_c + c_e x_e,    E = k/2 |e - e0 n|^2,    alpha = 1 / k
    lambda = -(e - e0 n) / (1 / (k h^2) + theta sum_i w_i c_i^2),    x_i += w_i c_i lambda

a and b are the ends of the edge, c and e the opposite vertices. The weights c_i of the bending
vector e are fixed: one over the height of its triangle for an opposite vertex, and all four add up
to zero. So e is zero where the pair is flat; where it is folded by the angle phi, e lies along the
mean normal n and |e| = 2 sin(phi/2). e0 is its length at rest, with a sign. As e is linear in
positions, nothing is linearised for a rest shape that is flat; else n is held fixed.

Source: Bergou et al., "A Quadratic Bending Model for Inextensible Surfaces" (2006); the stiffness k
of a hinge is set in `soft/cloth_elements.py`.
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import eights, kernel
from cortenforge.math.vector import cross, dot
from cortenforge.step.soft.implicitness import implicitness
from cortenforge.step.soft.membrane import DIVISION_FLOOR


@kernel(unit=True)
def project_hinges(m, d, first: int, last: int):
    """Project the hinges of one colour: towards their angles at rest."""
    h2 = d.soft_h * d.soft_h
    curved = m.soft_curved
    for k in eights(first, last):
        a, b = m.softhinge_vert[k, 0], m.softhinge_vert[k, 1]
        c, e = m.softhinge_vert[k, 2], m.softhinge_vert[k, 3]
        ca, cb = m.softhinge_coef[k, 0], m.softhinge_coef[k, 1]
        cc, ce = m.softhinge_coef[k, 2], m.softhinge_coef[k, 3]
        xa, xb, xc, xe = d.soft_p[a], d.soft_p[b], d.soft_p[c], d.soft_p[e]
        error = xa * ca + xb * cb + xc * cc + xe * ce
        if curved != 0:
            edge = xb - xa
            normal = cross(edge, xc - xa) * cc + cross(xe - xa, edge) * ce
            length = math.sqrt(dot(normal, normal))
            error = error - normal * (m.softhinge_bend[k] / max(length, DIVISION_FLOOR))
        stiffness = m.softhinge_stiffness[k] * h2
        ratio = stiffness * m.softhinge_weight[k]
        correction = error * (stiffness / (1.0 + implicitness(ratio) * ratio))
        d.soft_p[a] = xa - correction * (ca * d.soft_w[a])
        d.soft_p[b] = xb - correction * (cb * d.soft_w[b])
        d.soft_p[c] = xc - correction * (cc * d.soft_w[c])
        d.soft_p[e] = xe - correction * (ce * d.soft_w[e])
