"""Centres of mass, and inertias and motion axes about them."""

from __future__ import annotations

from cortenforge.kernel import inertia, kernel, select, spatial, vec3
from cortenforge.math.spatial import inertia_about, spatial_of
from cortenforge.math.vector import MINVAL, cross
from cortenforge.step.constants import BALL, FREE, SLIDE
from cortenforge.step.sleeping.runs import BODIES, JOINTS, end_of, first_of, is_fixed


@kernel(lanes=True)
def subtree_centres(m, d, run: int):
    """Centre of mass of each subtree of a run.  Mirrors mj_comPos."""
    if not is_fixed(m, run):
        # a run of all bodies has the world in front
        first, end = first_of(m, run, BODIES), end_of(m, run, BODIES)
        root = 0 if run == 0 else first
        for b in range(root, end):
            d.subtree_com[b] = d.xipos[b] * m.body_mass[b]
        for b in range(end - 1, root, -1):
            parent = m.body_parentid[b]
            d.subtree_com[parent] = d.subtree_com[parent] + d.subtree_com[b]
        for b in range(root, end):
            weigh_centre(m, d, b)


@kernel(lanes=True)
def weigh_centre(m, d, b: int):
    """From the moment of a subtree to its centre."""
    mass = m.body_subtreemass[b]
    centre = d.subtree_com[b] * (1.0 / max(mass, MINVAL))
    d.subtree_com[b] = select(mass < MINVAL, d.xipos[b], centre)


@kernel(lanes=True)
def fixed_centres(m, d):
    """Centres of mass of what hangs on fixed bodies, by those of trees, awake or asleep."""
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
            weigh_centre(m, d, b)


@kernel(lanes=True)
def com_inertias(m, d, run: int):
    """Inertia of each body about its tree's centre, in world axes.  Mirrors mj_comPos."""
    if run == 0:
        d.cinert[0] = inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for b in range(first_of(m, run, BODIES), end_of(m, run, BODIES)):
        offset = d.xipos[b] - d.subtree_com[m.body_rootid[b]]
        d.cinert[b] = inertia_about(m.body_inertia[b], d.ximat[b], offset, m.body_mass[b])


@kernel(lanes=True)
def motion_axes(m, d, run: int):
    """Motion of the tree's centre that each dof makes.  Mirrors mj_comPos."""
    none = vec3(0.0, 0.0, 0.0)
    for j in range(first_of(m, run, JOINTS), end_of(m, run, JOINTS)):
        b = m.jnt_bodyid[j]
        dof = m.jnt_dofadr[j]
        offset = d.subtree_com[m.body_rootid[b]] - d.xanchor[j]
        kind = m.jnt_type[j]
        if kind == FREE:
            d.cdof[dof] = spatial(0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
            d.cdof[dof + 1] = spatial(0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
            d.cdof[dof + 2] = spatial(0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
            turn_axes(d, b, dof + 3, offset)
        elif kind == BALL:
            turn_axes(d, b, dof, offset)
        elif kind == SLIDE:
            d.cdof[dof] = spatial_of(none, d.xaxis[j])
        else:
            d.cdof[dof] = spatial_of(d.xaxis[j], cross(d.xaxis[j], offset))


@kernel(lanes=True)
def turn_axes(d, b: int, dof: int, offset):
    """Rotations about the three axes of a body."""
    axes = d.xmat[b]
    x = vec3(axes.xx, axes.yx, axes.zx)
    y = vec3(axes.xy, axes.yy, axes.zy)
    z = vec3(axes.xz, axes.yz, axes.zz)
    d.cdof[dof] = spatial_of(x, cross(x, offset))
    d.cdof[dof + 1] = spatial_of(y, cross(y, offset))
    d.cdof[dof + 2] = spatial_of(z, cross(z, offset))
