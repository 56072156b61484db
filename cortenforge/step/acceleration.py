"""Smooth dynamics: from forces to acceleration, without constraints.

M qacc_smooth = qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_applied + qfrc_actuator + J' xfrc

xfrc is applied at centres of mass. Source: MuJoCo: Computation, "Forward dynamics".
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, vec3
from cortenforge.math.ldl import ldl_solve_run
from cortenforge.math.vector import abs_sum
from cortenforge.step.apply_force import apply_force
from cortenforge.step.constants import DISCRETE
from cortenforge.step.metric.coupling import metric_acceleration
from cortenforge.step.sleeping.body_runs import (
    RUN_DOFS,
    is_run_active,
    run_count,
    run_end,
    run_start,
)


@kernel(lanes=True)
def sum_smooth_forces(m, d):
    """qfrc_smooth: passive - bias + applied + actuator forces.  Mirrors mj_fwdAcceleration."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
                d.qfrc_smooth[i] = (
                    d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i]
                )
    add_applied_wrenches(m, d, d.qfrc_smooth)


@kernel(lanes=True)
def add_applied_wrenches(m, d, qfrc):
    """qfrc += J' xfrc_applied of all bodies.  Mirrors mj_xfrcAccumulate."""
    for b in range(1, m.nbody):
        force = vec3(d.xfrc_applied[b, 0], d.xfrc_applied[b, 1], d.xfrc_applied[b, 2])
        torque = vec3(d.xfrc_applied[b, 3], d.xfrc_applied[b, 4], d.xfrc_applied[b, 5])
        # most bodies have no applied force; the comparison is true for nan, so that nan is reported
        applied = abs_sum(force) + abs_sum(torque) != 0.0
        if any_lane(applied):
            apply_force(m, d, qfrc, b, d.xipos[b], force, torque, applied)


@kernel(lanes=True)
def smooth_acceleration(m, d):
    """qacc_smooth = M^-1 qfrc_smooth, or in the metric of a step.  Mirrors mj_fwdAcceleration."""
    if m.opt_integrator == DISCRETE:
        metric_acceleration(m, d)
    else:
        for run in range(run_count(m)):
            if any_lane(is_run_active(m, d, run)):
                first, end = run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)
                for i in range(first, end):
                    d.qacc_smooth[i] = d.qfrc_smooth[i]
                ldl_solve_run(m, d.qLD, d.qLDiagInv, d.qacc_smooth, first, end)


@kernel(lanes=True)
def set_unconstrained_acceleration(m, d):
    """Without constraints: qacc = qacc_smooth, and no rows.  Mirrors mj_fwdConstraint.

    Resets rows and islands that a model had before constraints were disabled.
    """
    d.ne = 0
    d.nf = 0
    d.nl = 0
    d.nefc = 0
    d.nJ = 0
    d.nisland = 0
    for i in range(m.nv):
        d.qacc[i] = d.qacc_smooth[i]
        d.qfrc_constraint[i] = 0.0
