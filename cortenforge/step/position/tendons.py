"""Tendons: their lengths, how joints change them, their inertia, and the points of their paths."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.spatial import pairing, spatial_of
from cortenforge.math.vector import cross, into_frame, norm, unit
from cortenforge.step.constants import PULLEY, SPATIAL, WRAP_SITE
from cortenforge.step.position.wrapping import arc_around
from cortenforge.step.reflected import tendon_inertia

#: in wrap_obj, what is no geom
OF_SITE = -1
OF_PULLEY = -2


@kernel(lanes=True, unit=True)
def tendons(m, d):
    """Length and Jacobian of each tendon, and its inertia in M.  Mirrors mj_tendon."""
    for at in range(m.nJten):
        d.ten_J[at] = 0.0
    for i in range(m.ntendon):
        if m.tendon_type[i] == SPATIAL:
            d.ten_length[i] = spatial_length(m, d, i)
        else:
            d.ten_length[i] = fixed_length(m, d, i)
    tendon_armature(m, d)
    tendon_paths(m, d)


@kernel(lanes=True)
def fixed_length(m, d, i: int):
    """Length of a fixed tendon, a weighed sum of joint positions; its row of the Jacobian."""
    length = 0.0
    first = m.tendon_adr[i]
    for step in range(first, first + m.tendon_num[i]):
        joint = m.wrap_objid[step]
        at = m.ten_J_rowadr[i]
        while m.ten_J_colind[at] != m.jnt_dofadr[joint]:
            at += 1
        d.ten_J[at] = m.wrap_prm[step]
        length += m.wrap_prm[step] * d.qpos[m.jnt_qposadr[joint]]
    return length


@kernel(lanes=True)
def spatial_length(m, d, i: int):
    """Length of a path over sites and geoms, branch by branch; its row of the Jacobian."""
    length = 0.0
    share = 1.0
    step = m.tendon_adr[i]
    last = step + m.tendon_num[i] - 1
    while step < last:
        behind = m.wrap_type[step + 1]
        if m.wrap_type[step] == PULLEY:
            share = 1.0 / m.wrap_prm[step]
            step += 1
        elif behind == PULLEY:
            step += 1
        elif behind == WRAP_SITE:
            length += share * length_between(m, d, i, step, share)
            step += 1
        else:
            length += share * length_over(m, d, i, step, share)
            step += 2
    return length


@kernel(lanes=True)
def length_between(m, d, i: int, step: int, share):
    """Length of the line from a site to the next one."""
    first, second = m.wrap_objid[step], m.wrap_objid[step + 1]
    start, end = d.site_xpos[first], d.site_xpos[second]
    stretch(m, d, i, m.site_bodyid[first], m.site_bodyid[second], start, end, share, True)
    return norm(end - start)


@kernel(lanes=True)
def length_over(m, d, i: int, step: int, share):
    """Length of the path from a site to another one, with a geom between them."""
    first, geom, second = m.wrap_objid[step], m.wrap_objid[step + 1], m.wrap_objid[step + 2]
    one, around, other = m.site_bodyid[first], m.geom_bodyid[geom], m.site_bodyid[second]
    start, end = d.site_xpos[first], d.site_xpos[second]
    find_arc(m, d, step + 1, start, end)
    arc = d.wrap_arc[step + 1]
    touching = arc >= 0.0
    length = norm(end - start)
    if any_lane(touching):
        begin, leave = d.wrap_begin[step + 1], d.wrap_leave[step + 1]
        length = select(touching, norm(begin - start) + arc + norm(end - leave), length)
        stretch(m, d, i, one, around, start, begin, share, touching)
        stretch(m, d, i, around, other, leave, end, share, touching)
    if any_lane(not touching):
        stretch(m, d, i, one, other, start, end, share, not touching)
    return length


@kernel(lanes=True)
def find_arc(m, d, step: int, start, end):
    """The part of a path that lies on the geom of a step: wrap_arc, wrap_begin, wrap_leave."""
    geom, side = m.wrap_objid[step], m.wrap_sideid[step]
    centre, axes = d.geom_xpos[geom], d.geom_xmat[geom]
    arc, begin, leave = arc_around(
        into_frame(axes, start - centre),
        into_frame(axes, end - centre),
        # without a side site, any will do
        into_frame(axes, d.site_xpos[max(side, 0)] - centre),
        side + 1,
        m.geom_size[geom, 0],
        m.wrap_type[step],
    )
    d.wrap_arc[step] = arc
    d.wrap_begin[step] = centre + axes @ begin
    d.wrap_leave[step] = centre + axes @ leave


@kernel(lanes=True)
def stretch(m, d, i: int, one: int, other: int, start, end, share, felt):
    """Add to the Jacobian how dofs change the length of a line between points of two bodies.

    Dofs that move both bodies do not change it, and are left out.
    """
    if one != other:
        pull = unit(end - start) * share
        on_one = spatial_of(cross(start - d.subtree_com[m.body_rootid[one]], pull), pull)
        on_other = spatial_of(cross(end - d.subtree_com[m.body_rootid[other]], pull), pull)
        of_one, of_other = last_dof(m, one), last_dof(m, other)
        at = m.ten_J_rowadr[i] + m.ten_J_rownnz[i] - 1
        # dofs have higher numbers than those above them, and rows are in rising order
        while of_one != of_other:
            while m.ten_J_colind[at] != max(of_one, of_other):
                at -= 1
            if of_one > of_other:
                change = -pairing(d.cdof[of_one], on_one)
                of_one = m.dof_parentid[of_one]
            else:
                change = pairing(d.cdof[of_other], on_other)
                of_other = m.dof_parentid[of_other]
            d.ten_J[at] = select(felt, d.ten_J[at] + change, d.ten_J[at])


@kernel(lanes=True)
def last_dof(m, b: int):
    """The last of the dofs that move a body, -1 if none does."""
    moving = m.body_weldid[b]
    dof = -1
    if m.body_dofnum[moving] > 0:
        dof = m.body_dofadr[moving] + m.body_dofnum[moving] - 1
    return dof


@kernel(lanes=True)
def tendon_armature(m, d):
    """Add J' a J of tendons with inertia to M, in M's pattern.  Mirrors mj_tendonArmature."""
    for i in range(m.ntendon):
        armature = tendon_inertia(m, i)
        heavy = armature != 0.0
        if any_lane(heavy):
            start = m.ten_J_rowadr[i]
            for j in range(start, start + m.ten_J_rownnz[i]):
                dof = m.ten_J_colind[j]
                at = m.M_rowadr[dof]
                last = at + m.M_rownnz[dof] - 1
                scaled = armature * d.ten_J[j]
                for k in range(start, j + 1):
                    while at < last and m.M_colind[at] < m.ten_J_colind[k]:
                        at += 1
                    if m.M_colind[at] == m.ten_J_colind[k]:
                        d.M[at] = select(heavy, d.M[at] + scaled * d.ten_J[k], d.M[at])


@kernel
def tendon_paths(m, d):
    """The points of all paths, one after another.  Mirrors mj_tendon.

    Of one world: how many points a path has depends on where it touches.
    """
    count = 0
    for i in range(m.ntendon):
        d.ten_wrapadr[i] = count
        if m.tendon_type[i] == SPATIAL:
            count = path_points(m, d, i, count)
        d.ten_wrapnum[i] = count - d.ten_wrapadr[i]
    nowhere = vec3(0.0, 0.0, 0.0)
    for k in range(count, 2 * m.nwrap):
        add_point(d, k, nowhere, 0)


@kernel
def path_points(m, d, i: int, count: int):
    """Add the points of one path to those before; how many there are then."""
    step = m.tendon_adr[i]
    last = step + m.tendon_num[i] - 1
    while step < last:
        if m.wrap_type[step] == PULLEY:
            count = add_point(d, count, vec3(0.0, 0.0, 0.0), OF_PULLEY)
            step += 1
        elif m.wrap_type[step + 1] == PULLEY:
            step += 1
        else:
            count = add_point(d, count, d.site_xpos[m.wrap_objid[step]], OF_SITE)
            step += 1
            if m.wrap_type[step] != WRAP_SITE:
                if d.wrap_arc[step] >= 0.0:
                    count = add_point(d, count, d.wrap_begin[step], m.wrap_objid[step])
                    count = add_point(d, count, d.wrap_leave[step], m.wrap_objid[step])
                step += 1
            # the last site of a branch
            if step == last or m.wrap_type[step + 1] == PULLEY:
                count = add_point(d, count, d.site_xpos[m.wrap_objid[step]], OF_SITE)
    return count


@kernel
def add_point(d, count: int, point, obj: int):
    """One more point; how many there are then."""
    d.wrap_obj[count] = obj
    d.wrap_xpos[3 * count] = point.x
    d.wrap_xpos[3 * count + 1] = point.y
    d.wrap_xpos[3 * count + 2] = point.z
    return count + 1
