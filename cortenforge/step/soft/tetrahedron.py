"""Tetrahedra: a stable neo-Hookean solid, all modes of a tetrahedron at once.

    E(F) = mu/2 (|F|^2 - 3) - mu (J - 1) + lambda/2 (J - 1)^2
    F = sum_i x_i b_i'  (3 by 3, columns u, v and w),   J = det F,   C = dJ/dF: the cofactors of F

mu is the shear modulus and lambda the first parameter of Lame plus mu, both times the volume at
rest. With `model="edges"` mu is zero and edges resist shear in its place. The implicit step is that
of `membrane`, with three in place of two:

    x_i -= h^2 w_i P b_i,    P = (mu F - eta C) T
    T = (1 + s h^2 mu G)^-1,    G = sum_i w_i b_i b_i'
    eta = (mu + lambda (1 - J + theta/s J (3 - tr T))) / (1 + theta h^2 lambda C : (C T G))

Sources: Smith, de Goes and Kim, "Stable Neo-Hookean Flesh Simulation" (2018), for the energy;
Macklin and Mueller, "A Constraint-based Formulation of Stable Neo-Hookean Materials" (2021).
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

from cortenforge.kernel import eights, kernel, mat3
from cortenforge.math.vector import cross, dot, inverse_symmetric
from cortenforge.step.soft.implicitness import implicitness, shear_implicitness


@kernel(lanes=True)
def volume_inverse_mass(u, v, w, g, t):
    """C : (C T G), how far a unit multiplier changes the volume; C has the columns u, v, w."""
    x = u * g.xx + v * g.xy + w * g.xz
    y = u * g.yx + v * g.yy + w * g.yz
    z = u * g.zx + v * g.zy + w * g.zz
    return (
        dot(x, u * t.xx + v * t.yx + w * t.zx)
        + dot(y, u * t.xy + v * t.yy + w * t.zy)
        + dot(z, u * t.xz + v * t.yz + w * t.zz)
    )


@kernel(unit=True)
def project_tetrahedra(m, d, first: int, last: int):
    """Project the tetrahedra of one colour: towards their shapes at rest."""
    h2 = d.soft_h * d.soft_h
    for k in eights(first, last):
        a, b = m.softtet_vert[k, 0], m.softtet_vert[k, 1]
        c, e = m.softtet_vert[k, 2], m.softtet_vert[k, 3]
        xa, xb, xc, xe = d.soft_p[a], d.soft_p[b], d.soft_p[c], d.soft_p[e]
        i11, i12, i13 = m.softtet_inv[k, 0], m.softtet_inv[k, 1], m.softtet_inv[k, 2]
        i21, i22, i23 = m.softtet_inv[k, 3], m.softtet_inv[k, 4], m.softtet_inv[k, 5]
        i31, i32, i33 = m.softtet_inv[k, 6], m.softtet_inv[k, 7], m.softtet_inv[k, 8]
        g11, g12, g13 = m.softtet_weight[k, 0], m.softtet_weight[k, 1], m.softtet_weight[k, 2]
        g22, g23, g33 = m.softtet_weight[k, 3], m.softtet_weight[k, 4], m.softtet_weight[k, 5]
        mu = m.softtet_mu[k] * h2
        bulk = m.softtet_lambda[k] * h2
        ratio = (mu + mu + bulk) * 0.5 * (g11 + g22 + g33)
        theta, shear = implicitness(ratio), shear_implicitness(ratio)
        # columns of the deformation gradient F, and the gradient C of its determinant J
        p, q, r = xb - xa, xc - xa, xe - xa
        u = p * i11 + q * i21 + r * i31
        v = p * i12 + q * i22 + r * i32
        w = p * i13 + q * i23 + r * i33
        cu, cv, cw = cross(v, w), cross(w, u), cross(u, v)
        volume = dot(u, cu)
        # T = (1 + s mu G)^-1
        part = shear * mu
        t = inverse_symmetric(
            1.0 + part * g11,
            part * g12,
            part * g13,
            1.0 + part * g22,
            part * g23,
            1.0 + part * g33,
        )
        g = mat3(g11, g12, g13, g12, g22, g23, g13, g23, g33)
        volume_weight = volume_inverse_mass(cu, cv, cw, g, t)
        swell = theta / shear * volume * (3.0 - t.xx - t.yy - t.zz)
        pressure = mu + bulk * (1.0 - volume + swell)
        eta = pressure / (1.0 + theta * bulk * volume_weight)
        pu, pv, pw = cu * eta - u * mu, cv * eta - v * mu, cw * eta - w * mu
        su = pu * t.xx + pv * t.xy + pw * t.xz
        sv = pu * t.yx + pv * t.yy + pw * t.yz
        sw = pu * t.zx + pv * t.zy + pw * t.zz
        force_b = su * i11 + sv * i12 + sw * i13
        force_c = su * i21 + sv * i22 + sw * i23
        force_e = su * i31 + sv * i32 + sw * i33
        d.soft_p[a] = xa - (force_b + force_c + force_e) * d.soft_w[a]
        d.soft_p[b] = xb + force_b * d.soft_w[b]
        d.soft_p[c] = xc + force_c * d.soft_w[c]
        d.soft_p[e] = xe + force_e * d.soft_w[e]
