"""Vertices and segments through a step: loaded from the state, predicted, updated, stored.

    predict   x = x_before + h (v + h a),    q = q_before exp(h omega / 2)
    update    v = (x - x_before) / h,        omega = 2 log(q_before* q) / h

a = gravity + w f for a vertex of inverse mass w; f is the applied force and the drag of the fluid.
omega is in the segment's own axes, and nothing outside exerts a torque. exp and log are those of
quaternions. This is the semi-implicit Euler part of XPBD (Macklin, Mueller and Chentanez 2016).

Drag on a triangle of area A with unit normal n and mean velocity v, in a fluid of density rho:

    F = rho/2 C_d A |v_n| v_n n,    v_n = (wind - v) . n

with one of the two v_n taken at the end of the step. Each vertex gets f = F / 3; with their mean
inverse mass w that v_n is v_n - dt w f, so f = D v_n / (3 + dt D w) with D = rho/2 C_d A |v_n|.

Source of the drag: MuJoCo: Computation, "Fluid forces" (quadratic drag), for triangles.
"""

from __future__ import annotations

from cortenforge.kernel import kernel, vec3
from cortenforge.math.rotation import conjugate, integrate_quat, rotation_vector
from cortenforge.math.vector import abs_sum, cross, dot, norm
from cortenforge.step.constants import NO_GRAVITY
from cortenforge.step.soft.membrane import DIVISION_FLOOR

#: steps of quiet after which a deformable sleeps
QUIET_STEPS_TO_SLEEP = 50.0


@kernel
def is_soft_asleep(m, d, s: int):
    """Whether a deformable sleeps: it has been quiet for so many steps."""
    return m.opt_softsleep > 0.0 and d.soft_calm[s] >= QUIET_STEPS_TO_SLEEP


@kernel
def is_soft_disturbed(m, d, velocity, s: int):
    """Whether a vertex is faster than `softsleep`, or a force is applied to one."""
    first = m.soft_vertadr[s]
    for v in range(first, first + m.soft_vertnum[s]):
        if norm(velocity[v]) > m.opt_softsleep or abs_sum(d.softvert_applied[v]) > 0.0:
            return True
    return False


@kernel(unit=True)
def load_soft_state(m, d):
    """Load the state into the work arrays: positions, velocities, inverse masses, accelerations.

    What sleeps gets the inverse mass zero. Attachment points are taken to the world's axes.
    """
    gravity = m.opt_gravity
    if m.opt_disableflags & NO_GRAVITY != 0:
        gravity = vec3(0.0, 0.0, 0.0)
    for i in range(m.nsoft):
        d.soft_calm[i] = 0.0 if is_soft_disturbed(m, d, d.softvert_vel, i) else d.soft_quiet[i]
    for v in range(m.nsoftvert):
        s = m.softvert_soft[v]
        w = 0.0 if is_soft_asleep(m, d, s) else m.softvert_invmass[v]
        d.soft_w[v] = w
        d.soft_p[v] = d.softvert_pos[v]
        d.soft_v[v] = d.softvert_vel[v]
        d.soft_pull[v] = gravity + d.softvert_applied[v] * w
    last = m.nsoftvert
    d.soft_w[last] = 0.0
    d.soft_p[last] = vec3(0.0, 0.0, 0.0)
    d.soft_v[last] = vec3(0.0, 0.0, 0.0)
    d.soft_pull[last] = vec3(0.0, 0.0, 0.0)
    for k in range(m.nsoftrod):
        d.soft_q[k] = d.softrod_quat[k]
        d.soft_spin[k] = d.softrod_omega[k]
    for k in range(m.nsoftpin):
        b = m.softpin_body[k]
        d.softpin_place[k] = d.xpos[b] + d.xmat[b] @ m.softpin_pos[k] - d.xipos[b]


@kernel
def add_face_drag(m, d, s: int, f: int):
    """Add the drag of the fluid on one triangle to the accelerations of its vertices.

    One factor is the velocity at the end of the step, so that what is light is carried, not thrown.
    """
    a, b, c = m.softface_vert[f, 0], m.softface_vert[f, 1], m.softface_vert[f, 2]
    normal = cross(d.soft_p[b] - d.soft_p[a], d.soft_p[c] - d.soft_p[a])
    double_area = norm(normal)
    rel_velocity = m.opt_wind - (d.soft_v[a] + d.soft_v[b] + d.soft_v[c]) * (1.0 / 3.0)
    normal = normal * (1.0 / max(double_area, DIVISION_FLOOR))
    normal_velocity = dot(rel_velocity, normal)
    drag = 0.5 * m.opt_density * m.soft_drag[s] * (0.5 * double_area) * abs(normal_velocity)
    w = (d.soft_w[a] + d.soft_w[b] + d.soft_w[c]) * (1.0 / 3.0)
    force = normal * (drag * normal_velocity / (3.0 + m.opt_timestep * drag * w))
    d.soft_pull[a] = d.soft_pull[a] + force * d.soft_w[a]
    d.soft_pull[b] = d.soft_pull[b] + force * d.soft_w[b]
    d.soft_pull[c] = d.soft_pull[c] + force * d.soft_w[c]


@kernel(unit=True)
def add_surface_drag(m, d):
    """Add the drag of the fluid on all surfaces of deformables."""
    for s in range(m.nsoft):
        if m.soft_drag[s] > 0.0 and m.opt_density > 0.0:
            first = m.soft_faceadr[s]
            for f in range(first, first + m.soft_facenum[s]):
                add_face_drag(m, d, s, f)


@kernel(unit=True)
def predict_positions(m, d):
    """Predicted positions and orientations: x = x_before + h (v + h a)."""
    h = d.soft_h
    for v in range(m.nsoftvert):
        p = d.soft_p[v]
        d.soft_before[v] = p
        if d.soft_w[v] > 0.0:
            d.soft_p[v] = p + (d.soft_v[v] + d.soft_pull[v] * h) * h
    for k in range(m.nsoftrod):
        d.soft_qbefore[k] = d.soft_q[k]
        d.soft_q[k] = integrate_quat(d.soft_q[k], d.soft_spin[k], h)


@kernel(unit=True)
def update_velocities(m, d):
    """Velocities from positions: v = (x - x_before) / h."""
    rate = 1.0 / d.soft_h
    for v in range(m.nsoftvert):
        d.soft_v[v] = (d.soft_p[v] - d.soft_before[v]) * rate
    for k in range(m.nsoftrod):
        turn = rotation_vector(conjugate(d.soft_qbefore[k]) * d.soft_q[k])
        d.soft_spin[k] = turn * rate


@kernel
def store_lasting_contacts(m, d):
    """Store contacts that have an anchor for the next step: the first two of each vertex."""
    for i in range(m.nsofthold):
        d.softhold_geom[i] = 0.0
    for k in range(d.nsoftcon):
        slot = 2 * d.softcon_vert[k]
        if d.softhold_geom[slot] != 0.0:
            slot += 1
        if d.softcon_held[k] != 0 and d.softhold_geom[slot] == 0.0:
            d.softhold_geom[slot] = d.softcon_geom[k] + 1.0
            d.softhold_anchor[slot] = d.softcon_anchor[k]
            d.softhold_load[slot] = d.softcon_load[k]
            d.softhold_gap[slot] = d.softcon_gap[k]


@kernel(unit=True)
def store_soft_state(m, d):
    """Store positions, velocities, lasting contacts and rigid forces as the new state."""
    for v in range(m.nsoftvert):
        d.softvert_pos[v] = d.soft_p[v]
        d.softvert_vel[v] = d.soft_v[v]
    for k in range(m.nsoftrod):
        d.softrod_quat[k] = d.soft_q[k]
        d.softrod_omega[k] = d.soft_spin[k]
    store_lasting_contacts(m, d)
    for s in range(m.nsoft):
        d.soft_quiet[s] = d.soft_calm[s]
    for i in range(m.nv):
        d.soft_rigid[i] = d.soft_force[i]
