"""Deformables in a step: substeps, and what they do to bodies.

Nothing of the state changes before the step is over (`keep`): forward dynamics only asks what will
happen, because the forces on bodies depend on it.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import abs_sum
from cortenforge.step.acceleration import smooth_acceleration, smooth_force
from cortenforge.step.soft.body import carry_bodies, meet_bodies, part_of_change, push_joints
from cortenforge.step.soft.crowd import find_crowd, part_vertices
from cortenforge.step.soft.edge import shorten_edges
from cortenforge.step.soft.fade import fade, note_momenta
from cortenforge.step.soft.hinge import unbend_hinges
from cortenforge.step.soft.membrane import strain_triangles
from cortenforge.step.soft.motion import arrive, blow, set_off, take_up
from cortenforge.step.soft.near import find_near
from cortenforge.step.soft.rod import straighten_segments, untwist_segments
from cortenforge.step.soft.tetrahedron import strain_tetrahedra
from cortenforge.step.soft.touch import keep_to_pins, report_contacts, touch_geoms
from cortenforge.step.status import fail, well
from cortenforge.step.statuses import BAD_SOFT, MAXVAL


@kernel
def substeps(m):
    """How many substeps a step has: as given, or as many as the stiffest material asks for."""
    count = m.opt_softsubsteps
    if count <= 0:
        wanted = 1.0
        for s in range(m.nsoft):
            wanted = max(wanted, m.opt_timestep / m.soft_period[s])
        most = max(1.0, 1.0 * m.opt_softsubstepmax)
        count = math.floor(min(most, wanted + 0.999999))
    return count


@kernel(unit=True)
def sweep_elements(m, d):
    """Every element once, colour by colour, always in the same order: what rests stays at rest."""
    for c in range(m.nsoftmemcolor):
        strain_triangles(m, d, m.softmem_color[c, 0], m.softmem_color[c, 1])
    for c in range(m.nsofthingecolor):
        unbend_hinges(m, d, m.softhinge_color[c, 0], m.softhinge_color[c, 1])
    for c in range(m.nsofttetcolor):
        strain_tetrahedra(m, d, m.softtet_color[c, 0], m.softtet_color[c, 1])
    for c in range(m.nsoftedgecolor):
        shorten_edges(m, d, m.softedge_color[c, 0], m.softedge_color[c, 1])
    for c in range(m.nsoftrodcolor):
        straighten_segments(m, d, m.softrod_color[c, 0], m.softrod_color[c, 1])
    for c in range(m.nsofttwistcolor):
        untwist_segments(m, d, m.softtwist_color[c, 0], m.softtwist_color[c, 1])


@kernel
def check_vertices(m, d):
    """Whether all vertices are somewhere, and move, and are pulled at, with numbers."""
    for v in range(m.nsoftvert):
        size = abs_sum(d.soft_p[v]) + abs_sum(d.soft_v[v]) + abs_sum(d.soft_pull[v])
        # also true for what is not a number
        fail(d, not (size < MAXVAL), BAD_SOFT, v, size)


@kernel(unit=True)
def soften(m, d):
    """What deformables will do in this step, and their forces on bodies."""
    take_up(m, d)
    check_vertices(m, d)
    if not well(d):
        return
    blow(m, d)
    find_near(m, d)
    find_crowd(m, d)
    if not well(d):
        return
    note_momenta(m, d)
    meet_bodies(m, d)
    count = substeps(m)
    d.soft_h = m.opt_timestep / count
    d.soft_reach = part_of_change(m) * count
    for _substep in range(count):
        set_off(m, d)
        carry_bodies(m, d, d.soft_h)
        sweep_elements(m, d)
        keep_to_pins(m, d)
        part_vertices(m, d)
        touch_geoms(m, d)
        arrive(m, d)
    fade(m, d)
    report_contacts(m, d)
    push_joints(m, d)
    check_vertices(m, d)


@kernel
def recall_rigid(m, d):
    """Forces of rigid constraints as they were at the end of the last step."""
    for i in range(m.nv):
        d.soft_force[i] = d.soft_rigid[i]


@kernel(lanes=True, unit=True)
def lean(m, d):
    """Forces of deformables are felt like those that do not depend on constraints."""
    for i in range(m.nv):
        d.qfrc_smooth[i] += d.qfrc_soft[i]
    smooth_acceleration(m, d)


@kernel(lanes=True, unit=True)
def stand(m, d):
    """They are told among those of constraints."""
    smooth_force(m, d)
    smooth_acceleration(m, d)
    note_rigid(m, d)
    for i in range(m.nv):
        d.qfrc_constraint[i] += d.qfrc_soft[i]


@kernel
def note_rigid(m, d):
    """Forces of rigid constraints in this step."""
    for i in range(m.nv):
        d.soft_force[i] = d.qfrc_constraint[i]
