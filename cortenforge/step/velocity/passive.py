"""Passive forces: joint springs and dampers, gravity compensation, and their sum.

    spring  f = -(k1 + k2 x + k3 x^2) x           x: displacement from qpos_spring; for three dofs
                                                  a vector, and its length inside of the brackets
    damper  f = -(b1 + b2 |v| + b3 v^2) v         b: of the dof, and reflected by its actuators
    gravcomp f = -gravity mass body_gravcomp      at the body's com
    qfrc_passive = spring + damper + fluid (+ gravcomp where actuators do not deliver it)

Source: MuJoCo: Computation, "Passive forces" and "Polynomial forces".
Theory: docs/theory/equations_of_motion.md.
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select, vec3
from cortenforge.math.polynomial import polynomial_coefficient
from cortenforge.math.rotation import subtract_quats
from cortenforge.math.vector import abs_sum, norm
from cortenforge.step.apply_force import apply_force
from cortenforge.step.armature_and_damping import reflected_damping
from cortenforge.step.callbacks import PASSIVE, call_passive
from cortenforge.step.constants import BALL, FREE, NO_DAMPER, NO_GRAVITY, NO_SPRING
from cortenforge.step.position.kinematics import quat_at
from cortenforge.step.sleeping.body_runs import (
    RUN_BODIES,
    RUN_DOFS,
    RUN_JOINTS,
    is_run_active,
    run_count,
    run_end,
    run_start,
)
from cortenforge.step.velocity.fluid import fluid_forces
from cortenforge.step.velocity.tendons import tendon_passive_forces


@kernel(lanes=True)
def passive_forces(m, d):
    """qfrc_passive and its parts, and the passive callback.  Mirrors mj_passive."""
    sum_all_passive_forces(m, d)
    if m.called & PASSIVE != 0:
        call_if_enabled(m, d)


@kernel(lanes=True)
def call_if_enabled(m, d):
    """Call the passive callback, unless springs and dampers are both off."""
    if m.opt_disableflags & NO_SPRING == 0 or m.opt_disableflags & NO_DAMPER == 0:
        call_passive(m, d)


@kernel(lanes=True)
def sum_all_passive_forces(m, d):
    """qfrc_passive and its parts, in runs that are awake, without adhesion and callbacks."""
    off = m.opt_disableflags
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            clear_passive_forces(m, d, run)
            if off & NO_SPRING == 0:
                joint_springs(m, d, run)
            if off & NO_DAMPER == 0:
                joint_dampers(m, d, run)
    # MuJoCo: with springs and dampers both off, there are no passive forces at all
    if off & NO_SPRING == 0 or off & NO_DAMPER == 0:
        if m.ntendon > 0:
            tendon_passive_forces(m, d)
        if off & NO_GRAVITY == 0 and m.ngravcomp > 0:
            gravity_compensation(m, d)
        if any_lane(m.opt_density != 0.0 or m.opt_viscosity != 0.0):
            fluid_forces(m, d)
        for run in range(run_count(m)):
            if any_lane(is_run_active(m, d, run)):
                sum_passive_forces(m, d, run)


@kernel(lanes=True)
def clear_passive_forces(m, d, run: int):
    """Set all passive forces of a run to zero."""
    for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
        d.qfrc_spring[i] = 0.0
        d.qfrc_damper[i] = 0.0
        d.qfrc_gravcomp[i] = 0.0
        d.qfrc_fluid[i] = 0.0
        d.qfrc_adhesion[i] = 0.0
        d.qfrc_passive[i] = 0.0


@kernel(lanes=True)
def sum_passive_forces(m, d, run: int):
    """qfrc_passive of a run: the sum of its parts."""
    for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
        d.qfrc_passive[i] = d.qfrc_spring[i] + d.qfrc_damper[i] + d.qfrc_fluid[i]
        # elsewhere, actuators deliver gravity compensation
        if m.jnt_actgravcomp[m.dof_jntid[i]] == 0:
            d.qfrc_passive[i] += d.qfrc_gravcomp[i]


@kernel(lanes=True)
def joint_springs(m, d, run: int):
    """qfrc_spring of the joints of a run.  Mirrors mj_springdamper."""
    for j in range(run_start(m, run, RUN_JOINTS), run_end(m, run, RUN_JOINTS)):
        k1 = m.jnt_stiffness[j]
        k2 = m.jnt_stiffnesspoly[j, 0]
        k3 = m.jnt_stiffnesspoly[j, 1]
        stiff = abs_sum(vec3(k1, k2, k3)) != 0.0
        if any_lane(stiff):
            dof = m.jnt_dofadr[j]
            kind = m.jnt_type[j]
            if kind == FREE:
                shift, turn = free_spring_displacement(m, d, j)
                set_three_spring_forces(
                    d, dof, shift, polynomial_coefficient(k1, k2, k3, norm(shift)), stiff
                )
                set_three_spring_forces(
                    d, dof + 3, turn, polynomial_coefficient(k1, k2, k3, norm(turn)), stiff
                )
            elif kind == BALL:
                turn = ball_spring_displacement(m, d, j)
                set_three_spring_forces(
                    d, dof, turn, polynomial_coefficient(k1, k2, k3, norm(turn)), stiff
                )
            else:
                x = scalar_spring_displacement(m, d, j)
                d.qfrc_spring[dof] = select(stiff, -x * polynomial_coefficient(k1, k2, k3, x), 0.0)


@kernel(lanes=True)
def scalar_spring_displacement(m, d, j: int):
    """Displacement of a slide or hinge joint from its spring's rest position."""
    displacement = d.qpos[m.jnt_qposadr[j]] - m.qpos_spring[m.jnt_qposadr[j]]
    if m.jnt_plasticadr[j] >= 0:
        displacement = d.qpos[m.jnt_qposadr[j]] - d.plastic[m.jnt_plasticadr[j]]
    return displacement


@kernel(lanes=True)
def free_spring_displacement(m, d, j: int):
    """(displacement, rotation vector) of a free joint from its spring's rest pose."""
    at = m.jnt_qposadr[j]
    shift = vec3(
        d.qpos[at] - m.qpos_spring[at],
        d.qpos[at + 1] - m.qpos_spring[at + 1],
        d.qpos[at + 2] - m.qpos_spring[at + 2],
    )
    return shift, subtract_quats(quat_at(d.qpos, at + 3), quat_at(m.qpos_spring, at + 3))


@kernel(lanes=True)
def ball_spring_displacement(m, d, j: int):
    """Rotation vector of a ball joint from its spring's rest orientation."""
    at = m.jnt_qposadr[j]
    turn = subtract_quats(quat_at(d.qpos, at), quat_at(m.qpos_spring, at))
    if m.jnt_plasticadr[j] >= 0:
        turn = subtract_quats(quat_at(d.qpos, at), quat_at(d.plastic, m.jnt_plasticadr[j]))
    return turn


@kernel(lanes=True)
def set_three_spring_forces(d, dof: int, shift, coefficient, stiff):
    """qfrc_spring of three dofs, against a displacement, in lanes with a spring."""
    d.qfrc_spring[dof] = select(stiff, -coefficient * shift.x, 0.0)
    d.qfrc_spring[dof + 1] = select(stiff, -coefficient * shift.y, 0.0)
    d.qfrc_spring[dof + 2] = select(stiff, -coefficient * shift.z, 0.0)


@kernel(lanes=True)
def joint_dampers(m, d, run: int):
    """qfrc_damper of the dofs of a run, with damping of their actuators.

    Mirrors mj_springdamper.
    """
    for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
        joint = m.dof_jntid[i]
        b1 = m.dof_damping[i] + reflected_damping(m, joint, 1)
        b2 = m.dof_dampingpoly[i, 0] + reflected_damping(m, joint, 2)
        b3 = m.dof_dampingpoly[i, 1] + reflected_damping(m, joint, 3)
        damped = abs_sum(vec3(b1, b2, b3)) != 0.0
        if any_lane(damped):
            v = d.qvel[i]
            d.qfrc_damper[i] = select(damped, -v * polynomial_coefficient(b1, b2, b3, abs(v)), 0.0)


@kernel(lanes=True)
def gravity_compensation(m, d):
    """qfrc_gravcomp, in runs that are awake.  Mirrors mj_gravcomp."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            add_gravity_compensation(m, d, run)


@kernel(lanes=True)
def add_gravity_compensation(m, d, run: int):
    """qfrc_gravcomp of the bodies of a run."""
    none = vec3(0.0, 0.0, 0.0)
    for b in range(run_start(m, run, RUN_BODIES), run_end(m, run, RUN_BODIES)):
        carried = m.body_gravcomp[b] != 0.0
        if any_lane(carried):
            force = m.opt_gravity * (-m.body_mass[b] * m.body_gravcomp[b])
            apply_force(m, d, d.qfrc_gravcomp, b, d.xipos[b], force, none, carried)
