"""XPBD of deformables: the substeps of a step, and the resulting forces on rigid bodies.

A step of length dt has n substeps of h = dt / n. Each of them does

    predict   x = x_before + h (v + h a),      a = gravity + w f: what acts from outside
    project   every element once:  lambda = -C / (alpha~ + theta w_C),   x_i += w_i grad_i C lambda
              alpha~ = alpha / h^2,   alpha = 1 / k,   w_C = sum_i w_i |grad_i C|^2
    update    v = (x - x_before) / h

C is an element's constraint, which is zero at rest, k its stiffness and alpha its compliance; w_i
is the inverse mass of vertex i. With theta = 1 this is XPBD with one iteration a substep. Here
theta is 1/2 as long as h^2 k w_C <= 1: an element counts half of its own stiffness
(`implicitness`), so that materials are as stiff as they say whatever the mesh; see
docs/deformables.md, "How it is solved".

Sources: Macklin, Mueller and Chentanez, "XPBD: Position-Based Simulation of Compliant Constrained
Dynamics" (2016), eq. 18; Macklin et al., "Small Steps in Physics Simulation" (2019), for substeps.

The state changes only when the step is over (`store_soft_state`): forward dynamics asks in advance
what will happen, because the forces on bodies depend on it.
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
    """Number of substeps in a step: `softsubsteps`, or dt over the shortest `soft_period`.

    The automatic number is between 1 and `softsubstepmax`.
    """
    count = m.opt_softsubsteps
    if count <= 0:
        needed = 1.0
        for s in range(m.nsoft):
            needed = max(needed, m.opt_timestep / m.soft_period[s])
        limit = max(1.0, 1.0 * m.opt_softsubstepmax)
        count = math.floor(min(limit, needed + 0.999999))
    return count


@kernel(unit=True)
def sweep_elements(m, d):
    """Project every element once (Gauss-Seidel): by families, then colours, in a fixed order."""
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
    """Fail with BAD_SOFT where a position, velocity or acceleration is not finite or too large."""
    for v in range(m.nsoftvert):
        size = abs_sum(d.soft_p[v]) + abs_sum(d.soft_v[v]) + abs_sum(d.soft_pull[v])
        # also true for nan
        fail(d, not (size < MAXVAL), BAD_SOFT, v, size)


@kernel(unit=True)
def soften(m, d):
    """Run the substeps of a step; sets qfrc_soft and the state that `store_soft_state` stores."""
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
    """Take the rigid constraint forces of the last step as the first guess of this one's."""
    for i in range(m.nv):
        d.soft_force[i] = d.soft_rigid[i]


@kernel(lanes=True, unit=True)
def lean(m, d):
    """qfrc_smooth += qfrc_soft, and qacc_smooth with it: what the constraint solver starts from.

    So rigid constraints answer the forces of deformables in the same step.
    """
    for i in range(m.nv):
        d.qfrc_smooth[i] += d.qfrc_soft[i]
    smooth_acceleration(m, d)


@kernel(lanes=True, unit=True)
def stand(m, d):
    """Move qfrc_soft from qfrc_smooth, where the solver saw it, to qfrc_constraint.

    qfrc_smooth and qacc_smooth are computed again without them, as users read these fields. Then
    the rigid constraint forces are stored, and qfrc_constraint += qfrc_soft. qacc stays as it is.
    """
    smooth_force(m, d)
    smooth_acceleration(m, d)
    note_rigid(m, d)
    for i in range(m.nv):
        d.qfrc_constraint[i] += d.qfrc_soft[i]


@kernel
def note_rigid(m, d):
    """soft_force = qfrc_constraint of rigid constraints alone, for the next pass or step."""
    for i in range(m.nv):
        d.soft_force[i] = d.qfrc_constraint[i]
