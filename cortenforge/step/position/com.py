"""Subtree centres of mass, and inertias (cinert) and motion axes (cdof) about them.

    subtree_com[b] = sum over the subtree (mass xipos) / body_subtreemass[b]

Spatial vectors have the angular part first and world axes; their reference point is c, the com of
the whole kinematic tree (subtree_com of body_rootid). With the joint axis a and its anchor p:

    hinge  cdof = (a, a x (c - p))        slide  cdof = (0, a)
    ball   the same as a hinge about each column of xmat;   free: three translations, then a ball

A reference point near the bodies loses fewer digits than the world's origin would.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2 and 4; MuJoCo: Computation,
"Forward dynamics".
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

from cortenforge.kernel import inertia, kernel, select, spatial, vec3
from cortenforge.math.spatial import inertia_about, spatial_of
from cortenforge.math.vector import MINVAL, cross
from cortenforge.step.constants import BALL, FREE, SLIDE
from cortenforge.step.sleeping.body_runs import (
    RUN_BODIES,
    RUN_JOINTS,
    is_run_fixed,
    run_end,
    run_start,
)


@kernel(lanes=True)
def subtree_centres(m, d, run: int):
    """subtree_com of the bodies of a run.  Mirrors mj_comPos."""
    if not is_run_fixed(m, run):
        # a run of all bodies has the world in front
        first, end = run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)
        root = 0 if run == 0 else first
        for b in range(root, end):
            d.subtree_com[b] = d.xipos[b] * m.body_mass[b]
        for b in range(end - 1, root, -1):
            parent = m.body_parentid[b]
            d.subtree_com[parent] = d.subtree_com[parent] + d.subtree_com[b]
        for b in range(root, end):
            divide_by_mass(m, d, b)


@kernel(lanes=True)
def divide_by_mass(m, d, b: int):
    """Divide a subtree's first moment, in subtree_com, by its mass; massless: the body's xipos."""
    mass = m.body_subtreemass[b]
    centre = d.subtree_com[b] * (1.0 / max(mass, MINVAL))
    d.subtree_com[b] = select(mass < MINVAL, d.xipos[b], centre)


@kernel(lanes=True)
def fixed_body_centres(m, d):
    """subtree_com of static bodies, from those of the trees on them, awake or asleep.

    Mirrors mj_comPos.
    """
    for b in range(m.nbody):
        if m.body_treeid[b] < 0:
            d.subtree_com[b] = d.xipos[b] * m.body_mass[b]
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        if m.body_treeid[parent] < 0:
            moment = d.subtree_com[b]
            if m.body_treeid[b] >= 0:
                moment = moment * m.body_subtreemass[b]
            d.subtree_com[parent] = d.subtree_com[parent] + moment
    for b in range(m.nbody):
        if m.body_treeid[b] < 0:
            divide_by_mass(m, d, b)


@kernel(lanes=True)
def com_inertias(m, d, run: int):
    """cinert: inertia of each body about its tree's com, in world axes.  Mirrors mj_comPos."""
    if run == 0:
        d.cinert[0] = inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for b in range(run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)):
        offset = d.xipos[b] - d.subtree_com[m.body_rootid[b]]
        d.cinert[b] = inertia_about(m.body_inertia[b], d.ximat[b], offset, m.body_mass[b])


@kernel(lanes=True)
def motion_axes(m, d, run: int):
    """cdof: motion axis of each dof about its tree's com, in world axes.  Mirrors mj_comPos."""
    none = vec3(0.0, 0.0, 0.0)
    for j in range(run_start(m, run, RUN_JOINTS), run_end(m, run, RUN_JOINTS)):
        b = m.jnt_bodyid[j]
        dof = m.jnt_dofadr[j]
        offset = d.subtree_com[m.body_rootid[b]] - d.xanchor[j]
        kind = m.jnt_type[j]
        if kind == FREE:
            d.cdof[dof] = spatial(0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
            d.cdof[dof + 1] = spatial(0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
            d.cdof[dof + 2] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
            rotation_axes(d, b, dof + 3, offset)
        elif kind == BALL:
            rotation_axes(d, b, dof, offset)
        elif kind == SLIDE:
            d.cdof[dof] = spatial_of(none, d.xaxis[j])
        else:
            d.cdof[dof] = spatial_of(d.xaxis[j], cross(d.xaxis[j], offset))


@kernel(lanes=True)
def rotation_axes(d, b: int, dof: int, offset):
    """cdof of three rotations about the axes of a body.  Mirrors mju_dofCom.

    offset: from the joint's anchor to the com of the tree.
    """
    axes = d.xmat[b]
    x = vec3(axes.xx, axes.yx, axes.zx)
    y = vec3(axes.xy, axes.yy, axes.zy)
    z = vec3(axes.xz, axes.yz, axes.zz)
    d.cdof[dof] = spatial_of(x, cross(x, offset))
    d.cdof[dof + 1] = spatial_of(y, cross(y, offset))
    d.cdof[dof + 2] = spatial_of(z, cross(z, offset))
