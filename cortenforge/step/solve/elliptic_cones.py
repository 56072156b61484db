"""Elliptic friction cones of an island: the three zones with cost, force and Hessian.

Of a contact with residuals x = J acc - aref of its rows (0: normal, k > 0: friction), friction
coefficients mu_k and the mu of its regularised cone:

    N = mu x_0,   u_k = mu_k x_k,   T = |u|,   Dm = D_0 / (mu^2 (1 + mu^2))

    top zone,     N >= mu T:        cost 0,                      f = 0
    bottom zone,  mu N + T <= 0:    cost sum D_k x_k^2 / 2,      f_k = -D_k x_k
    middle zone:                    cost Dm (N - mu T)^2 / 2,    f_0 = -Dm (N - mu T) mu,
                                                                 f_k = -f_0 mu_k u_k / T

    Hessian C of the middle zone, in its rows:
        C_00 = Dm mu^2,   C_0k = -Dm mu^2 mu_k u_k / T
        C_jk = Dm mu_j mu_k (mu N u_j u_k / T^3 + [j = k] (mu^2 - mu N / T))

The bottom zone adds D to H as other rows do (`iefc_stiff`). The middle zone is dense in its rows: C
is added to a copy of H in every iteration. Rows of a contact are neighbours with the same columns.

Sources: E. Todorov, Convex and analytically-invertible dynamics with contacts and constraints,
ICRA 2014; MuJoCo: Computation, "Constraint solver", "Reduced primal problem".
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel

ZONE_TOP, ZONE_BOTTOM, ZONE_MIDDLE = 0, 1, 2
#: columns of cone_line: N = n0 + alpha n1; T^2 = uu + alpha (2 uv + alpha vv); derivative
#: q1 + alpha q2 of the bottom zone's cost; Dm
LINE_N0, LINE_N1, LINE_UU, LINE_UV, LINE_VV, LINE_Q1, LINE_Q2, LINE_DM = 0, 1, 2, 3, 4, 5, 6, 7


@kernel
def zone_of_residual(n, t, mu):
    """Zone of a scaled residual (N, T): top, bottom or middle."""
    if n >= mu * t or (t <= 0.0 and n >= 0.0):
        return ZONE_TOP
    if mu * n + t <= 0.0 or (t <= 0.0 and n < 0.0):
        return ZONE_BOTTOM
    return ZONE_MIDDLE


@kernel
def scaled_residual(d, contact: int, row: int, x):
    """Scaled residual (N, T) of a contact; x: residuals, those of the contact from `row` on."""
    square = 0.0
    for k in range(1, d.contact_dim[contact]):
        u = x[row + k] * d.contact_friction[contact, k - 1]
        square += u * u
    return x[row] * d.contact_mu[contact], math.sqrt(square)


@kernel
def middle_zone_stiffness(d, c: int):
    """Dm of a contact of the island."""
    return cone_stiffness(d.iefc_D[d.cone_row[c]], d.contact_mu[d.cone_contact[c]])


@kernel
def cone_stiffness(normal_stiffness, mu):
    """Dm = D_0 / (mu^2 (1 + mu^2)), from D_0 of the normal row."""
    return normal_stiffness / (mu * mu * (1.0 + mu * mu))


@kernel
def cone_cost_at(d, c: int, x):
    """Cost of a contact at residuals x of all rows."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    mu = d.contact_mu[contact]
    n, t = scaled_residual(d, contact, r, x)
    zone = zone_of_residual(n, t, mu)
    cost = 0.0
    if zone == ZONE_BOTTOM:
        for k in range(r, r + d.contact_dim[contact]):
            cost += 0.5 * d.iefc_D[k] * x[k] * x[k]
    elif zone == ZONE_MIDDLE:
        z = n - mu * t
        cost = 0.5 * middle_zone_stiffness(d, c) * z * z
    return cost


@kernel
def update_cone(d, c: int):
    """Zone, forces and cost of a contact at iefc_x; stiffness of its rows in the bottom zone.

    Mirrors mj_constraintUpdate.
    """
    r, contact = d.cone_row[c], d.cone_contact[c]
    dim, mu = d.contact_dim[contact], d.contact_mu[contact]
    n, t = scaled_residual(d, contact, r, d.iefc_x)
    zone = zone_of_residual(n, t, mu)
    d.cone_zone[c] = zone
    cost = 0.0
    for k in range(r, r + dim):
        x = d.iefc_x[k]
        stiff = d.iefc_D[k] if zone == ZONE_BOTTOM else 0.0
        cost += 0.5 * stiff * x * x
        d.iefc_force[k] = -stiff * x
        d.iefc_delta[k] = stiff - d.iefc_stiff[k]
        d.iefc_stiff[k] = stiff
    if zone == ZONE_MIDDLE:
        stiffness = middle_zone_stiffness(d, c)
        z = n - mu * t
        cost = 0.5 * stiffness * z * z
        set_middle_zone_forces(d, contact, r, d.iefc_x, -stiffness * z * mu, t, d.iefc_force)
    d.cone_cost[c] = cost


@kernel
def set_middle_zone_forces(d, contact: int, row: int, x, normal, t, force):
    """Forces f of a contact in the middle zone, from its f_0 = normal and T = t.

    x, force: of all rows, those of the contact from `row` on; may be the same field.
    """
    force[row] = normal
    for k in range(1, d.contact_dim[contact]):
        friction = d.contact_friction[contact, k - 1]
        force[row + k] = -normal / t * (x[row + k] * friction) * friction


@kernel
def cone_hessian(d, c: int):
    """cone_hess of contact c = C at iefc_x, if it is in the middle zone."""
    stiffness = middle_zone_stiffness(d, c)
    set_middle_zone_hessian(d, c, d.cone_contact[c], d.cone_row[c], d.iefc_x, stiffness)


@kernel
def set_middle_zone_hessian(d, place: int, contact: int, row: int, x, stiffness):
    """cone_hess[place] = C of a contact in the middle zone (dim x dim).

    Mirrors mj_constraintUpdate.  x: residuals, those of the contact from `row` on.  stiffness: Dm.
    """
    dim, mu = d.contact_dim[contact], d.contact_mu[contact]
    n, t = scaled_residual(d, contact, row, x)
    d.cone_hess[place, 0] = stiffness * mu * mu
    for k in range(1, dim):
        fk = d.contact_friction[contact, k - 1]
        uk = x[row + k] * fk
        side = -mu / t * uk * stiffness * mu * fk
        d.cone_hess[place, k] = side
        d.cone_hess[place, k * dim] = side
        for j in range(1, k + 1):
            fj = d.contact_friction[contact, j - 1]
            value = mu * n / (t * t * t) * uk * (x[row + j] * fj)
            if j == k:
                value += mu * mu - mu * n / t
            value = value * stiffness * fk * fj
            d.cone_hess[place, k * dim + j] = value
            d.cone_hess[place, j * dim + k] = value


@kernel
def set_cone_product(d, c: int):
    """cone_work = C J of a contact in the middle zone, dim x nnz.

    Returns where its entries of J start, how many a row has, and how many rows there are.
    """
    cone_hessian(d, c)
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    start, nnz = d.iefc_adr[r], d.iefc_nnz[r]
    for a in range(dim):
        for k in range(nnz):
            total = 0.0
            for b in range(dim):
                total += d.cone_hess[c, a * dim + b] * d.iefc_J[start + b * nnz + k]
            d.cone_work[a * nnz + k] = total
    return start, nnz, dim


@kernel
def with_cone_entry(d, start: int, nnz: int, dim: int, i: int, j: int, entry):
    """An entry of H plus that of J' C J at columns i and j of a contact (`set_cone_product`)."""
    for a in range(dim):
        entry += d.iefc_J[start + a * nnz + i] * d.cone_work[a * nnz + j]
    return entry


@kernel
def prepare_cone_for_search(d, c: int):
    """Coefficients of a contact's cost along the search direction.  Mirrors PrimalPrepare."""
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
    d.cone_line[c, LINE_N0] = d.iefc_x[r] * mu
    d.cone_line[c, LINE_N1] = d.iefc_v[r] * mu
    d.cone_line[c, LINE_UU] = uu
    d.cone_line[c, LINE_UV] = uv
    d.cone_line[c, LINE_VV] = vv
    d.cone_line[c, LINE_Q1] = q1
    d.cone_line[c, LINE_Q2] = q2
    d.cone_line[c, LINE_DM] = middle_zone_stiffness(d, c)


@kernel
def cone_cost_derivatives(d, c: int, alpha):
    """(first, second) derivative of a contact's cost at a step alpha.  Mirrors PrimalEval."""
    mu = d.contact_mu[d.cone_contact[c]]
    n1 = d.cone_line[c, LINE_N1]
    n = d.cone_line[c, LINE_N0] + alpha * n1
    uv, vv = d.cone_line[c, LINE_UV], d.cone_line[c, LINE_VV]
    square = d.cone_line[c, LINE_UU] + alpha * (2.0 * uv + alpha * vv)
    t = math.sqrt(max(square, 0.0))
    zone = zone_of_residual(n, t, mu)
    first, second = 0.0, 0.0
    if zone == ZONE_BOTTOM:
        first = d.cone_line[c, LINE_Q1] + alpha * d.cone_line[c, LINE_Q2]
        second = d.cone_line[c, LINE_Q2]
    elif zone == ZONE_MIDDLE:
        stiffness = d.cone_line[c, LINE_DM]
        t1 = (uv + alpha * vv) / t
        t2 = vv / t - (uv + alpha * vv) * t1 / (t * t)
        z1 = n1 - mu * t1
        first = stiffness * (n - mu * t) * z1
        second = stiffness * (z1 * z1 - (n - mu * t) * mu * t2)
    return first, second
