"""Contact of vertices with geoms: nonpenetration, friction anchors, attachments to bodies.

In a substep of length h a contact of a vertex (inverse mass w) and a body (w_body) does

    C = gap - allowed >= 0,    lambda = (allowed - gap) / (w + w_body),    x += w lambda n
    allowed <- allowed (1 - h / (h + 2 timeconst dampratio)),    allowed <= 0

gap is the distance to the surface less the radius. So a vertex that is outside stays outside, and a
penetration of the beginning is mended by the solref of the deformable. The impulse on the body is
-lambda n / h. load is a running mean of the force lambda / h^2.

Friction anchors: a vertex that is pressed has an anchor in the geom's frame, where friction holds
it as far as it can, so that nothing creeps, however long it is held:

    slip = tangential part of (point - anchor)
    lambda_t = min(|slip| / (w + w_body), mu load h^2)
    sliding: the anchor follows, as far behind as friction could hold it

Sources: Mueller et al., "Position Based Dynamics" (2007), section 3.4, for the projection; Macklin,
Mueller and Chentanez, XPBD (2016); docs/deformables.md, "Coupling", for the anchors.
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.math.rotation import conjugate, rotate
from cortenforge.math.vector import dot, into_frame, norm
from cortenforge.step.constants import MESH
from cortenforge.step.soft.contact_detection import geom_distance_and_normal
from cortenforge.step.soft.rigid_coupling import apply_impulse, inverse_mass_along

#: share of the newest value in the running mean of a load
LOAD_SMOOTHING = 0.2
#: a vertex farther from the surface than this, in radii, loses its anchor
ANCHOR_RELEASE_GAP = 0.25


@kernel
def vertex_geom_distance(m, d, k: int, g: int, point):
    """(distance, normal) of a vertex to its geom; point and normal in the geom's frame.

    Hulls of meshes are taken as flat for the length of a step, as where the vertex was near them.
    """
    distance = 0.0
    out = d.softcon_out[k]
    if m.geom_type[g] == MESH:
        distance = dot(point - d.softcon_near[k], out)
    else:
        distance, out = geom_distance_and_normal(m, g, point)
    return distance, out


@kernel
def corrected_fraction(m, s: int, h):
    """h / (h + 2 timeconst dampratio): the part of a penetration that a substep mends."""
    return h / (h + 2.0 * max(0.0, m.soft_solref[s, 0]) * max(0.0, m.soft_solref[s, 1]))


@kernel
def project_friction(m, d, k: int, h, w, axes, point, normal):
    """Project friction: back to the anchor, as far as mu times the load allows."""
    if d.softcon_held[k] == 0:
        d.softcon_held[k] = 1
        d.softcon_anchor[k] = point
        return
    slip = point - d.softcon_anchor[k]
    slip = slip - normal * dot(slip, normal)
    slip_length = norm(slip)
    if slip_length <= 0.0:
        return
    v, g = d.softcon_vert[k], d.softcon_geom[k]
    b = m.geom_bodyid[g]
    direction = rotate(d.soft_bodyquat[b], axes @ (slip * (1.0 / slip_length)))
    arm = d.soft_p[v] - d.soft_bodypos[b]
    w_sum = w + inverse_mass_along(d, b, arm, direction)
    multiplier = slip_length / w_sum
    friction_multiplier = min(multiplier, d.softcon_friction[k] * d.softcon_load[k] * h * h)
    d.soft_p[v] = d.soft_p[v] - direction * (friction_multiplier * w)
    apply_impulse(m, d, b, arm, direction * (friction_multiplier / h))
    d.softcon_sum[k] = d.softcon_sum[k] - direction * (friction_multiplier / h)
    if friction_multiplier < multiplier:
        # it slides: the anchor follows, as far behind as friction could hold it
        d.softcon_anchor[k] = point - slip * (friction_multiplier * w_sum / slip_length)


@kernel
def apply_sleeping_load(m, d, k: int, normal, h):
    """Report the load of a contact of a vertex that sleeps."""
    if d.softcon_held[k] != 0:
        d.softcon_sum[k] = d.softcon_sum[k] + normal * (d.softcon_load[k] * h)
        d.softvert_colliding[d.softcon_vert[k]] = 1


@kernel
def project_contact(m, d, k: int, h):
    """Project one contact in one substep: normal, then friction."""
    v, g = d.softcon_vert[k], d.softcon_geom[k]
    s = m.softvert_soft[v]
    b = m.geom_bodyid[g]
    w = d.soft_w[v]
    axes = d.geom_xmat[g]
    rotation = d.soft_bodyquat[b]
    arm = d.soft_p[v] - d.soft_bodypos[b]
    point = into_frame(axes, rotate(conjugate(rotation), arm) - (d.geom_xpos[g] - d.xipos[b]))
    distance, normal_local = vertex_geom_distance(m, d, k, g, point)
    gap = distance - m.soft_radius[s]
    # what is inside comes out slowly, and gets no deeper
    allowed = d.softcon_gap[k] * (1.0 - corrected_fraction(m, s, h))
    d.softcon_gap[k] = allowed
    if w <= 0.0 and d.soft_bodyused[b] != 1:
        # it sleeps on what cannot move, with the load it had when it fell asleep
        apply_sleeping_load(m, d, k, rotate(rotation, axes @ normal_local), h)
        return
    load = 0.0
    if gap < allowed:
        normal = rotate(rotation, axes @ normal_local)
        w_sum = w + inverse_mass_along(d, b, arm, normal)
        if w_sum > 0.0:
            multiplier = (allowed - gap) / w_sum
            load = multiplier / (h * h)
            d.soft_p[v] = d.soft_p[v] + normal * (multiplier * w)
            apply_impulse(m, d, b, arm, normal * (-multiplier / h))
            d.softcon_sum[k] = d.softcon_sum[k] + normal * (multiplier / h)
        d.softvert_colliding[v] = 1
    d.softcon_load[k] += LOAD_SMOOTHING * (load - d.softcon_load[k])
    if gap > ANCHOR_RELEASE_GAP * m.soft_radius[s]:
        d.softcon_held[k] = 0
        d.softcon_gap[k] = 0.0
    elif d.softcon_load[k] > 0.0:
        project_friction(m, d, k, h, w, axes, point, normal_local)


@kernel(unit=True)
def project_contacts(m, d):
    """Project all contacts of vertices with geoms, one after another."""
    for k in range(d.nsoftcon):
        project_contact(m, d, k, d.soft_h)


@kernel(unit=True)
def project_attachments(m, d):
    """Project attachments: vertex and body move until the vertex is at its point of the body."""
    h = d.soft_h
    for k in range(m.nsoftpin):
        v, b = m.softpin_vert[k], m.softpin_body[k]
        arm = rotate(d.soft_bodyquat[b], d.softpin_place[k])
        error = d.soft_p[v] - (d.soft_bodypos[b] + arm)
        distance = norm(error)
        w = d.soft_w[v]
        if distance > 0.0:
            direction = error * (1.0 / distance)
            w_sum = w + inverse_mass_along(d, b, arm, direction)
            if w_sum > 0.0:
                multiplier = distance / w_sum
                d.soft_p[v] = d.soft_p[v] - direction * (multiplier * w)
                apply_impulse(m, d, b, arm, direction * (multiplier / h))


@kernel(unit=True)
def vertex_contact_forces(m, d):
    """Mean force on the vertex of each contact in this step: sum of impulses / dt."""
    rate = 1.0 / m.opt_timestep
    for k in range(d.nsoftcon):
        d.softcon_force[k] = d.softcon_sum[k] * rate
