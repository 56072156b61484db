"""Forward dynamics, stage by stage.

    position -> velocity -> controls -> actuation -> smooth acceleration -> constraints -> sensors

Source: MuJoCo: Computation, "Simulation pipeline", "Forward dynamics".
"""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel
from cortenforge.step.acceleration import smooth_acceleration, smooth_force, unconstrained
from cortenforge.step.actuation.force import actuation
from cortenforge.step.actuation.slots import ADHESION_KIND
from cortenforge.step.callbacks import CONTROL, call_control
from cortenforge.step.collision.stage import find_contacts
from cortenforge.step.constants import DISCRETE, NO_ACTUATION, WITH_ENERGY, WITH_SLEEP
from cortenforge.step.constraint.adhesion import stick_to_contacts
from cortenforge.step.constraint.kinds import LIMITS
from cortenforge.step.constraint.reference import reference
from cortenforge.step.constraint.rows import clear
from cortenforge.step.constraint.stage import make_rows
from cortenforge.step.energy import kinetic_energy, potential_energy
from cortenforge.step.integrate.coupling import coupled_acceleration
from cortenforge.step.integrate.measure import leave_sleepers, measure, turn_free_bodies
from cortenforge.step.position.cameras import camera_frames, light_frames
from cortenforge.step.position.com import com_inertias, fixed_centres, motion_axes, subtree_centres
from cortenforge.step.position.frames import geom_frames, inertial_frames, site_frames
from cortenforge.step.position.inertia import (
    composite_inertias,
    factor_inertia,
    fixed_inertias,
    inertia_matrix,
)
from cortenforge.step.position.kinematics import kinematics
from cortenforge.step.position.tendons import tendons
from cortenforge.step.position.transmission import transmission
from cortenforge.step.sensing.acceleration import sense_accelerations
from cortenforge.step.sensing.kinds import POTENTIALS
from cortenforge.step.sensing.limits import limit_forces
from cortenforge.step.sensing.position import sense_positions
from cortenforge.step.sensing.velocity import sense_velocities
from cortenforge.step.sleeping.rest import (
    note_tendons,
    rest_actuation,
    rest_actuators,
    rest_forces,
    rest_readings,
)
from cortenforge.step.sleeping.runs import keep_still, notice_stirring, run_count, stirs
from cortenforge.step.sleeping.wake import (
    wake_by_contacts,
    wake_by_equalities,
    wake_by_tendons,
    wake_touched,
)
from cortenforge.step.soft.stage import lean, recall_rigid, soften, stand
from cortenforge.step.solve.stage import constrain
from cortenforge.step.velocity.actuator_velocity import actuator_velocity
from cortenforge.step.velocity.bias import bias
from cortenforge.step.velocity.com_velocity import com_velocity
from cortenforge.step.velocity.passive import passive
from cortenforge.step.velocity.tendons import tendon_bias, tendon_velocity


@kernel(lanes=True, unit=True)
def place(m, d):
    """Poses of bodies, geoms, sites, cameras and lights; subtree com.  Mirrors mj_fwdKinematics."""
    for run in range(run_count(m)):
        if any_lane(stirs(m, d, run)):
            kinematics(m, d, run)
            inertial_frames(m, d, run)
            geom_frames(m, d, run)
            site_frames(m, d, run)
            subtree_centres(m, d, run)
    if m.opt_enableflags & WITH_SLEEP != 0:
        fixed_centres(m, d)
    if m.ncam > 0:
        camera_frames(m, d)
    if m.nlight > 0:
        light_frames(m, d)


@kernel(lanes=True, unit=True)
def weigh(m, d):
    """Inertias, motion axes, and M without tendon armature.  Mirrors mj_comPos and mj_crb."""
    for run in range(run_count(m)):
        if any_lane(stirs(m, d, run)):
            com_inertias(m, d, run)
            motion_axes(m, d, run)
            composite_inertias(m, d, run)
            inertia_matrix(m, d, run)
    if m.opt_enableflags & WITH_SLEEP != 0:
        fixed_inertias(m, d)


@kernel(lanes=True, unit=True)
def velocity(m, d):
    """Velocities, passive forces and bias forces.  Mirrors mj_fwdVelocity."""
    if m.ntendon > 0:
        tendon_velocity(m, d)
    for run in range(run_count(m)):
        if any_lane(stirs(m, d, run)):
            com_velocity(m, d, run)
    passive(m, d)
    for run in range(run_count(m)):
        if any_lane(stirs(m, d, run)):
            bias(m, d, run)
    if m.ntendon > 0:
        tendon_bias(m, d)


@kernel(lanes=True, unit=True)
def acceleration(m, d):
    """qfrc_smooth and qacc_smooth.  Mirrors mj_fwdAcceleration."""
    smooth_force(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        rest_forces(m, d)
    smooth_acceleration(m, d)


@kernel(lanes=True)
def positions(m, d, observed: int, touching: int):
    """Position stage, with sensors and energy.  Mirrors mj_fwdPosition.

    observed: whether to evaluate sensors and energy;  touching: whether to find contacts and rows.
    """
    if m.opt_enableflags & WITH_SLEEP != 0:
        wake_touched(m, d)
        notice_stirring(m, d)
    place(m, d)
    weigh(m, d)
    if m.ntendon > 0:
        tendons(m, d)
    factor_inertia(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        rouse(m, d)
    if touching != 0:
        find_contacts(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        rouse_by_others(m, d, touching)
    if touching != 0:
        if m.constraining != 0:
            make_rows(m, d)
        else:
            clear(d)
    if m.nactuator > 0:
        transmission(m, d)
        if touching != 0 and m.actuator_kinds & ADHESION_KIND != 0:
            stick_to_contacts(m, d)
        if m.opt_enableflags & WITH_SLEEP != 0:
            rest_actuators(m, d)
    if observed != 0:
        sense_positions(m, d)
        if m.sensing & POTENTIALS == 0:
            if m.opt_enableflags & WITH_ENERGY != 0:
                potential_energy(m, d)
            else:
                d.energy[0] = 0.0
                d.energy[1] = 0.0


@kernel(lanes=True)
def rouse(m, d):
    """Wake trees that a tendon at its limit joins to awake ones."""
    if m.ntendon > 0:
        note_tendons(m, d)
        if m.constraining & LIMITS != 0:
            wake_by_tendons(m, d)


@kernel(lanes=True)
def rouse_by_others(m, d, touching: int):
    """Wake trees by contacts and equalities.

    Contacts are found again if a contact wakes a tree; not, as in MuJoCo, for equalities.
    """
    if touching != 0:
        wake_by_contacts(m, d)
        if any_lane(d.woken != 0):
            find_contacts(m, d)
    if m.neq > 0:
        wake_by_equalities(m, d)
    notice_stirring(m, d)


@kernel(lanes=True)
def motions(m, d, observed: int, touching: int):
    """Velocity stage, with reference accelerations, sensors and energy.  Mirrors mj_fwdVelocity."""
    if m.nactuator > 0:
        actuator_velocity(m, d)
    velocity(m, d)
    if touching != 0 and m.constraining != 0:
        reference(m, d)
    if observed != 0:
        sense_velocities(m, d)
        if m.opt_enableflags & WITH_ENERGY != 0:
            kinetic_energy(m, d)


@kernel(lanes=True)
def forces(m, d):
    """Actuator forces, the metric (`discrete`), and smooth acceleration."""
    if m.nactuator > 0:
        actuation(m, d)
        if m.opt_enableflags & WITH_SLEEP != 0:
            rest_actuation(m, d)
    if m.opt_integrator == DISCRETE:
        measure(m, d)
    acceleration(m, d)


@kernel(lanes=True)
def smooth(m, d, observed: int, touching: int):
    """Forward dynamics without constraint forces.

    observed: whether to evaluate sensors and energy;  touching: whether to find contacts and rows.
    """
    before_forces(m, d, observed, touching)
    forces(m, d)


@kernel(lanes=True)
def before_forces(m, d, observed: int, touching: int):
    """Position and velocity stages, then the control callback."""
    positions(m, d, observed, touching)
    motions_and_controls(m, d, observed, touching)


@kernel(lanes=True)
def motions_and_controls(m, d, observed: int, touching: int):
    """Velocity stage, then the control callback."""
    motions(m, d, observed, touching)
    if m.called & CONTROL != 0 and m.opt_disableflags & NO_ACTUATION == 0:
        call_control(m, d)


@kernel(lanes=True, unit=True)
def touch(m, d):
    """Kinematics and collision detection.  Mirrors mj_kinematics and mj_collision."""
    if m.opt_enableflags & WITH_SLEEP != 0:
        wake_touched(m, d)
        notice_stirring(m, d)
    place(m, d)
    find_contacts(m, d)


@kernel(lanes=True)
def forward(m, d, observed: int):
    """Forward dynamics; later stages of Runge-Kutta have observed = 0.  Mirrors mj_forwardSkip."""
    before_forces(m, d, observed, 1)
    from_controls(m, d, observed)


@kernel(lanes=True)
def forward_in_place(m, d):
    """Forward dynamics of worlds whose positions are those of the last evaluation."""
    motions_and_controls(m, d, 1, 1)
    from_controls(m, d, 1)


@kernel(lanes=True)
def constrain_rigid(m, d):
    """Constraint forces of rigid bodies, and qacc.  Mirrors mj_fwdConstraint."""
    if m.constraining != 0:
        constrain(m, d)
        if m.opt_integrator == DISCRETE and m.opt_noslip_iterations > 0:
            coupled_acceleration(m, d)
    else:
        unconstrained(m, d)


@kernel(lanes=True)
def constrain_with_soft(m, d, observed: int):
    """Constraint forces of rigid bodies and deformables, by turns (`opt.softpasses`).

    In later stages of Runge-Kutta (observed = 0), forces of deformables stay as they are.
    """
    if observed != 0:
        recall_rigid(m, d)
    for _turn in range(m.opt_softpasses if observed != 0 else 1):
        if observed != 0:
            soften(m, d)
        lean(m, d)
        constrain_rigid(m, d)
        stand(m, d)


@kernel(lanes=True)
def from_controls(m, d, observed: int):
    """The part of forward dynamics that depends on controls: forces, constraints, sensors."""
    forces(m, d)
    if m.nsoft > 0:
        constrain_with_soft(m, d, observed)
    else:
        constrain_rigid(m, d)
    if m.opt_integrator == DISCRETE:
        turn_free_bodies(m, d)
        if m.opt_enableflags & WITH_SLEEP != 0:
            leave_sleepers(m, d)
    limit_forces(m, d)
    if m.opt_enableflags & WITH_SLEEP != 0:
        keep_still(m, d)
    if observed != 0:
        sense_accelerations(m, d)
        if m.opt_enableflags & WITH_SLEEP != 0:
            rest_readings(m, d)
