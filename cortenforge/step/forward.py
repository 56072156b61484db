"""Forward dynamics, stage by stage.

    position -> velocity -> controls -> actuation -> smooth acceleration -> constraints -> sensors

Source: MuJoCo: Computation, "Simulation pipeline", "Forward dynamics".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel
from cortenforge.step.acceleration import (
    set_unconstrained_acceleration,
    smooth_acceleration,
    sum_smooth_forces,
)
from cortenforge.step.actuation.activation_slots import ADHESION_KIND
from cortenforge.step.actuation.actuator_force import actuation
from cortenforge.step.callbacks import CONTROL, call_control
from cortenforge.step.collision.stage import find_contacts
from cortenforge.step.constants import DISCRETE, NO_ACTUATION, WITH_ENERGY, WITH_SLEEP
from cortenforge.step.constraint.adhesion import set_adhesion_moments
from cortenforge.step.constraint.kinds import HAS_LIMITS
from cortenforge.step.constraint.reference_acceleration import reference_constraint
from cortenforge.step.constraint.row_list import clear_rows
from cortenforge.step.constraint.stage import make_constraint
from cortenforge.step.energy import kinetic_energy, potential_energy
from cortenforge.step.metric.coupling import coupled_acceleration
from cortenforge.step.metric.discrete_dynamics import (
    add_gyroscopic_accelerations,
    prepare_metric_and_rows,
    restore_sleeping_accelerations,
)
from cortenforge.step.position.cameras_and_lights import camera_frames, light_frames
from cortenforge.step.position.com import (
    com_inertias,
    fixed_body_centres,
    motion_axes,
    subtree_centres,
)
from cortenforge.step.position.frames import geom_frames, inertial_frames, site_frames
from cortenforge.step.position.kinematics import kinematics
from cortenforge.step.position.mass_matrix import (
    composite_inertias,
    factor_inertia,
    fixed_body_inertias,
    inertia_matrix,
)
from cortenforge.step.position.tendons import tendon_lengths
from cortenforge.step.position.transmission import transmission
from cortenforge.step.sensing.acceleration import sense_accelerations
from cortenforge.step.sensing.limits import limit_forces
from cortenforge.step.sensing.position import sense_positions
from cortenforge.step.sensing.sensor_types import POTENTIAL_SENSORS
from cortenforge.step.sensing.velocity import sense_velocities
from cortenforge.step.sleeping.body_runs import (
    is_run_active,
    mark_active_runs,
    mark_unchanged_trees,
    run_count,
)
from cortenforge.step.sleeping.resting_values import (
    mark_sleeping_tendons,
    restore_sleeping_actuation,
    restore_sleeping_forces,
    restore_sleeping_readings,
    zero_sleeping_moments,
)
from cortenforge.step.sleeping.wake import (
    wake_by_contacts,
    wake_by_equalities,
    wake_by_tendons,
    wake_disturbed_trees,
)
from cortenforge.step.soft.xpbd import (
    add_soft_to_smooth_force,
    load_last_rigid_forces,
    move_soft_to_constraint_force,
    run_substeps,
)
from cortenforge.step.solve.stage import solve_constraints
from cortenforge.step.velocity.actuator_velocity import actuator_velocity
from cortenforge.step.velocity.com_velocity import com_velocity
from cortenforge.step.velocity.passive import passive_forces
from cortenforge.step.velocity.rne import rne
from cortenforge.step.velocity.tendons import tendon_bias, tendon_velocity


@kernel(lanes=True, unit=True)
def forward_kinematics(m, d):
    """Poses of bodies, geoms, sites, cameras and lights; subtree com.  Mirrors mj_fwdKinematics."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            kinematics(m, d, run)
            inertial_frames(m, d, run)
            geom_frames(m, d, run)
            site_frames(m, d, run)
            subtree_centres(m, d, run)
    if m.opt_enableflags & WITH_SLEEP != 0:
        fixed_body_centres(m, d)
    if m.ncam > 0:
        camera_frames(m, d)
    if m.nlight > 0:
        light_frames(m, d)


@kernel(lanes=True, unit=True)
def forward_inertia(m, d):
    """Inertias, motion axes, and M without tendon armature.  Mirrors mj_comPos and mj_crb."""
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            com_inertias(m, d, run)
            motion_axes(m, d, run)
            composite_inertias(m, d, run)
            inertia_matrix(m, d, run)
    if m.opt_enableflags & WITH_SLEEP != 0:
        fixed_body_inertias(m, d)


@kernel(lanes=True, unit=True)
def forward_velocity(m, d):
    """Velocities, passive forces and bias forces.  Mirrors mj_fwdVelocity."""
    if m.ntendon > 0:
        tendon_velocity(m, d)
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            com_velocity(m, d, run)
    passive_forces(m, d)
    for run in range(run_count(m)):
        if any_lane(is_run_active(m, d, run)):
            rne(m, d, run)
    if m.ntendon > 0:
        tendon_bias(m, d)


@kernel(lanes=True, unit=True)
def forward_acceleration(m, d):
    """qfrc_smooth and qacc_smooth.  Mirrors mj_fwdAcceleration."""
    sum_smooth_forces(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        restore_sleeping_forces(m, d)
    smooth_acceleration(m, d)


@kernel(lanes=True)
def position_stage(m, d, observed: int, touching: int):
    """Position stage, with sensors and energy.  Mirrors mj_fwdPosition.

    observed: whether to evaluate sensors and energy;  touching: whether to find contacts and rows.
    """
    if m.opt_enableflags & WITH_SLEEP != 0:
        wake_disturbed_trees(m, d)
        mark_active_runs(m, d)
    forward_kinematics(m, d)
    forward_inertia(m, d)
    if m.ntendon > 0:
        tendon_lengths(m, d)
    factor_inertia(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        wake_at_tendon_limits(m, d)
    if touching != 0:
        find_contacts(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        wake_by_contacts_and_equalities(m, d, touching)
    if touching != 0:
        if m.constraining != 0:
            make_constraint(m, d)
        else:
            clear_rows(d)
    if m.nactuator > 0:
        transmission(m, d)
        if touching != 0 and m.actuator_kinds & ADHESION_KIND != 0:
            set_adhesion_moments(m, d)
        if m.opt_enableflags & WITH_SLEEP != 0:
            zero_sleeping_moments(m, d)
    if observed != 0:
        sense_positions(m, d)
        if m.sensing & POTENTIAL_SENSORS == 0:
            if m.opt_enableflags & WITH_ENERGY != 0:
                potential_energy(m, d)
            else:
                d.energy[0] = 0.0
                d.energy[1] = 0.0


@kernel(lanes=True)
def wake_at_tendon_limits(m, d):
    """Wake trees that a tendon at its limit joins to awake ones."""
    if m.ntendon > 0:
        mark_sleeping_tendons(m, d)
        if m.constraining & HAS_LIMITS != 0:
            wake_by_tendons(m, d)


@kernel(lanes=True)
def wake_by_contacts_and_equalities(m, d, touching: int):
    """Wake trees by contacts and equalities.

    Contacts are found again if a contact wakes a tree; not, as in MuJoCo, for equalities.
    """
    if touching != 0:
        wake_by_contacts(m, d)
        if any_lane(d.woken != 0):
            find_contacts(m, d)
    if m.neq > 0:
        wake_by_equalities(m, d)
    mark_active_runs(m, d)


@kernel(lanes=True)
def velocity_stage(m, d, observed: int, touching: int):
    """Velocity stage, with reference accelerations, sensors and energy.  Mirrors mj_fwdVelocity."""
    if m.nactuator > 0:
        actuator_velocity(m, d)
    forward_velocity(m, d)
    if touching != 0 and m.constraining != 0:
        reference_constraint(m, d)
    if observed != 0:
        sense_velocities(m, d)
        if m.opt_enableflags & WITH_ENERGY != 0:
            kinetic_energy(m, d)


@kernel(lanes=True)
def force_stage(m, d):
    """Actuator forces, the metric (`discrete`), and smooth acceleration."""
    if m.nactuator > 0:
        actuation(m, d)
        if m.opt_enableflags & WITH_SLEEP != 0:
            restore_sleeping_actuation(m, d)
    if m.opt_integrator == DISCRETE:
        prepare_metric_and_rows(m, d)
    forward_acceleration(m, d)


@kernel(lanes=True)
def forward_smooth(m, d, observed: int, touching: int):
    """Forward dynamics without constraint forces.

    observed: whether to evaluate sensors and energy;  touching: whether to find contacts and rows.
    """
    forward_to_controls(m, d, observed, touching)
    force_stage(m, d)


@kernel(lanes=True)
def forward_to_controls(m, d, observed: int, touching: int):
    """Position and velocity stages, then the control callback."""
    position_stage(m, d, observed, touching)
    velocity_and_controls(m, d, observed, touching)


@kernel(lanes=True)
def velocity_and_controls(m, d, observed: int, touching: int):
    """Velocity stage, then the control callback."""
    velocity_stage(m, d, observed, touching)
    if m.called & CONTROL != 0 and m.opt_disableflags & NO_ACTUATION == 0:
        call_control(m, d)


@kernel(lanes=True, unit=True)
def forward_collision(m, d):
    """Kinematics and collision detection.  Mirrors mj_kinematics and mj_collision."""
    if m.opt_enableflags & WITH_SLEEP != 0:
        wake_disturbed_trees(m, d)
        mark_active_runs(m, d)
    forward_kinematics(m, d)
    find_contacts(m, d)


@kernel(lanes=True)
def forward(m, d, observed: int):
    """Forward dynamics; later stages of Runge-Kutta have observed = 0.  Mirrors mj_forwardSkip."""
    forward_to_controls(m, d, observed, 1)
    forward_from_controls(m, d, observed)


@kernel(lanes=True)
def forward_in_place(m, d):
    """Forward dynamics of worlds whose positions are those of the last evaluation."""
    velocity_and_controls(m, d, 1, 1)
    forward_from_controls(m, d, 1)


@kernel(lanes=True)
def solve_rigid_constraints(m, d):
    """Constraint forces of rigid bodies, and qacc.  Mirrors mj_fwdConstraint."""
    if m.constraining != 0:
        solve_constraints(m, d)
        if m.opt_integrator == DISCRETE and m.opt_noslip_iterations > 0:
            coupled_acceleration(m, d)
    else:
        set_unconstrained_acceleration(m, d)
    if m.opt_integrator == DISCRETE:
        add_gyroscopic_accelerations(m, d)


@kernel(lanes=True)
def solve_with_deformables(m, d, observed: int):
    """Constraint forces of rigid bodies and deformables, by turns (`opt.softpasses`).

    In later stages of Runge-Kutta (observed = 0), forces of deformables stay as they are.
    """
    if observed != 0:
        load_last_rigid_forces(m, d)
    for _turn in range(m.opt_softpasses if observed != 0 else 1):
        if observed != 0:
            run_substeps(m, d)
        add_soft_to_smooth_force(m, d)
        solve_rigid_constraints(m, d)
        move_soft_to_constraint_force(m, d)


@kernel(lanes=True)
def forward_from_controls(m, d, observed: int):
    """The part of forward dynamics that depends on controls: forces, constraints, sensors."""
    force_stage(m, d)
    if m.nsoft > 0:
        solve_with_deformables(m, d, observed)
    else:
        solve_rigid_constraints(m, d)
    if m.opt_integrator == DISCRETE and m.opt_enableflags & WITH_SLEEP != 0:
        restore_sleeping_accelerations(m, d)
    limit_forces(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        mark_unchanged_trees(m, d)
    if observed != 0:
        sense_accelerations(m, d)
        if m.opt_enableflags & WITH_SLEEP != 0:
            restore_sleeping_readings(m, d)
