"""The stages of a step one by one, each exactly what MuJoCo's function of that name computes.

The step itself joins some of them (`step.forward`). Energies, momenta of subtrees and forces
between bodies are computed by sensors unless they are flagged (`step.flags`), as in MuJoCo. Not for
models with sleep or deformables; STAGES has them by MuJoCo's names.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.actuation.activation_slots import ADHESION_KIND
from cortenforge.step.actuation.actuator_force import actuation
from cortenforge.step.body_forces.momentum import subtree_momentum
from cortenforge.step.body_forces.rne_post_constraint import interaction_forces
from cortenforge.step.callbacks import CONTROL, PASSIVE, call_control
from cortenforge.step.checks import check_acceleration, check_positions, check_velocities
from cortenforge.step.collision.stage import find_contacts
from cortenforge.step.constants import NO_ACTUATION, WITH_DIAGEXACT, WITH_ENERGY
from cortenforge.step.constraint.adhesion import set_adhesion_moments
from cortenforge.step.constraint.exact_diagonal import set_exact_diagonal
from cortenforge.step.constraint.impedance import set_all_regularisation
from cortenforge.step.constraint.kinds import HAS_CONTACTS
from cortenforge.step.constraint.reference_acceleration import (
    add_adhesion_forces,
    constraint_velocities,
    set_reference_accelerations,
)
from cortenforge.step.constraint.row_list import clear_rows
from cortenforge.step.constraint.stage import make_rows
from cortenforge.step.energy import kinetic_energy, potential_energy
from cortenforge.step.forward import (
    force_stage,
    forward_acceleration,
    position_stage,
    solve_rigid_constraints,
    velocity_stage,
)
from cortenforge.step.integrate.euler import euler
from cortenforge.step.integrate.implicit import implicit
from cortenforge.step.integrate.rk4 import rk4
from cortenforge.step.inverse import (
    add_forces_beside_bias,
    bias_forces_anew,
    compare_constraint_forces,
    inverse_constraint_forces,
    prepare_inverse_metric,
)
from cortenforge.step.pipeline import restore_if_failed, store_state
from cortenforge.step.position.cameras_and_lights import camera_frames, light_frames
from cortenforge.step.position.com import com_inertias, motion_axes, subtree_centres
from cortenforge.step.position.frames import geom_frames, inertial_frames, site_frames
from cortenforge.step.position.kinematics import kinematics
from cortenforge.step.position.mass_matrix import (
    composite_inertias,
    factor_inertia,
    inertia_matrix,
)
from cortenforge.step.position.tendons import add_tendon_armature, tendon_paths
from cortenforge.step.position.transmission import transmission
from cortenforge.step.sensing.acceleration import read_acceleration_sensors
from cortenforge.step.sensing.limits import limit_forces
from cortenforge.step.sensing.position import finish_position_sensors, sense_poses
from cortenforge.step.sensing.sensor_types import (
    ACCELERATION_SENSORS,
    KINETIC_SENSORS,
    MOMENTUM_SENSORS,
    POTENTIAL_SENSORS,
    STAGE_POS,
    STAGE_VEL,
    USER_ACCELERATION_SENSORS,
    USER_VELOCITY_SENSORS,
)
from cortenforge.step.sensing.velocity import read_velocity_sensors
from cortenforge.step.solve.islands import find_islands
from cortenforge.step.statuses import OK
from cortenforge.step.velocity.com_velocity import com_velocity
from cortenforge.step.velocity.passive import call_if_enabled, sum_all_passive_forces
from cortenforge.step.velocity.rne import inertial_forces

# ---------------------------------------------------------------------- positions


@kernel(unit=True)
def place_bodies(m, d):
    """World poses of bodies, joints, geoms and sites.  Mirrors mj_kinematics."""
    kinematics(m, d, 0)
    inertial_frames(m, d, 0)
    geom_frames(m, d, 0)
    site_frames(m, d, 0)


@kernel(unit=True)
def com_positions(m, d):
    """Centres of subtrees; inertias and motion axes about them.  Mirrors mj_comPos."""
    subtree_centres(m, d, 0)
    com_inertias(m, d, 0)
    motion_axes(m, d, 0)


@kernel(unit=True)
def place_cameras_and_lights(m, d):
    """World poses of cameras and lights.  Mirrors mj_camlight."""
    camera_frames(m, d)
    light_frames(m, d)


@kernel(unit=True)
def place_tendons(m, d):
    """Lengths, Jacobians and paths of tendons.  Mirrors mj_tendon."""
    if m.ntendon > 0:
        tendon_paths(m, d)


@kernel(unit=True)
def all_kinematics(m, d):
    """Poses, centres of mass, cameras, lights and tendons.  Mirrors mj_fwdKinematics."""
    place_bodies(m, d)
    com_positions(m, d)
    place_cameras_and_lights(m, d)
    place_tendons(m, d)


@kernel(unit=True)
def composite_inertia_matrix(m, d):
    """crb, and M without the inertia of tendons.  Mirrors mj_crb."""
    composite_inertias(m, d, 0)
    inertia_matrix(m, d, 0)


@kernel(unit=True)
def whole_inertia_matrix(m, d):
    """crb and M.  Mirrors mj_makeM."""
    composite_inertia_matrix(m, d)
    add_tendon_armature(m, d)


@kernel(unit=True)
def contacts_only(m, d):
    """All contacts at the poses of geoms; rows and islands are cleared.  Mirrors mj_collision."""
    find_contacts(m, d)
    clear_rows(d)
    d.nisland = 0


@kernel(unit=True)
def constraint_rows(m, d):
    """Rows of all constraints, with an approximate diagonal.  Mirrors mj_makeConstraint."""
    if m.constraining != 0:
        make_rows(m, d, 0)
    else:
        clear_rows(d)


@kernel(unit=True)
def project_constraints(m, d):
    """The exact diagonal (flag `diagexact`), and what follows from it.

    Dual solvers make the inverse inertia of rows island by island.  Mirrors mj_projectConstraint.
    """
    if m.opt_enableflags & WITH_DIAGEXACT != 0 and d.nefc > 0:
        set_exact_diagonal(m, d)
        set_all_regularisation(m, d)


@kernel(unit=True)
def constraint_islands(m, d):
    """Islands of the rows.  Mirrors mj_island."""
    d.nisland = 0
    d.ncouple = 0
    if d.nefc > 0:
        find_islands(m, d)


@kernel(unit=True)
def transmissions(m, d):
    """Lengths and moment arms of actuators.  Mirrors mj_transmission."""
    if m.nactuator > 0:
        transmission(m, d)
        if m.actuator_kinds & ADHESION_KIND != 0:
            set_adhesion_moments(m, d)


@kernel(unit=True)
def forward_position(m, d):
    """All that depends on positions, but sensors and energy.  Mirrors mj_fwdPosition."""
    d.flg_energypos = 0
    position_stage(m, d, 0, 1)
    constraint_islands(m, d)


@kernel(unit=True)
def potential_energy_only(m, d):
    """energy[0].  Mirrors mj_energyPos."""
    potential_energy(m, d)
    d.flg_energypos = 1


@kernel(unit=True)
def position_readings(m, d):
    """Sensors that need positions.  Mirrors mj_sensorPos."""
    sense_poses(m, d)
    if m.sensing & POTENTIAL_SENSORS != 0 and d.flg_energypos == 0:
        potential_energy_only(m, d)
    if m.sensing & KINETIC_SENSORS != 0 and d.flg_energyvel == 0:
        kinetic_energy_only(m, d)
    finish_position_sensors(m, d)


# ---------------------------------------------------------------------- velocities


@kernel(unit=True)
def com_velocities(m, d):
    """cvel and cdof_dot.  Mirrors mj_comVel."""
    com_velocity(m, d, 0)


@kernel(unit=True)
def passive_forces_only(m, d):
    """qfrc_passive and its parts, with adhesion, and the passive callback.  Mirrors mj_passive."""
    sum_all_passive_forces(m, d)
    if m.constraining & HAS_CONTACTS != 0:
        add_adhesion_forces(m, d)
    if m.called & PASSIVE != 0:
        call_if_enabled(m, d)


@kernel(unit=True)
def reference_rows(m, d):
    """efc_vel and efc_aref of all rows.  Mirrors mj_referenceConstraint."""
    constraint_velocities(m, d)
    set_reference_accelerations(m, d)


@kernel(unit=True)
def rne_only(m, d, accelerated: int):
    """query_result: force that the motion needs, with qacc if `accelerated`.  Mirrors mj_rne."""
    inertial_forces(m, d, 0, accelerated, d.query_result)


@kernel(unit=True)
def forward_velocity_only(m, d):
    """All that depends on velocities, but sensors and energy.  Mirrors mj_fwdVelocity."""
    d.flg_subtreevel = 0
    d.flg_energyvel = 0
    velocity_stage(m, d, 0, 1)


@kernel(unit=True)
def kinetic_energy_only(m, d):
    """energy[1].  Mirrors mj_energyVel."""
    kinetic_energy(m, d)
    d.flg_energyvel = 1


@kernel(unit=True)
def subtree_momentum_only(m, d):
    """subtree_linvel and subtree_angmom.  Mirrors mj_subtreeVel."""
    subtree_momentum(m, d)
    d.flg_subtreevel = 1


@kernel(unit=True)
def velocity_readings(m, d):
    """Sensors that need velocities.  Mirrors mj_sensorVel."""
    if m.sensing & (MOMENTUM_SENSORS | USER_VELOCITY_SENSORS) != 0 and d.flg_subtreevel == 0:
        subtree_momentum_only(m, d)
    read_velocity_sensors(m, d)


# ---------------------------------------------------------------------- accelerations


@kernel(unit=True)
def constraint_forces_and_acceleration(m, d):
    """Constraint forces and qacc.  Mirrors mj_fwdConstraint."""
    solve_rigid_constraints(m, d)
    limit_forces(m, d)


@kernel(unit=True)
def interaction_forces_only(m, d):
    """cacc, cfrc_ext and cfrc_int.  Mirrors mj_rnePostConstraint."""
    interaction_forces(m, d)
    d.flg_rnepost = 1


@kernel(unit=True)
def acceleration_readings(m, d):
    """Sensors that need accelerations or forces.  Mirrors mj_sensorAcc."""
    if m.sensing & (ACCELERATION_SENSORS | USER_ACCELERATION_SENSORS) != 0 and d.flg_rnepost == 0:
        interaction_forces_only(m, d)
    read_acceleration_sensors(m, d)


@kernel(unit=True)
def check_acceleration_only(m, d):
    """Fail for a bad acceleration.  Mirrors mj_checkAcc."""
    check_acceleration(m, d)


@kernel(unit=True)
def check_positions_only(m, d):
    """Fail for a bad position.  Mirrors mj_checkPos."""
    check_positions(m, d)


@kernel(unit=True)
def check_velocities_only(m, d):
    """Fail for a bad velocity.  Mirrors mj_checkVel."""
    check_velocities(m, d)


# ---------------------------------------------------------------------- integrators


@kernel(unit=True)
def euler_only(m, d):
    """Advance by Euler's method from a completed evaluation.  Mirrors mj_Euler."""
    store_state(m, d)
    euler(m, d)
    restore_if_failed(m, d)


@kernel(unit=True)
def implicit_only(m, d):
    """Advance by an implicit method from a completed evaluation.  Mirrors mj_implicit."""
    store_state(m, d)
    implicit(m, d)
    restore_if_failed(m, d)


@kernel(unit=True)
def runge_kutta_only(m, d):
    """Advance by RK4 from a completed evaluation.  Mirrors mj_RungeKutta."""
    store_state(m, d)
    rk4(m, d)
    d.flg_energypos = 0
    d.flg_energyvel = 0
    d.flg_subtreevel = 0
    restore_if_failed(m, d)
    if d.status != OK:
        # it is repeated, once there is more memory, from the evaluation that it started from
        for i in range(m.nv):
            d.qacc[i] = d.rk4_qacc[i, 0]
        for k in range(m.na):
            d.act_dot[k] = d.rk4_adot[k, 0]
        for out in range(m.nout if m.na > 0 else 0):
            d.actuator_velocity[out] = d.rk4_speed[out]


# ---------------------------------------------------------------------- whole evaluations


@kernel(unit=True)
def forward_skip(m, d, skipstage: int, skipsensor: int):
    """Forward dynamics after a stage whose results are kept.  Mirrors mj_forwardSkip."""
    if skipstage < STAGE_POS:
        forward_position(m, d)
        if skipsensor == 0:
            position_readings(m, d)
        if d.flg_energypos == 0:
            if m.opt_enableflags & WITH_ENERGY != 0:
                potential_energy_only(m, d)
            else:
                d.energy[0] = 0.0
                d.energy[1] = 0.0
    if skipstage < STAGE_VEL:
        after_position(m, d, skipsensor)
    if m.called & CONTROL != 0 and m.opt_disableflags & NO_ACTUATION == 0:
        call_control(m, d)
    force_stage(m, d)
    constraint_forces_and_acceleration(m, d)
    if skipsensor == 0:
        d.flg_rnepost = 0
        acceleration_readings(m, d)


@kernel
def after_position(m, d, skipsensor: int):
    """The stage of velocities, with its sensors and kinetic energy."""
    forward_velocity_only(m, d)
    if skipsensor == 0:
        velocity_readings(m, d)
    if m.opt_enableflags & WITH_ENERGY != 0 and d.flg_energyvel == 0:
        kinetic_energy_only(m, d)


@kernel(unit=True)
def compare_forward_and_inverse(m, d):
    """solver_fwdinv: norms of differences of both dynamics.  Mirrors mj_compareFwdInv."""
    d.solver_fwdinv[0] = 0.0
    d.solver_fwdinv[1] = 0.0
    compare_constraint_forces(m, d, 1)


@kernel(unit=True)
def inverse_skip(m, d, skipstage: int, skipsensor: int):
    """Inverse dynamics after a stage whose results are kept.  Mirrors mj_inverseSkip."""
    if skipstage < STAGE_POS:
        d.flg_energypos = 0
        position_stage(m, d, 0, 1)
        if skipsensor == 0:
            position_readings(m, d)
        if m.opt_enableflags & WITH_ENERGY != 0 and d.flg_energypos == 0:
            potential_energy_only(m, d)
    if skipstage < STAGE_VEL:
        after_position(m, d, skipsensor)
    prepare_inverse_metric(m, d)
    inverse_constraint_forces(m, d)
    limit_forces(m, d)
    bias_forces_anew(m, d)
    if skipsensor == 0:
        d.flg_rnepost = 0
        acceleration_readings(m, d)
    add_forces_beside_bias(m, d)


#: stages by the names of MuJoCo's functions
STAGES = {
    "mj_kinematics": place_bodies,
    "mj_comPos": com_positions,
    "mj_camlight": place_cameras_and_lights,
    "mj_tendon": place_tendons,
    "mj_fwdKinematics": all_kinematics,
    "mj_crb": composite_inertia_matrix,
    "mj_makeM": whole_inertia_matrix,
    "mj_factorM": factor_inertia,
    "mj_collision": contacts_only,
    "mj_makeConstraint": constraint_rows,
    "mj_island": constraint_islands,
    "mj_projectConstraint": project_constraints,
    "mj_transmission": transmissions,
    "mj_fwdPosition": forward_position,
    "mj_energyPos": potential_energy_only,
    "mj_sensorPos": position_readings,
    "mj_comVel": com_velocities,
    "mj_passive": passive_forces_only,
    "mj_referenceConstraint": reference_rows,
    "mj_rne": rne_only,
    "mj_fwdVelocity": forward_velocity_only,
    "mj_energyVel": kinetic_energy_only,
    "mj_subtreeVel": subtree_momentum_only,
    "mj_sensorVel": velocity_readings,
    "mj_fwdActuation": actuation,
    "mj_fwdAcceleration": forward_acceleration,
    "mj_fwdConstraint": constraint_forces_and_acceleration,
    "mj_rnePostConstraint": interaction_forces_only,
    "mj_sensorAcc": acceleration_readings,
    "mj_checkPos": check_positions_only,
    "mj_checkVel": check_velocities_only,
    "mj_checkAcc": check_acceleration_only,
    "mj_compareFwdInv": compare_forward_and_inverse,
    "mj_Euler": euler_only,
    "mj_implicit": implicit_only,
    "mj_RungeKutta": runge_kutta_only,
    "mj_forwardSkip": forward_skip,
    "mj_inverseSkip": inverse_skip,
}
