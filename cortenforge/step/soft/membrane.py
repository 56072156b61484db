"""Triangles that resist strain: a stable neo-Hookean membrane, all of a triangle's modes at once.

Of the energy mu/2 (|F|^2 - 2) - mu (J - 1) + lambda/2 (J - 1)^2 the first part is quadratic in
positions and the last depends on one number, so that an implicit step of one triangle is a matrix
of two by two and a division. A triangle at rest stays exactly as it is.
"""

from __future__ import annotations

import math

from cortenforge.kernel import eights, kernel
from cortenforge.math.vector import cross, dot
from cortenforge.step.soft.blend import implicitness, shear_implicitness

#: below this, an area is zero
TINY = 1e-30


@kernel(unit=True)
def strain_triangles(m, d, first: int, last: int):
    """Pull the triangles of one colour towards their shapes at rest."""
    square = d.soft_h * d.soft_h
    for k in eights(first, last):
        a, b, c = m.softmem_vert[k, 0], m.softmem_vert[k, 1], m.softmem_vert[k, 2]
        xa, xb, xc = d.soft_p[a], d.soft_p[b], d.soft_p[c]
        i11, i12 = m.softmem_inv[k, 0], m.softmem_inv[k, 1]
        i21, i22 = m.softmem_inv[k, 2], m.softmem_inv[k, 3]
        g11, g12, g22 = m.softmem_weight[k, 0], m.softmem_weight[k, 1], m.softmem_weight[k, 2]
        mu = m.softmem_mu[k] * square
        bulk = m.softmem_lambda[k] * square
        ratio = (mu + mu + bulk) * 0.5 * (g11 + g22)
        theta, shear = implicitness(ratio), shear_implicitness(ratio)
        # deformation gradient, by columns, and the gradient of its determinant
        u = (xb - xa) * i11 + (xc - xa) * i21
        v = (xb - xa) * i12 + (xc - xa) * i22
        normal = cross(u, v)
        area = math.sqrt(dot(normal, normal))
        normal = normal * (1.0 / max(area, TINY))
        cu, cv = cross(v, normal), cross(normal, u)
        # T = (1 + shear mu G)^-1
        part = shear * mu
        a11, a12, a22 = 1.0 + part * g11, part * g12, 1.0 + part * g22
        scale = 1.0 / (a11 * a22 - a12 * a12)
        t11, t12, t22 = a22 * scale, -a12 * scale, a11 * scale
        h11 = g11 * t11 + g12 * t12
        h12 = g11 * t12 + g12 * t22
        h22 = g12 * t12 + g22 * t22
        grip = dot(cu, cu) * h11 + 2.0 * dot(cu, cv) * h12 + dot(cv, cv) * h22
        press = mu + bulk * (1.0 - area + theta / shear * area * (2.0 - t11 - t22))
        eta = press / (1.0 + theta * bulk * grip)
        pu, pv = cu * eta - u * mu, cv * eta - v * mu
        su, sv = pu * t11 + pv * t12, pu * t12 + pv * t22
        pull_b = su * i11 + sv * i12
        pull_c = su * i21 + sv * i22
        d.soft_p[a] = xa - (pull_b + pull_c) * d.soft_w[a]
        d.soft_p[b] = xb + pull_b * d.soft_w[b]
        d.soft_p[c] = xc + pull_c * d.soft_w[c]
