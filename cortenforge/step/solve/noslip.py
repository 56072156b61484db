"""The noslip pass: friction forces anew, without regularisation.  Mirrors mj_solNoSlip.

    min over friction of   f' A f / 2 + f' b,   R = 0,   normal forces fixed
    pyramid:  of two edges, f_i + f_j fixed;   cone:  |f_k / mu_k| <= f_0

PGS sweeps after the main solver, which suppress the slip that soft friction needs.
Source: MuJoCo: Computation, "Constraint solver", "Algorithms", "NoSlip".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import CONTACT_PYRAMIDAL, EQUALITY, LIMIT_JOINT
from cortenforge.step.solve.dofs import inertia_scale
from cortenforge.step.solve.dual import (
    LEAST_DIAGONAL,
    LEAST_IN_BLOCK,
    MORE,
    has_dual_room,
    keep_cone,
    push_all,
    push_more,
    residual,
    respond,
    row_on,
    rub,
    settle_cone,
    turn_row,
)
from cortenforge.step.solve.pgs import accelerate
from cortenforge.step.solve.report import count_more
from cortenforge.step.solve.rows import clamp


@kernel
def rub_edges(d, r: int):
    """Minimise over the difference of two opposite pyramid edges, their sum fixed; the gain.

    Where the cost does not depend on it, the difference becomes zero, as in MuJoCo.
    """
    total, force = d.iefc_force[r] + d.iefc_force[r + 1], d.iefc_force[r]
    weight = max(d.iefc_diag[r], LEAST_IN_BLOCK) + max(d.iefc_diag[r + 1], LEAST_IN_BLOCK)
    weight -= 2.0 * row_on(d, r, r + 1)
    off = residual(d, r) - residual(d, r + 1)
    if weight < LEAST_DIAGONAL:
        change = 0.5 * total - force
    else:
        change = clamp(force - off / weight, 0.0, total) - force
    gain = -change * (off + 0.5 * weight * change)
    if gain >= -MORE:
        d.iefc_force[r] = force + change
        d.iefc_force[r + 1] = total - d.iefc_force[r]
        push_more(d, r, change)
        push_more(d, r + 1, -change)
    else:
        gain = 0.0
    return gain


@kernel
def rub_rows(d):
    """One sweep over friction loss rows and pyramid edges; the gain."""
    gain = 0.0
    r = 0
    while r < d.island_bounded:
        e = d.iefc_efc[r]
        if e >= 0:
            kind = d.efc_type[e]
            if kind > EQUALITY and kind < LIMIT_JOINT:
                gain += turn_row(d, r, 0)
            elif kind == CONTACT_PYRAMIDAL:
                gain += rub_edges(d, r)
                r += 1
        r += 1
    return gain


@kernel
def softness(d):
    """Part of the dual cost that is due to R: f' R f / 2."""
    total = 0.0
    for r in range(d.island_rows):
        total += 0.5 * d.iefc_R[r] * d.iefc_force[r] * d.iefc_force[r]
    return total


@kernel
def leave_couplings(d):
    """Zero forces and R of coupling rows: the metric's factor stands for them, as in MuJoCo."""
    for r in range(d.island_bounded):
        if d.iefc_efc[r] >= d.nefc:
            d.iefc_force[r] = 0.0
            d.iefc_R[r] = 0.0


@kernel(unit=True)
def noslip(m, d, island: int):
    """Friction forces without slip, and their acceleration.  Mirrors mj_solNoSlip."""
    if has_dual_room(d):
        scale = inertia_scale(d, d.island_n)
        leave_couplings(d)
        respond(d)
        push_all(d)
        count, done = 0, False
        # what forces cost by their regularisation is gained by leaving it out
        gain = softness(d)
        while not done and count < m.opt_noslip_iterations:
            gain += rub_rows(d)
            for c in range(d.island_cones):
                keep_cone(d, c, 0)
                rub(d, c, 0)
                gain += settle_cone(d, c, 0)
            count += 1
            done = scale * gain < m.opt_noslip_tolerance
            gain = 0.0
        accelerate(d)
        count_more(d, island, count)
