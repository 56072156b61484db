"""Mass matrix M by the composite rigid body algorithm (CRBA), and its sparse L'DL factor.

    crb[b] = cinert[b] + sum of crb of its children         (inertia of the subtree, as if rigid)
    M[i, k] = cdof[k] . crb[body of i] cdof[i]              (k = i, or an ancestor dof of i)
    M[i, i] += dof_armature + armature reflected by actuators
    M = L' D L                                              (L has M's pattern: no fill-in)

M is stored as the lower triangle in CSR form (M_rowadr, M_rownnz, M_colind), diagonal last.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 6 (CRBA in 6.2, L'DL in 6.5);
the factor itself is in `math.ldl`.
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel
from cortenforge.math.ldl import ldl_factor_run
from cortenforge.math.spatial import inertia_times_motion, spatial_dot
from cortenforge.step.armature_and_damping import reflected_armature
from cortenforge.step.sleeping.body_runs import (
    RUN_BODIES,
    RUN_DOFS,
    is_run_active,
    is_run_fixed,
    run_count,
    run_end,
    run_start,
)


@kernel(lanes=True)
def composite_inertias(m, d, run: int):
    """crb: composite inertia of each subtree of a run.  Mirrors mj_crb."""
    first, end = run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)
    if run == 0:
        d.crb[0] = d.cinert[0]
    for b in range(first, end):
        d.crb[b] = d.cinert[b]
    if not is_run_fixed(m, run):
        for b in range(end - 1, first, -1):
            parent = m.body_parentid[b]
            if parent >= first:
                d.crb[parent] = d.crb[parent] + d.crb[b]


@kernel(lanes=True)
def fixed_body_inertias(m, d):
    """Add composite inertias of the trees on static bodies, awake or asleep, to these bodies."""
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        if parent > 0 and m.body_treeid[parent] < 0:
            d.crb[parent] = d.crb[parent] + d.crb[b]


@kernel(lanes=True)
def inertia_matrix(m, d, run: int):
    """Rows of M of a run, without the inertia of tendons.  Mirrors mj_crb."""
    for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
        at = m.M_rowadr[i]
        if m.dof_simplenum[i] > 0:
            # a simple dof has a constant diagonal row
            d.M[at] = m.dof_M0[i]
        else:
            last = at + m.M_rownnz[i] - 1
            momentum = inertia_times_motion(d.crb[m.dof_bodyid[i]], d.cdof[i])
            armature = m.dof_armature[i] + reflected_armature(m, m.dof_jntid[i])
            for k in range(at, last):
                d.M[k] = spatial_dot(d.cdof[m.M_colind[k]], momentum)
            d.M[last] = armature + spatial_dot(d.cdof[i], momentum)


@kernel(lanes=True, unit=True)
def factor_inertia(m, d):
    """Factor M = L'DL of every run that is awake, into qLD and qLDiagInv.  Mirrors mj_factorM."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            first, end = run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)
            copy_matrix_rows(m, first, end, d.M, d.qLD)
            ldl_factor_run(m, d.qLD, d.qLDiagInv, first, end)


@kernel(lanes=True)
def copy_matrix_rows(m, first: int, end: int, source, target):
    """Copy the rows of dofs first to end - 1 of a matrix in M's pattern."""
    if first < end:
        last = end - 1
        for k in range(m.M_rowadr[first], m.M_rowadr[last] + m.M_rownnz[last]):
            target[k] = source[k]
