"""Projected Gauss-Seidel for the constraints of an island, on forces.  Mirrors mj_solPGS."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.step.solve.dofs import inertia_scale
from cortenforge.step.solve.dual import (
    LEAST_FORCE,
    has_dual_room,
    in_block,
    keep_cone,
    push_all,
    residual,
    respond,
    rub,
    settle_cone,
    turn_row,
)
from cortenforge.step.solve.report import report, zone_of_force
from cortenforge.step.solve.rows import clamp, first_forces, residuals
from cortenforge.step.solve.visits import list_visits, shuffle


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
def sweep(d, count: int):
    """Each row with bounds and each cone once; how much less all forces cost."""
    gain = 0.0
    for k in range(count):
        at = d.iefc_turn[k]
        gain += turn_row(d, at, 1) if at < d.island_bounded else turn_cone(d, at - d.island_bounded)
    return gain


@kernel
def run_ahead(d, turn: int):
    """Take forces farther on the way they went, and back to what they may be.

    Nesterov's momentum: the more turns since the last restart, the farther. Where forces were
    before, and where they are then, is kept for `is_overrun`.
    """
    share = (turn - 1.0) / (turn + 2.0) if turn > 1 else 0.0
    for r in range(d.island_rows):
        force = d.iefc_force[r]
        d.iefc_force[r] = force + share * (force - d.iefc_before[r])
        d.iefc_before[r] = force
    if turn > 1:
        for r in range(d.island_bounded):
            d.iefc_force[r] = clamp(d.iefc_force[r], d.iefc_lo[r], d.iefc_hi[r])
        for c in range(d.island_cones):
            keep_in_cone(d, c)
        push_all(d)
    for r in range(d.island_rows):
        d.iefc_ahead[r] = d.iefc_force[r]


@kernel
def keep_in_cone(d, c: int):
    """Friction is scaled down to what the normal force allows; there is none without one."""
    r, contact = d.cone_row[c], d.cone_contact[c]
    dim, normal, square = d.contact_dim[contact], d.iefc_force[r], 0.0
    for k in range(1, dim):
        f = d.iefc_force[r + k] / d.contact_friction[contact, k - 1]
        square += f * f
    scale = 1.0
    if normal < 0.0:
        d.iefc_force[r] = 0.0
        scale = 0.0
    elif square > normal * normal:
        scale = normal / math.sqrt(max(square, LEAST_FORCE))
    for k in range(1, dim):
        d.iefc_force[r + k] *= scale


@kernel
def is_overrun(d):
    """Whether a sweep went against the way forces were taken ahead."""
    along = 0.0
    for r in range(d.island_rows):
        ahead = d.iefc_ahead[r]
        along += (d.iefc_force[r] - ahead) * (ahead - d.iefc_before[r])
    return along < 0.0


@kernel
def press(d, c: int):
    """The best force of a cone along the one it has; if it has none, along one that pays."""
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    if d.iefc_force[r] >= LEAST_FORCE:
        stretch(d, c, 1.0)
    else:
        d.iefc_force[r] = 1.0
        for k in range(1, dim):
            d.iefc_force[r + k] = 0.0
        if d.cone_b[0] >= 0.0:
            lean(d, c)
        stretch(d, c, 0.0)


@kernel
def lean(d, c: int):
    """Friction that pays most for its normal force.

    Along the normal alone a cone would stay without force where friction would pay for both.
    """
    r, contact = d.cone_row[c], d.cone_contact[c]
    square = 0.0
    for k in range(1, d.contact_dim[contact]):
        pull = d.contact_friction[contact, k - 1] * d.cone_b[k]
        square += pull * pull
    if square > 0.0:
        for k in range(1, d.contact_dim[contact]):
            mu = d.contact_friction[contact, k - 1]
            d.iefc_force[r + k] = -mu * mu * d.cone_b[k] / math.sqrt(square)


@kernel
def stretch(d, c: int, now):
    """Scale a cone's force for the least cost; now: the part of it that there is already."""
    r, dim = d.cone_row[c], d.contact_dim[d.cone_contact[c]]
    slope, curve = 0.0, 0.0
    for a in range(dim):
        slope += d.iefc_force[r + a] * d.cone_b[a]
        for b in range(dim):
            curve += d.iefc_force[r + a] * in_block(d, c, a, b, 1) * d.iefc_force[r + b]
    scale = max(now - slope / curve, 0.0) if curve > LEAST_FORCE else now
    for k in range(dim):
        d.iefc_force[r + k] *= scale


@kernel(unit=True)
def pgs(m, d, island: int):
    """Forces that cost least, and the acceleration that they make."""
    if has_dual_room(d):
        scale = inertia_scale(d, d.island_n)
        respond(d)
        warm_forces(d)
        count, gain, done = 0, 0.0, False
        visits, turn = list_visits(d, island), 0
        while not done and count < m.opt_iterations:
            run_ahead(d, turn)
            shuffle(d, visits)
            gain = sweep(d, visits)
            turn = 0 if is_overrun(d) else turn + 1
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
