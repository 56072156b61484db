"""Constraint velocity and reference acceleration of rows.

    efc_vel  = J qvel                    (plus the surface velocity of a contact)
    efc_aref = -b efc_vel - k d (pos - margin) - Jdot v
    discrete:  (-b efc_vel - k d (pos - margin + h efc_vel) - Jdot v) / (1 + h b + h^2 k d)
    adhesive contact:  + R adhesion on the normal, or R adhesion / (2 (dim - 1)) on each edge

The terms in b and k d are Baumgarte's stabilisation of the constraint. Sources: MuJoCo:
Computation, "Constraint solver", section "Parameters"; Baumgarte, "Stabilization of constraints and
integrals of motion in dynamical systems", 1972.
Theory: docs/theory/contact_and_solver.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import DISCRETE, NO_DAMPER, NO_SPRING
from cortenforge.step.constraint.adhesion import add_adhesion_force
from cortenforge.step.constraint.impedance import implicit_row_factor
from cortenforge.step.constraint.jdotv import subtract_equality_jdotv
from cortenforge.step.constraint.kinds import HAS_CONTACTS, HAS_EQUALITIES


@kernel(unit=True)
def reference_constraint(m, d):
    """efc_vel and efc_aref of all rows, and forces of adhesive contacts.

    In the metric of a step (`discrete`), efc_aref follows later.  Mirrors mj_referenceConstraint.
    """
    constraint_velocities(m, d)
    if m.constraining & HAS_CONTACTS != 0:
        add_adhesion_forces(m, d)
    if m.opt_integrator != DISCRETE:
        set_reference_accelerations(m, d)


@kernel
def constraint_velocities(m, d):
    """efc_vel of all rows, with surface velocities of contacts."""
    first = 0
    while first < d.ne + d.nf + d.nl:
        first = row_velocities(d, first, 1)
    while first < d.nefc:
        dim = d.contact_dim[d.efc_id[first]]
        edges = m.opt_cone == 0 and dim > 1
        first = row_velocities(d, first, 2 * (dim - 1) if edges else dim)
    if m.constraining & HAS_CONTACTS != 0:
        for c in range(d.ncon):
            if d.contact_efc_address[c] >= 0:
                add_surface_velocity(m, d, c)


@kernel
def set_reference_accelerations(m, d):
    """efc_aref of all rows: end-of-step spring and damper if rows are implicit (`discrete`)."""
    for row in range(d.nefc):
        depth = d.efc_pos[row] - d.efc_margin[row]
        if m.opt_integrator == DISCRETE:
            depth += m.opt_timestep * d.efc_vel[row]
        pull = d.efc_KBIP[row, 0] * d.efc_KBIP[row, 2] * depth
        d.efc_aref[row] = -d.efc_KBIP[row, 1] * d.efc_vel[row] - pull
    if m.constraining & HAS_EQUALITIES != 0 and d.ne > 0:
        subtract_equality_jdotv(m, d)
    if m.opt_integrator == DISCRETE:
        for row in range(d.nefc):
            d.efc_aref[row] /= implicit_row_factor(m, d, row)
    if m.constraining & HAS_CONTACTS != 0:
        for c in range(d.ncon):
            if d.contact_efc_address[c] >= 0 and d.contact_adhesion[c] != 0.0:
                add_adhesion_reference(m, d, c)


@kernel
def row_velocities(d, row: int, size: int):
    """efc_vel = J qvel of `size` rows with the same columns; returns the row behind them.

    Four sums at a time do not wait for each other.
    """
    last = row + size
    while last - row >= 4:
        four_row_velocities(d, row)
        row += 4
    if last - row >= 2:
        two_row_velocities(d, row)
        row += 2
    if last > row:
        d.efc_vel[row] = row_velocity(d, row)
    return last


@kernel
def row_velocity(d, row: int):
    """J qvel of one row."""
    start = d.efc_J_rowadr[row]
    speed = 0.0
    for at in range(start, start + d.efc_J_rownnz[row]):
        speed += d.efc_J_value[at] * d.qvel[d.efc_J_colind[at]]
    return speed


@kernel
def two_row_velocities(d, row: int):
    """J qvel of two rows with the same columns."""
    start, nnz = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    s0, s1 = 0.0, 0.0
    for at in range(start, start + nnz):
        speed = d.qvel[d.efc_J_colind[at]]
        s0 += d.efc_J_value[at] * speed
        s1 += d.efc_J_value[at + nnz] * speed
    d.efc_vel[row] = s0
    d.efc_vel[row + 1] = s1


@kernel
def four_row_velocities(d, row: int):
    """J qvel of four rows with the same columns."""
    start, nnz = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for at in range(start, start + nnz):
        speed = d.qvel[d.efc_J_colind[at]]
        s0 += d.efc_J_value[at] * speed
        s1 += d.efc_J_value[at + nnz] * speed
        s2 += d.efc_J_value[at + 2 * nnz] * speed
        s3 += d.efc_J_value[at + 3 * nnz] * speed
    d.efc_vel[row] = s0
    d.efc_vel[row + 1] = s1
    d.efc_vel[row + 2] = s2
    d.efc_vel[row + 3] = s3


@kernel
def add_surface_velocity(m, d, c: int):
    """Add a contact's surface velocity to efc_vel: along both tangents, and spin.

    Mirrors mj_addSurfaceVel.
    """
    moving = d.contact_surfacevel[c]
    row, dim = d.contact_efc_address[c], d.contact_dim[c]
    if dim > 1 and (moving.x != 0.0 or moving.y != 0.0 or moving.z != 0.0):
        add_tangent_velocity(m, d, c, row, 0, moving.x)
        add_tangent_velocity(m, d, c, row, 1, moving.y)
        if dim > 3:
            add_tangent_velocity(m, d, c, row, 2, moving.z)


@kernel
def add_tangent_velocity(m, d, c: int, row: int, k: int, speed):
    """Add a velocity along friction direction k: to its row, or +-mu_k of it to a pair of edges."""
    if m.opt_cone == 0:
        part = d.contact_friction[c, k] * speed
        d.efc_vel[row + 2 * k] += part
        d.efc_vel[row + 2 * k + 1] -= part
    else:
        d.efc_vel[row + 1 + k] += speed


@kernel
def add_adhesion_forces(m, d):
    """Add forces of all adhesive contacts."""
    # MuJoCo: with springs and dampers both off, there are no passive forces at all
    if m.opt_disableflags & NO_SPRING == 0 or m.opt_disableflags & NO_DAMPER == 0:
        for c in range(d.ncon):
            if d.contact_efc_address[c] >= 0 and d.contact_adhesion[c] != 0.0:
                add_adhesion_force(m, d, c)


@kernel
def add_adhesion_reference(m, d, c: int):
    """aref += R adhesion on the normal: translates the cone, and leaves penetration as it was.

    Mirrors mj_adhesionRef.
    """
    row, dim, pull = d.contact_efc_address[c], d.contact_dim[c], d.contact_adhesion[c]
    if dim == 1 or m.opt_cone != 0:
        d.efc_aref[row] += d.efc_R[row] * pull
    else:
        for k in range(2 * (dim - 1)):
            d.efc_aref[row + k] += d.efc_R[row + k] * pull / (2.0 * (dim - 1.0))
