"""Projected Gauss-Seidel for the constraints of an island, on forces.  Mirrors mj_solPGS."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.solve.dofs import inertia_scale
from cortenforge.step.solve.dual import (
    LEAST_FORCE,
    has_dual_room,
    keep_cone,
    push_all,
    residual,
    respond,
    rub,
    settle_cone,
    turn_row,
)
from cortenforge.step.solve.report import report, zone_of_force
from cortenforge.step.solve.rows import first_forces, residuals

#: a generator of orders, small enough for integers of 32 bits
FACTOR, SHIFT, BITS, MASK = 1103, 12345, 15, 32767


@kernel
def warm_forces(d):
    """Forces of the last acceleration, or none if those cost less."""
    rows = d.island_rows
    residuals(d, rows, d.iacc_warm, d.iefc_x)
    for r in range(rows):
        d.iefc_stiff[r] = 0.0
    first_forces(d, d.island_bounded, d.island_cones)
    push_all(d)
    cost = 0.0
    for r in range(rows):
        f = d.iefc_force[r]
        if f != 0.0:
            cost += f * (0.5 * (residual(d, r) + d.iefc_b[r]) + 0.5 * d.iefc_R[r] * f)
    if not cost <= 0.0:
        for r in range(rows):
            d.iefc_force[r] = 0.0
        push_all(d)


@kernel
def turn_cone(d, c: int):
    """Better forces of a cone; how much less all forces cost."""
    keep_cone(d, c, 1)
    press(d, c)
    rub(d, c, 1)
    return settle_cone(d, c, 1)


@kernel
def shuffle(d, count: int, seed: int):
    """Visit rows and cones in another order; the seed for the next time."""
    for k in range(count - 1, 0, -1):
        seed = (seed * FACTOR + SHIFT) & MASK
        other = (seed * (k + 1)) >> BITS
        kept = d.iefc_turn[k]
        d.iefc_turn[k] = d.iefc_turn[other]
        d.iefc_turn[other] = kept
    return seed


@kernel
def sweep(d, count: int):
    """Each row with bounds and each cone once; how much less all forces cost."""
    gain = 0.0
    for k in range(count):
        at = d.iefc_turn[k]
        gain += turn_row(d, at, 1) if at < d.island_bounded else turn_cone(d, at - d.island_bounded)
    return gain


@kernel
def press(d, c: int):
    """The best force of a cone along the one it has; or along the normal, if it has none."""
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    normal = d.iefc_force[r]
    if normal < LEAST_FORCE:
        force = normal - d.cone_b[0] / (d.cone_A[c, 0] + d.iefc_R[r])
        d.iefc_force[r] = max(force, 0.0)
        for k in range(1, dim):
            d.iefc_force[r + k] = 0.0
    else:
        slope, curve = 0.0, 0.0
        for a in range(dim):
            slope += d.cone_old[a] * d.cone_b[a]
            for b in range(dim):
                value = d.cone_A[c, 6 * a + b]
                if a == b:
                    value += d.iefc_R[r + a]
                curve += d.cone_old[a] * value * d.cone_old[b]
        if curve > LEAST_FORCE:
            stretch = max(1.0 - slope / curve, 0.0)
            for k in range(dim):
                d.iefc_force[r + k] = d.cone_old[k] * stretch


@kernel(unit=True)
def pgs(m, d, island: int):
    """Forces that cost least, and the acceleration that they make."""
    if has_dual_room(d):
        scale = inertia_scale(d, d.island_n)
        respond(d)
        warm_forces(d)
        count, gain, done = 0, 0.0, False
        visits = d.island_bounded + d.island_cones
        for k in range(visits):
            d.iefc_turn[k] = k
        seed = 1
        while not done and count < m.opt_iterations:
            # always in the same order, errors would run around in circles
            seed = shuffle(d, visits, seed)
            gain = sweep(d, visits)
            count += 1
            gain = scale * gain
            done = gain < m.opt_tolerance
        accelerate(d)
        report(d, island, count, gain, gain, done)


@kernel
def accelerate(d):
    """The acceleration, residuals and zones of cones that belong to the forces."""
    for i in range(d.island_n):
        d.iacc[i] = d.iacc_smooth[i] + d.ipush[i]
    for r in range(d.island_rows):
        d.iefc_x[r] = residual(d, r)
    for c in range(d.island_cones):
        d.cone_zone[c] = zone_of_force(d, c)
