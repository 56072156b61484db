"""Tendon lengths, their Jacobian ten_J, tendon armature in M, and points of tendon paths.

    fixed:    L = sum of coef qpos,             J[dof] = coef
    spatial:  L = sum over segments of length / divisor of the branch's pulley
              J[i] = share * u . (v_end,i - v_start,i)      (u: unit vector along the segment)
    M += J' a J                                             (a: armature of the tendon)

Segments are the straight lines of a path: between two sites, or from a site to where the path meets
a wrapping geom, and from where it leaves it to the next site. They are listed here (tenseg_start,
tenseg_end, tenseg_share); forces, velocities and derivatives of tendons follow that list. An arc
has no term of its own in J: at tangent points the path is shortest.
Source: MuJoCo: Modeling, "Actuators" and XML reference, tendon/spatial; wrapping in
`position.tendon_wrapping`.
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

    Mirrors mj_tendon and mj_tendonArmature.
    """
    tendon_paths(m, d)
    add_tendon_armature(m, d)


@kernel(lanes=True)
def tendon_paths(m, d):
    """ten_length, ten_J and path points of all tendons.  Mirrors mj_tendon."""
    for at in range(m.nJten):
        d.ten_J[at] = 0.0
    for i in range(m.ntendon):
        if m.tendon_type[i] == SPATIAL:
            d.ten_length[i] = spatial_tendon_length(m, d, i)
        else:
            d.ten_length[i] = fixed_tendon_length(m, d, i)
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
    """Length of a spatial tendon; writes its segments (`tenseg_share`) and its row of ten_J."""
    length = 0.0
    first = m.tenseg_adr[i]
    end = first + m.tenseg_num[i]
    s = first
    while s < end:
        share = 1.0 / branch_divisor(m, s)
        if ends_on_geom(m, s):
            length += share * place_wrapped_segments(m, d, s, share)
            s += 3
        else:
            length += share * place_straight_segment(m, d, s, share)
            s += 1
    for segment in range(first, end):
        add_segment_jacobian(m, d, i, segment)
    return length


@kernel(lanes=True)
def branch_divisor(m, s: int):
    """Divisor of the pulley that begins the branch of a segment; 1 without one."""
    divisor = 1.0
    if m.tenseg_pulley[s] >= 0:
        divisor = m.wrap_prm[m.tenseg_pulley[s]]
    return divisor


@kernel(lanes=True)
def ends_on_geom(m, s: int):
    """Whether a segment runs onto a geom; then s + 1 runs off it, and s + 2 past it."""
    return m.wrap_type[m.tenseg_step[s, 1]] != WRAP_SITE


@kernel(lanes=True)
def place_straight_segment(m, d, s: int, share):
    """Write the segment between two sites; returns its length."""
    start = d.site_xpos[m.wrap_objid[m.tenseg_step[s, 0]]]
    end = d.site_xpos[m.wrap_objid[m.tenseg_step[s, 1]]]
    set_segment(d, s, start, end, share)
    return norm(end - start)


@kernel(lanes=True)
def place_wrapped_segments(m, d, s: int, share):
    """Write the segments onto (s), off and past a geom; returns the length of this part."""
    start = d.site_xpos[m.wrap_objid[m.tenseg_step[s, 0]]]
    end = d.site_xpos[m.wrap_objid[m.tenseg_step[s + 1, 1]]]
    step = m.tenseg_step[s, 1]
    wrap_step(m, d, step, start, end)
    arc, begin, leave = d.wrap_arc[step], d.wrap_begin[step], d.wrap_leave[step]
    touching = arc >= 0.0
    on_geom = select(touching, share, 0.0)
    set_segment(d, s, start, begin, on_geom)
    set_segment(d, s + 1, leave, end, on_geom)
    set_segment(d, s + 2, start, end, select(touching, 0.0, share))
    length = norm(end - start)
    if any_lane(touching):
        length = select(touching, norm(begin - start) + arc + norm(end - leave), length)
    return length


@kernel(lanes=True)
def set_segment(d, s: int, start, end, share):
    """Write a segment of a path."""
    d.tenseg_start[s] = start
    d.tenseg_end[s] = end
    d.tenseg_share[s] = share


@kernel(lanes=True)
def wrap_step(m, d, step: int, start, end):
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
def add_segment_jacobian(m, d, i: int, s: int):
    """Add u . (v_end - v_start) share of a segment to the row of ten_J of its tendon.

    Dofs that move both bodies do not change the length, and are left out.
    """
    body1, body2 = m.tenseg_bodyid[s, 0], m.tenseg_bodyid[s, 1]
    active = d.tenseg_share[s] != 0.0
    if body1 != body2 and any_lane(active):
        start, end = d.tenseg_start[s], d.tenseg_end[s]
        pull = unit(end - start) * d.tenseg_share[s]
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
        has_armature = armature != 0.0
        if any_lane(has_armature):
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
                        d.M[at] = select(has_armature, d.M[at] + scaled * d.ten_J[k], d.M[at])


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
    first = m.tenseg_adr[i]
    last = m.tendon_adr[i] + m.tendon_num[i] - 1
    for s in range(first, first + m.tenseg_num[i]):
        if d.tenseg_share[s] != 0.0:
            begin, end = m.tenseg_step[s, 0], m.tenseg_step[s, 1]
            if m.tenseg_pulley[s] >= 0 and m.tenseg_pulley[s] == begin - 1:
                count = add_path_point(d, count, vec3(0.0, 0.0, 0.0), WRAP_OBJ_PULLEY)
            count = add_path_point(d, count, d.tenseg_start[s], path_object(m, begin))
            # elsewhere, the next segment starts at the end of this one
            if ends_on_geom(m, s) or end == last or m.wrap_type[end + 1] == PULLEY:
                count = add_path_point(d, count, d.tenseg_end[s], path_object(m, end))
    return count


@kernel
def path_object(m, step: int):
    """What is in wrap_obj for a point at a step of a path."""
    return WRAP_OBJ_SITE if m.wrap_type[step] == WRAP_SITE else m.wrap_objid[step]


@kernel
def add_path_point(d, count: int, point, obj: int):
    """Append one point; returns the number of points so far."""
    d.wrap_obj[count] = obj
    d.wrap_xpos[3 * count] = point.x
    d.wrap_xpos[3 * count + 1] = point.y
    d.wrap_xpos[3 * count + 2] = point.z
    return count + 1
