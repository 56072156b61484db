"""Tendon lengths, their Jacobian ten_J, tendon armature in M, and points of tendon paths.

    fixed:    L = sum of coef qpos,             J[dof] = coef
    spatial:  L = sum over segments of length / divisor of the branch's pulley
              J[i] = share * u . (v_end,i - v_start,i)      (u: unit vector along the segment)
    M += J' a J                                             (a: armature of the tendon)

A segment is the straight line between two sites, or the two tangent lines and the arc around a
wrapping geom. An arc has no term of its own in J: at tangent points the path is shortest.
Source: MuJoCo: Modeling, "Actuators" and XML reference, tendon/spatial; wrapping in
`position.wrapping`.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.spatial import force_about, spatial_dot
from cortenforge.math.vector import into_frame, norm, unit
from cortenforge.step.apply_force import last_dof_of_body
from cortenforge.step.armature_and_damping import tendon_armature_with_actuators
from cortenforge.step.constants import PULLEY, SPATIAL, WRAP_SITE
from cortenforge.step.position.tendon_wrapping import wrap_geom

#: in wrap_obj, points on sites and pulleys
WRAP_OBJ_SITE = -1
WRAP_OBJ_PULLEY = -2


@kernel(lanes=True, unit=True)
def tendon_lengths(m, d):
    """ten_length, ten_J, tendon armature in M and path points of all tendons.

    Mirrors mj_tendon.
    """
    for at in range(m.nJten):
        d.ten_J[at] = 0.0
    for i in range(m.ntendon):
        if m.tendon_type[i] == SPATIAL:
            d.ten_length[i] = spatial_tendon_length(m, d, i)
        else:
            d.ten_length[i] = fixed_tendon_length(m, d, i)
    add_tendon_armature(m, d)
    tendon_path_points(m, d)


@kernel(lanes=True)
def fixed_tendon_length(m, d, i: int):
    """Length of a fixed tendon, sum of coef qpos; writes its row of ten_J."""
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
def spatial_tendon_length(m, d, i: int):
    """Length of a spatial tendon, segment by segment; writes its row of ten_J.

    share: 1 over the divisor of the pulley that begins a branch.
    """
    length = 0.0
    share = 1.0
    step = m.tendon_adr[i]
    last = step + m.tendon_num[i] - 1
    while step < last:
        next_type = m.wrap_type[step + 1]
        if m.wrap_type[step] == PULLEY:
            share = 1.0 / m.wrap_prm[step]
            step += 1
        elif next_type == PULLEY:
            step += 1
        elif next_type == WRAP_SITE:
            length += share * site_segment_length(m, d, i, step, share)
            step += 1
        else:
            length += share * wrapped_segment_length(m, d, i, step, share)
            step += 2
    return length


@kernel(lanes=True)
def site_segment_length(m, d, i: int, step: int, share):
    """Length of the segment from the site of a step to the next site; adds it to ten_J."""
    site1, site2 = m.wrap_objid[step], m.wrap_objid[step + 1]
    start, end = d.site_xpos[site1], d.site_xpos[site2]
    add_segment_jacobian(
        m, d, i, m.site_bodyid[site1], m.site_bodyid[site2], start, end, share, True
    )
    return norm(end - start)


@kernel(lanes=True)
def wrapped_segment_length(m, d, i: int, step: int, share):
    """Length of the segment from a site over a wrapping geom to the next site; adds it to ten_J."""
    site1, geom, site2 = m.wrap_objid[step], m.wrap_objid[step + 1], m.wrap_objid[step + 2]
    body1, geom_body, body2 = m.site_bodyid[site1], m.geom_bodyid[geom], m.site_bodyid[site2]
    start, end = d.site_xpos[site1], d.site_xpos[site2]
    wrap_segment(m, d, step + 1, start, end)
    arc = d.wrap_arc[step + 1]
    touching = arc >= 0.0
    length = norm(end - start)
    if any_lane(touching):
        begin, leave = d.wrap_begin[step + 1], d.wrap_leave[step + 1]
        length = select(touching, norm(begin - start) + arc + norm(end - leave), length)
        add_segment_jacobian(m, d, i, body1, geom_body, start, begin, share, touching)
        add_segment_jacobian(m, d, i, geom_body, body2, leave, end, share, touching)
    if any_lane(not touching):
        add_segment_jacobian(m, d, i, body1, body2, start, end, share, not touching)
    return length


@kernel(lanes=True)
def wrap_segment(m, d, step: int, start, end):
    """wrap_arc, wrap_begin and wrap_leave: the part of a path that lies on the geom of a step.

    Mirrors mju_wrap.
    """
    geom, side_site = m.wrap_objid[step], m.wrap_sideid[step]
    centre, axes = d.geom_xpos[geom], d.geom_xmat[geom]
    arc, begin, leave = wrap_geom(
        into_frame(axes, start - centre),
        into_frame(axes, end - centre),
        # without a side site, any value is fine
        into_frame(axes, d.site_xpos[max(side_site, 0)] - centre),
        side_site + 1,
        m.geom_size[geom, 0],
        m.wrap_type[step],
    )
    d.wrap_arc[step] = arc
    d.wrap_begin[step] = centre + axes @ begin
    d.wrap_leave[step] = centre + axes @ leave


@kernel(lanes=True)
def add_segment_jacobian(m, d, i: int, body1: int, body2: int, start, end, share, active):
    """Add u . (v_end - v_start) share of a line between points of two bodies to a row of ten_J.

    Dofs that move both bodies do not change the length, and are left out. active: lanes in which
    the line is part of the path.
    """
    if body1 != body2:
        pull = unit(end - start) * share
        wrench1 = force_about(pull, start - d.subtree_com[m.body_rootid[body1]])
        wrench2 = force_about(pull, end - d.subtree_com[m.body_rootid[body2]])
        dof1, dof2 = last_dof_of_body(m, body1), last_dof_of_body(m, body2)
        at = m.ten_J_rowadr[i] + m.ten_J_rownnz[i] - 1
        # dofs have higher ids than their ancestors, and columns rise along a row
        while dof1 != dof2:
            while m.ten_J_colind[at] != max(dof1, dof2):
                at -= 1
            if dof1 > dof2:
                change = -spatial_dot(d.cdof[dof1], wrench1)
                dof1 = m.dof_parentid[dof1]
            else:
                change = spatial_dot(d.cdof[dof2], wrench2)
                dof2 = m.dof_parentid[dof2]
            d.ten_J[at] = select(active, d.ten_J[at] + change, d.ten_J[at])


@kernel(lanes=True)
def add_tendon_armature(m, d):
    """Add J' armature J of each tendon to M, within M's pattern.  Mirrors mj_tendonArmature."""
    for i in range(m.ntendon):
        armature = tendon_armature_with_actuators(m, i)
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
def tendon_path_points(m, d):
    """wrap_xpos, wrap_obj, ten_wrapadr and ten_wrapnum: path points in world axes.

    World by world: the number of points depends on whether a path touches its geoms.
    Mirrors mj_tendon.
    """
    count = 0
    for i in range(m.ntendon):
        d.ten_wrapadr[i] = count
        if m.tendon_type[i] == SPATIAL:
            count = add_path_points(m, d, i, count)
        d.ten_wrapnum[i] = count - d.ten_wrapadr[i]
    nowhere = vec3(0.0, 0.0, 0.0)
    for k in range(count, 2 * m.nwrap):
        add_path_point(d, k, nowhere, 0)


@kernel
def add_path_points(m, d, i: int, count: int):
    """Append the points of the path of tendon i; returns the number of points so far."""
    step = m.tendon_adr[i]
    last = step + m.tendon_num[i] - 1
    while step < last:
        if m.wrap_type[step] == PULLEY:
            count = add_path_point(d, count, vec3(0.0, 0.0, 0.0), WRAP_OBJ_PULLEY)
            step += 1
        elif m.wrap_type[step + 1] == PULLEY:
            step += 1
        else:
            count = add_path_point(d, count, d.site_xpos[m.wrap_objid[step]], WRAP_OBJ_SITE)
            step += 1
            if m.wrap_type[step] != WRAP_SITE:
                if d.wrap_arc[step] >= 0.0:
                    count = add_path_point(d, count, d.wrap_begin[step], m.wrap_objid[step])
                    count = add_path_point(d, count, d.wrap_leave[step], m.wrap_objid[step])
                step += 1
            # the last site of a branch
            if step == last or m.wrap_type[step + 1] == PULLEY:
                count = add_path_point(d, count, d.site_xpos[m.wrap_objid[step]], WRAP_OBJ_SITE)
    return count


@kernel
def add_path_point(d, count: int, point, obj: int):
    """Append one point; returns the number of points so far."""
    d.wrap_obj[count] = obj
    d.wrap_xpos[3 * count] = point.x
    d.wrap_xpos[3 * count + 1] = point.y
    d.wrap_xpos[3 * count + 2] = point.z
    return count + 1
