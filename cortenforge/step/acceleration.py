"""Smooth dynamics: from forces to acceleration, without constraints.

M qacc_smooth = qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_applied + qfrc_actuator + J' xfrc
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, vec3
from cortenforge.math.ldl import ldl_solve_run
from cortenforge.math.vector import abs_sum
from cortenforge.step.constants import DISCRETE
from cortenforge.step.integrate.coupling import metric_acceleration
from cortenforge.step.push import push
from cortenforge.step.sleeping.runs import DOFS, end_of, first_of, run_count, stirs


@kernel(lanes=True)
def smooth_force(m, d):
    """qfrc_smooth: passive - bias + applied + actuator forces.  Mirrors mj_fwdAcceleration."""
    for run in range(run_count(m)):
        if any_lane(stirs(m, d, run)):
            for i in range(first_of(m, run, DOFS), end_of(m, run, DOFS)):
                d.qfrc_smooth[i] = (
                    d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i]
                )
    push_bodies(m, d, d.qfrc_smooth)


@kernel(lanes=True)
def push_bodies(m, d, qfrc):
    """qfrc += J' xfrc_applied of all bodies.  Mirrors mj_xfrcAccumulate."""
    for b in range(1, m.nbody):
        force = vec3(d.xfrc_applied[b, 0], d.xfrc_applied[b, 1], d.xfrc_applied[b, 2])
        torque = vec3(d.xfrc_applied[b, 3], d.xfrc_applied[b, 4], d.xfrc_applied[b, 5])
        # most bodies have no applied force; the comparison is true for nan, so that nan is reported
        applied = abs_sum(force) + abs_sum(torque) != 0.0
        if any_lane(applied):
            push(m, d, qfrc, b, d.xipos[b], force, torque, applied)


@kernel(lanes=True)
def smooth_acceleration(m, d):
    """qacc_smooth = M^-1 qfrc_smooth, or in the metric of a step.  Mirrors mj_fwdAcceleration."""
    if m.opt_integrator == DISCRETE:
        metric_acceleration(m, d)
    else:
        for run in range(run_count(m)):
            if any_lane(stirs(m, d, run)):
                first, end = first_of(m, run, DOFS), end_of(m, run, DOFS)
                for i in range(first, end):
                    d.qacc_smooth[i] = d.qfrc_smooth[i]
                ldl_solve_run(m, d.qLD, d.qLDiagInv, d.qacc_smooth, first, end)


@kernel(lanes=True)
def unconstrained(m, d):
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
