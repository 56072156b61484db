"""The joint-space inertia matrix M and its factor."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.ldl import ldl_factor
from cortenforge.math.spatial import momentum_of, pairing
from cortenforge.step.reflected import reflected_armature


@kernel(lanes=True)
def composite_inertias(m, d):
    """Inertia of each subtree, as if it were rigid.  Mirrors mj_crb."""
    for b in range(m.nbody):
        d.crb[b] = d.cinert[b]
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        if parent > 0:
            d.crb[parent] = d.crb[parent] + d.crb[b]


@kernel(lanes=True)
def inertia_matrix(m, d):
    """M by the composite rigid body algorithm, lower half, CSR.  Mirrors mj_crb."""
    for i in range(m.nv):
        at = m.M_rowadr[i]
        if m.dof_simplenum[i] > 0:
            # a simple dof has a constant diagonal row
            d.M[at] = m.dof_M0[i]
        else:
            last = at + m.M_rownnz[i] - 1
            momentum = momentum_of(d.crb[m.dof_bodyid[i]], d.cdof[i])
            armature = m.dof_armature[i] + reflected_armature(m, m.dof_jntid[i])
            for k in range(at, last):
                d.M[k] = pairing(d.cdof[m.M_colind[k]], momentum)
            d.M[last] = armature + pairing(d.cdof[i], momentum)


@kernel(lanes=True, unit=True)
def factor_inertia(m, d):
    """L'DL factor of M.  Mirrors mj_factorM."""
    for k in range(m.nC):
        d.qLD[k] = d.M[k]
    ldl_factor(m, d.qLD, d.qLDiagInv)
