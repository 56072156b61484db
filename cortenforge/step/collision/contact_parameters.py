"""Frames and parameters of contacts: mixed from two geoms, or of a pair, or of the options.

    condim, friction   the larger of both geoms'
    solref, solimp     w x1 + (1 - w) x2,  w = solmix1 / (solmix1 + solmix2);
                       the smaller solref if one is direct (not positive)
    adhesion           the sum

A geom of higher priority decides alone, but for margin and gap. Sources: MuJoCo: Computation,
"Contact" (margin and gap) and XML reference, geom/priority and geom/solmix.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, mat3, select, vec3
from cortenforge.math.vector import MINVAL, cross, dot, unit
from cortenforge.step.collision.bounding_spheres import contact_margin
from cortenforge.step.collision.candidates import explicit_pair, first_geom, second_geom
from cortenforge.step.constants import (
    DISCRETE,
    NO_REFSAFE,
    WITH_OVERRIDE,
    WITH_SPECULATIVE,
)

#: friction is never less (MuJoCo's mjMINMU)
MINMU = 1e-5


@kernel(unit=True)
def set_contact_parameters(m, d):
    """Frames and parameters of all contacts of a world.  Mirrors mj_setContact."""
    for c in range(min(d.ncon, d.nconmax)):
        p = d.contact_candidate[c]
        g1 = first_geom(m, p)
        g2 = second_geom(m, p)
        pair = explicit_pair(m, p)
        d.contact_geom[c, 0] = g1
        d.contact_geom[c, 1] = g2
        d.contact_frame[c] = make_contact_frame(d.contact_frame[c])
        d.contact_includemargin[c] = contact_margin(m, p, g1, g2)
        if pair >= 0:
            set_pair_parameters(m, d, c, pair)
        else:
            mix_geom_parameters(m, d, c, g1, g2)
        override_parameters(m, d, c)
        exclude_in_gap(d, c)
        if m.opt_enableflags & WITH_SPECULATIVE != 0 and d.contact_time[c] > 0.0:
            set_speculative_distance(m, d, c)
        d.contact_surfacevel[c] = relative_surface_velocity(m, d, c, g1, g2)
        d.contact_efc_address[c] = -1


@kernel(lanes=True)
def make_contact_frame(frame):
    """Contact frame from a normal and a tangent: rows (n, t1, n x t1).  Mirrors mju_makeFrame.

    The normal is a unit vector. A missing tangent (zero) is the y axis, or the z axis if the
    normal is near y, made orthogonal to the normal.
    """
    normal = vec3(frame.xx, frame.xy, frame.xz)
    chosen = vec3(frame.yx, frame.yy, frame.yz)
    upward = select(abs(normal.y) < 0.5, vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0))
    tangent = select(dot(chosen, chosen) < 0.25, upward, chosen)
    tangent = unit(tangent - normal * dot(normal, tangent))
    last = cross(normal, tangent)
    return mat3(
        normal.x, normal.y, normal.z, tangent.x, tangent.y, tangent.z, last.x, last.y, last.z
    )


@kernel
def set_pair_parameters(m, d, c: int, pair: int):
    """Parameters of an explicit `<pair>`."""
    d.contact_dim[c] = m.pair_dim[pair]
    d.contact_adhesion[c] = m.pair_adhesion[pair]
    for k in range(2):
        d.contact_solref[c, k] = m.pair_solref[pair, k]
        d.contact_solreffriction[c, k] = m.pair_solreffriction[pair, k]
    for k in range(5):
        d.contact_solimp[c, k] = m.pair_solimp[pair, k]
        d.contact_friction[c, k] = max(MINMU, m.pair_friction[pair, k])


@kernel
def mix_geom_parameters(m, d, c: int, g1: int, g2: int):
    """Parameters mixed from both geoms, or those of the geom of higher priority.

    Mirrors mj_contactParam.
    """
    if m.geom_priority[g1] != m.geom_priority[g2]:
        chosen = g1 if m.geom_priority[g1] > m.geom_priority[g2] else g2
        d.contact_dim[c] = m.geom_condim[chosen]
        d.contact_adhesion[c] = m.geom_adhesion[chosen]
        mix_solver_parameters(m, d, c, chosen, chosen)
        set_friction(d, c, m.geom_friction[chosen])
    else:
        d.contact_dim[c] = max(m.geom_condim[g1], m.geom_condim[g2])
        d.contact_adhesion[c] = m.geom_adhesion[g1] + m.geom_adhesion[g2]
        mix_solver_parameters(m, d, c, g1, g2)
        one, other = m.geom_friction[g1], m.geom_friction[g2]
        set_friction(d, c, vec3(max(one.x, other.x), max(one.y, other.y), max(one.z, other.z)))


@kernel
def mix_solver_parameters(m, d, c: int, g1: int, g2: int):
    """Mix solref and solimp of two geoms by their solmix; g1 = g2 for one geom's own.

    Direct solref (stiffness and damping, not positive) are not mixed: the smaller numbers count.
    """
    weight1, weight2 = m.geom_solmix[g1], m.geom_solmix[g2]
    if g1 == g2:
        share = 1.0
    elif weight1 == weight2 or (weight1 < MINVAL and weight2 < MINVAL):
        share = 0.5
    elif weight1 < MINVAL or weight2 < MINVAL:
        share = 0.0 if weight1 < MINVAL else 1.0
    else:
        share = weight1 / (weight1 + weight2)
    rest = 1.0 - share
    standard = g1 == g2 or (m.geom_solref[g1, 0] > 0.0 and m.geom_solref[g2, 0] > 0.0)
    for k in range(2):
        one, other = m.geom_solref[g1, k], m.geom_solref[g2, k]
        d.contact_solref[c, k] = share * one + rest * other if standard else min(one, other)
        d.contact_solreffriction[c, k] = 0.0
    for k in range(5):
        d.contact_solimp[c, k] = share * m.geom_solimp[g1, k] + rest * m.geom_solimp[g2, k]


@kernel
def set_friction(d, c: int, friction):
    """A contact's friction (slide, slide, spin, roll, roll) from a geom's (slide, spin, roll)."""
    d.contact_friction[c, 0] = max(MINMU, friction.x)
    d.contact_friction[c, 1] = max(MINMU, friction.x)
    d.contact_friction[c, 2] = max(MINMU, friction.y)
    d.contact_friction[c, 3] = max(MINMU, friction.z)
    d.contact_friction[c, 4] = max(MINMU, friction.z)


@kernel
def override_parameters(m, d, c: int):
    """Parameters of the options, if the flag override is set."""
    if m.opt_enableflags & WITH_OVERRIDE != 0:
        for k in range(2):
            d.contact_solref[c, k] = m.opt_o_solref[k]
            d.contact_solreffriction[c, k] = m.opt_o_solref[k]
        for k in range(5):
            d.contact_solimp[c, k] = m.opt_o_solimp[k]
            d.contact_friction[c, k] = max(MINMU, m.opt_o_friction[k])


@kernel
def exclude_in_gap(d, c: int):
    """Exclude a contact in the gap, dist >= margin, from the solver, unless it has adhesion.

    With adhesion it acts along its normal alone.
    """
    in_gap = d.contact_dist[c] >= d.contact_includemargin[c]
    pulls = d.contact_adhesion[c] != 0.0
    d.contact_exclude[c] = 1 if in_gap and not pulls else 0
    if in_gap and pulls:
        d.contact_dim[c] = 1


@kernel
def set_speculative_distance(m, d, c: int):
    """Effective distance of a speculative contact that removes 1 - t of the closing velocity.

        dist = margin - depth,   depth = (1 - t - b0) / k0 * closing
                                 depth = (1 - t - t (b0 + k0)) / k0 * closing     (discrete)

    t: time of impact as a share of the step.  closing: distance closed in a step, h |v_n|. k0 =
    h^2 k, b0 = h b: the contact's stiffness and damping without the impedance's dmax. Without
    stiffness, depth is solimp's width. Source: MuJoCo: Computation, "Speculative contacts",
    "Effective contact distance".
    """
    step = m.opt_timestep
    timeconst = d.contact_solref[c, 0]
    k0 = -step * step * timeconst
    b0 = -step * d.contact_solref[c, 1]
    if timeconst > 0.0:
        if m.opt_disableflags & NO_REFSAFE == 0:
            timeconst = max(timeconst, 2.0 * step)
        k0 = step / (timeconst * d.contact_solref[c, 1])
        k0 = k0 * k0
        b0 = 2.0 * step / timeconst
    time = d.contact_time[c]
    depth = d.contact_solimp[c, 2]
    if k0 > 0.0:
        removed = 1.0 - time - b0
        if m.opt_integrator == DISCRETE:
            removed = 1.0 - time - time * (b0 + k0)
        depth = removed / k0 * d.contact_closing[c]
    d.contact_dist[c] = d.contact_includemargin[c] - depth
    d.contact_exclude[c] = 0


@kernel
def relative_surface_velocity(m, d, c: int, g1: int, g2: int):
    """Velocity of the second surface relative to the first: (tangent 1, tangent 2, spin)."""
    moving = vec3(0.0, 0.0, 0.0)
    if has_moving_surface(m, g1) or has_moving_surface(m, g2):
        pos = d.contact_pos[c]
        frame = d.contact_frame[c]
        slide = surface_velocity_at(m, d, g2, pos) - surface_velocity_at(m, d, g1, pos)
        spin = surface_angular_velocity(m, d, g2) - surface_angular_velocity(m, d, g1)
        slide = frame @ slide
        moving = vec3(slide.y, slide.z, dot(vec3(frame.xx, frame.xy, frame.xz), spin))
    return moving


@kernel
def has_moving_surface(m, g: int):
    """Whether a geom has a surface velocity."""
    total = 0.0
    for k in range(6):
        total += abs(m.geom_surfacevel[g, k])
    return total != 0.0


@kernel
def surface_velocity_at(m, d, g: int, pos):
    """Velocity of a geom's surface at a point, in the world.  Mirrors mj_geomSurfaceVelocity."""
    own = vec3(m.geom_surfacevel[g, 0], m.geom_surfacevel[g, 1], m.geom_surfacevel[g, 2])
    return d.geom_xmat[g] @ own + cross(surface_angular_velocity(m, d, g), pos - d.geom_xpos[g])


@kernel
def surface_angular_velocity(m, d, g: int):
    """Angular velocity of a geom's surface, in the world."""
    own = vec3(m.geom_surfacevel[g, 3], m.geom_surfacevel[g, 4], m.geom_surfacevel[g, 5])
    return d.geom_xmat[g] @ own
