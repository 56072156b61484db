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

The state changes only when the step is over (`store_soft_state`): forward dynamics computes the
substeps in advance, because the forces on bodies depend on them.
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

import math

from cortenforge.kernel import kernel
from cortenforge.math.vector import abs_sum
from cortenforge.step.acceleration import smooth_acceleration
from cortenforge.step.soft.contact_detection import find_vertex_contacts
from cortenforge.step.soft.contact_projection import (
    project_attachments,
    project_contacts,
    vertex_contact_forces,
)
from cortenforge.step.soft.damping import damp_deformables, store_angular_momenta
from cortenforge.step.soft.edge import project_edges
from cortenforge.step.soft.hinge import project_hinges
from cortenforge.step.soft.integration import (
    add_surface_drag,
    load_soft_state,
    predict_positions,
    update_velocities,
)
from cortenforge.step.soft.membrane import project_triangles
from cortenforge.step.soft.rigid_coupling import (
    advance_bodies,
    load_coupled_bodies,
    soft_joint_forces,
    velocity_change_share,
)
from cortenforge.step.soft.rod import project_bend_twist, project_stretch_shear
from cortenforge.step.soft.self_collision import find_vertex_pairs, project_vertex_pairs
from cortenforge.step.soft.tetrahedron import project_tetrahedra
from cortenforge.step.status import fail, is_ok
from cortenforge.step.statuses import BAD_SOFT, MAXVAL


@kernel
def substep_count(m):
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
def project_elements(m, d):
    """Project every element once (Gauss-Seidel): by families, then colours, in a fixed order."""
    for c in range(m.nsoftmemcolor):
        project_triangles(m, d, m.softmem_color[c, 0], m.softmem_color[c, 1])
    for c in range(m.nsofthingecolor):
        project_hinges(m, d, m.softhinge_color[c, 0], m.softhinge_color[c, 1])
    for c in range(m.nsofttetcolor):
        project_tetrahedra(m, d, m.softtet_color[c, 0], m.softtet_color[c, 1])
    for c in range(m.nsoftedgecolor):
        project_edges(m, d, m.softedge_color[c, 0], m.softedge_color[c, 1])
    for c in range(m.nsoftrodcolor):
        project_stretch_shear(m, d, m.softrod_color[c, 0], m.softrod_color[c, 1])
    for c in range(m.nsofttwistcolor):
        project_bend_twist(m, d, m.softtwist_color[c, 0], m.softtwist_color[c, 1])


@kernel
def check_soft_vertices(m, d):
    """Fail with BAD_SOFT where a position, velocity or acceleration is not finite or too large."""
    for v in range(m.nsoftvert):
        size = abs_sum(d.soft_p[v]) + abs_sum(d.soft_v[v]) + abs_sum(d.soft_pull[v])
        # also true for nan
        fail(d, not (size < MAXVAL), BAD_SOFT, v, size)


@kernel(unit=True)
def run_substeps(m, d):
    """Run the substeps of a step; sets qfrc_soft and the state that `store_soft_state` stores."""
    load_soft_state(m, d)
    check_soft_vertices(m, d)
    if not is_ok(d):
        return
    add_surface_drag(m, d)
    find_vertex_contacts(m, d)
    find_vertex_pairs(m, d)
    if not is_ok(d):
        return
    store_angular_momenta(m, d)
    load_coupled_bodies(m, d)
    count = substep_count(m)
    d.soft_h = m.opt_timestep / count
    d.soft_reach = velocity_change_share(m) * count
    for _substep in range(count):
        predict_positions(m, d)
        advance_bodies(m, d, d.soft_h)
        project_elements(m, d)
        project_attachments(m, d)
        project_vertex_pairs(m, d)
        project_contacts(m, d)
        update_velocities(m, d)
    damp_deformables(m, d)
    vertex_contact_forces(m, d)
    soft_joint_forces(m, d)
    check_soft_vertices(m, d)


@kernel
def load_last_rigid_forces(m, d):
    """Take the rigid constraint forces of the last step as the first guess of this one's."""
    for i in range(m.nv):
        d.soft_force[i] = d.soft_rigid[i]


@kernel(lanes=True, unit=True)
def add_soft_to_smooth_force(m, d):
    """qfrc_smooth += qfrc_soft, and qacc_smooth with it: what the constraint solver starts from.

    So rigid constraints answer the forces of deformables in the same step. Both fields are kept in
    soft_smooth_frc and soft_smooth_acc as they were.
    """
    for i in range(m.nv):
        d.soft_smooth_frc[i] = d.qfrc_smooth[i]
        d.soft_smooth_acc[i] = d.qacc_smooth[i]
        d.qfrc_smooth[i] += d.qfrc_soft[i]
    smooth_acceleration(m, d)


@kernel(lanes=True, unit=True)
def move_soft_to_constraint_force(m, d):
    """Move qfrc_soft from qfrc_smooth, where the solver saw it, to qfrc_constraint.

    qfrc_smooth and qacc_smooth become again what they were without it, as users read them; the
    rigid constraint forces are stored, and qfrc_constraint += qfrc_soft. qacc stays as it is.
    """
    for i in range(m.nv):
        d.qfrc_smooth[i] = d.soft_smooth_frc[i]
        d.qacc_smooth[i] = d.soft_smooth_acc[i]
    store_rigid_forces(m, d)
    for i in range(m.nv):
        d.qfrc_constraint[i] += d.qfrc_soft[i]


@kernel
def store_rigid_forces(m, d):
    """soft_force = qfrc_constraint of rigid constraints alone, for the next pass or step."""
    for i in range(m.nv):
        d.soft_force[i] = d.qfrc_constraint[i]
