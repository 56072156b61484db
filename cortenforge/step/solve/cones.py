"""Elliptic cones of an island: zones, forces, Hessians, their part of the line search.

The rows of a contact are neighbours with the same columns. Residuals are scaled by friction: n
along the normal, t the length of the rest. Above the dual cone there is no force; below the cone
each row is quadratic (`iefc_stiff` is D, as of other rows); between the two the contact is one
function of all its rows, with a dense Hessian that is added to a copy of H in every iteration.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel

TOP, BOTTOM, MIDDLE = 0, 1, 2
#: places in cone_line: n and its change; t^2 as uu + alpha (2 uv + alpha vv); slope and curvature
#: of all rows if they were quadratic; stiffness of the middle zone
N0, N1, UU, UV, VV, Q1, Q2, DM = 0, 1, 2, 3, 4, 5, 6, 7


@kernel
def zone_of(n, t, mu):
    """Where a scaled residual is."""
    if n >= mu * t or (t <= 0.0 and n >= 0.0):
        return TOP
    if mu * n + t <= 0.0 or (t <= 0.0 and n < 0.0):
        return BOTTOM
    return MIDDLE


@kernel
def scaled(d, c: int, x):
    """The scaled residual of a contact: along the normal, and the length of the rest."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    square = 0.0
    for k in range(1, d.contact_dim[contact]):
        u = x[r + k] * d.contact_friction[contact, k - 1]
        square += u * u
    return x[r] * d.contact_mu[contact], math.sqrt(square)


@kernel
def middle_stiffness(d, c: int):
    """Stiffness of the middle zone, in scaled residuals."""
    mu = d.contact_mu[d.cone_contact[c]]
    return d.iefc_D[d.cone_row[c]] / (mu * mu * (1.0 + mu * mu))


@kernel
def cone_cost_at(d, c: int, x):
    """Cost of a contact whose rows have these residuals."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    mu = d.contact_mu[contact]
    n, t = scaled(d, c, x)
    zone = zone_of(n, t, mu)
    cost = 0.0
    if zone == BOTTOM:
        for k in range(r, r + d.contact_dim[contact]):
            cost += 0.5 * d.iefc_D[k] * x[k] * x[k]
    elif zone == MIDDLE:
        z = n - mu * t
        cost = 0.5 * middle_stiffness(d, c) * z * z
    return cost


@kernel
def force_of_cone(d, c: int):
    """Zone, forces, stiffness and cost of a contact.  Mirrors mj_constraintUpdate."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    dim, mu = d.contact_dim[contact], d.contact_mu[contact]
    n, t = scaled(d, c, d.iefc_x)
    zone = zone_of(n, t, mu)
    d.cone_zone[c] = zone
    cost = 0.0
    for k in range(r, r + dim):
        x = d.iefc_x[k]
        stiff = d.iefc_D[k] if zone == BOTTOM else 0.0
        cost += 0.5 * stiff * x * x
        d.iefc_force[k] = -stiff * x
        d.iefc_delta[k] = stiff - d.iefc_stiff[k]
        d.iefc_stiff[k] = stiff
    if zone == MIDDLE:
        stiffness = middle_stiffness(d, c)
        z = n - mu * t
        cost = 0.5 * stiffness * z * z
        d.iefc_force[r] = -stiffness * z * mu
        for k in range(1, dim):
            friction = d.contact_friction[contact, k - 1]
            d.iefc_force[r + k] = -d.iefc_force[r] / t * (d.iefc_x[r + k] * friction) * friction
    d.cone_cost[c] = cost


@kernel
def hessian_of_cone(d, c: int):
    """Hessian of a contact in the middle zone, in its rows."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    dim, mu = d.contact_dim[contact], d.contact_mu[contact]
    n, t = scaled(d, c, d.iefc_x)
    stiffness = middle_stiffness(d, c)
    d.cone_hess[c, 0] = stiffness * mu * mu
    for k in range(1, dim):
        fk = d.contact_friction[contact, k - 1]
        uk = d.iefc_x[r + k] * fk
        side = -mu / t * uk * stiffness * mu * fk
        d.cone_hess[c, k] = side
        d.cone_hess[c, k * dim] = side
        for j in range(1, k + 1):
            fj = d.contact_friction[contact, j - 1]
            value = mu * n / (t * t * t) * uk * (d.iefc_x[r + j] * fj)
            if j == k:
                value += mu * mu - mu * n / t
            value = value * stiffness * fk * fj
            d.cone_hess[c, k * dim + j] = value
            d.cone_hess[c, j * dim + k] = value


@kernel
def weigh_rows(d, c: int, nnz: int):
    """cone_work = the contact's Hessian times its rows of J."""
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    start = d.iefc_adr[r]
    for a in range(dim):
        for k in range(nnz):
            total = 0.0
            for b in range(dim):
                total += d.cone_hess[c, a * dim + b] * d.iefc_J[start + b * nnz + k]
            d.cone_work[a * nnz + k] = total


@kernel
def prepare_cone(d, c: int):
    """What the line search has to know of a contact.  Mirrors PrimalPrepare."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    dim, mu = d.contact_dim[contact], d.contact_mu[contact]
    uu, uv, vv, q1, q2 = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(r, r + dim):
        weighted = d.iefc_v[k] * d.iefc_D[k]
        q1 += weighted * d.iefc_x[k]
        q2 += weighted * d.iefc_v[k]
    for k in range(1, dim):
        friction = d.contact_friction[contact, k - 1]
        u, v = d.iefc_x[r + k] * friction, d.iefc_v[r + k] * friction
        uu += u * u
        uv += u * v
        vv += v * v
    d.cone_line[c, N0] = d.iefc_x[r] * mu
    d.cone_line[c, N1] = d.iefc_v[r] * mu
    d.cone_line[c, UU] = uu
    d.cone_line[c, UV] = uv
    d.cone_line[c, VV] = vv
    d.cone_line[c, Q1] = q1
    d.cone_line[c, Q2] = q2
    d.cone_line[c, DM] = middle_stiffness(d, c)


@kernel
def cone_slope(d, c: int, alpha):
    """Derivatives of a contact's cost along the search direction.  Mirrors PrimalEval."""
    mu = d.contact_mu[d.cone_contact[c]]
    n1 = d.cone_line[c, N1]
    n = d.cone_line[c, N0] + alpha * n1
    uv, vv = d.cone_line[c, UV], d.cone_line[c, VV]
    square = d.cone_line[c, UU] + alpha * (2.0 * uv + alpha * vv)
    t = math.sqrt(max(square, 0.0))
    zone = zone_of(n, t, mu)
    slope, curve = 0.0, 0.0
    if zone == BOTTOM:
        slope = d.cone_line[c, Q1] + alpha * d.cone_line[c, Q2]
        curve = d.cone_line[c, Q2]
    elif zone == MIDDLE:
        stiffness = d.cone_line[c, DM]
        t1 = (uv + alpha * vv) / t
        t2 = vv / t - (uv + alpha * vv) * t1 / (t * t)
        z1 = n1 - mu * t1
        slope = stiffness * (n - mu * t) * z1
        curve = stiffness * (z1 * z1 - (n - mu * t) * mu * t2)
    return slope, curve
