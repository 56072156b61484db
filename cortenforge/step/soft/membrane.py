"""Triangles that resist strain: a stable neo-Hookean membrane (not St. Venant-Kirchhoff).

    E(F) = mu/2 (|F|^2 - 2) - mu (J - 1) + lambda/2 (J - 1)^2
    F = sum_i x_i b_i'  (3 by 2, columns u and v),   J = |u x v|,   C = dJ/dF

b_i are the gradients of the vertices' shape functions at rest. mu is the shear modulus and lambda
the plane-stress parameter of Lame plus mu, both times the triangle's volume: for small strains this
is the linear sheet in plane stress. An implicit step of all modes of one triangle at once:

    x_i -= h^2 w_i P b_i,    P = (mu F - eta C) T,    eta = mu - lambda (J+ - 1)
    T = (1 + s h^2 mu G)^-1,    G = sum_i w_i b_i b_i'
    J+ = J + theta C : dF,   dF = -h^2 P G,  which is linear in eta and solved for it:
    eta = (mu + lambda (1 - J + theta/s J (2 - tr T))) / (1 + theta h^2 lambda C : (C T G))

So a step takes one inverse of two by two and a division. A triangle at rest stays exactly as it is
(F'F = 1 gives C = F and P = 0). theta and s: see `implicitness`.

Sources: Smith, de Goes and Kim, "Stable Neo-Hookean Flesh Simulation" (2018), for the energy;
Macklin and Mueller, "A Constraint-based Formulation of Stable Neo-Hookean Materials" (2021).
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import eights, kernel
from cortenforge.math.vector import cross, dot
from cortenforge.step.soft.implicitness import implicitness, shear_implicitness

#: divisors are at least this: lengths, areas and compliances that may be zero
DIVISION_FLOOR = 1e-30


@kernel(unit=True)
def project_triangles(m, d, first: int, last: int):
    """Project the triangles of one colour: towards their shapes at rest."""
    h2 = d.soft_h * d.soft_h
    for k in eights(first, last):
        a, b, c = m.softmem_vert[k, 0], m.softmem_vert[k, 1], m.softmem_vert[k, 2]
        xa, xb, xc = d.soft_p[a], d.soft_p[b], d.soft_p[c]
        i11, i12 = m.softmem_inv[k, 0], m.softmem_inv[k, 1]
        i21, i22 = m.softmem_inv[k, 2], m.softmem_inv[k, 3]
        g11, g12, g22 = m.softmem_weight[k, 0], m.softmem_weight[k, 1], m.softmem_weight[k, 2]
        mu = m.softmem_mu[k] * h2
        bulk = m.softmem_lambda[k] * h2
        ratio = (mu + mu + bulk) * 0.5 * (g11 + g22)
        theta, shear = implicitness(ratio), shear_implicitness(ratio)
        # columns of the deformation gradient F, and the gradient C of its area J
        u = (xb - xa) * i11 + (xc - xa) * i21
        v = (xb - xa) * i12 + (xc - xa) * i22
        normal = cross(u, v)
        area = math.sqrt(dot(normal, normal))
        normal = normal * (1.0 / max(area, DIVISION_FLOOR))
        cu, cv = cross(v, normal), cross(normal, u)
        # T = (1 + s mu G)^-1, H = G T
        part = shear * mu
        a11, a12, a22 = 1.0 + part * g11, part * g12, 1.0 + part * g22
        scale = 1.0 / (a11 * a22 - a12 * a12)
        t11, t12, t22 = a22 * scale, -a12 * scale, a11 * scale
        h11 = g11 * t11 + g12 * t12
        h12 = g11 * t12 + g12 * t22
        h22 = g12 * t12 + g22 * t22
        volume_weight = dot(cu, cu) * h11 + 2.0 * dot(cu, cv) * h12 + dot(cv, cv) * h22
        pressure = mu + bulk * (1.0 - area + theta / shear * area * (2.0 - t11 - t22))
        eta = pressure / (1.0 + theta * bulk * volume_weight)
        pu, pv = cu * eta - u * mu, cv * eta - v * mu
        su, sv = pu * t11 + pv * t12, pu * t12 + pv * t22
        force_b = su * i11 + sv * i12
        force_c = su * i21 + sv * i22
        d.soft_p[a] = xa - (force_b + force_c) * d.soft_w[a]
        d.soft_p[b] = xb + force_b * d.soft_w[b]
        d.soft_p[c] = xc + force_c * d.soft_w[c]
