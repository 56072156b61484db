"""Values of sleeping trees: forces, activation rates and sensors, as when they fell asleep.

Positions are unchanged, and so is all that follows from a velocity of zero (`body_runs`). What
depends on controls and applied forces may have changed: it is restored from here. These values are
part of the state, so that a state has one future, alone, in lanes and when it is restored.

Source: MuJoCo: Computation, "Sleeping islands".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.sleeping.body_runs import RUN_DOFS, RUN_TREE, run_end, run_start
from cortenforge.step.sleeping.sleep_constants import ASLEEP
from cortenforge.step.sleeping.sleep_state import (
    is_actuator_asleep,
    is_sensor_asleep,
    is_tree_asleep,
    tendon_sleep_state,
)


@kernel(unit=True)
def zero_sleeping_moments(m, d):
    """Zero the moments of sleeping actuators.  Mirrors mj_transmission."""
    for a in range(m.nactuator):
        if is_actuator_asleep(m, d, a):
            for out in range(m.actuator_outadr[a], m.actuator_outadr[a] + m.actuator_outnum[a]):
                for k in range(m.moment_rowadr[out], m.moment_rowadr[out] + m.moment_rownnz[out]):
                    d.actuator_moment[k] = 0.0


@kernel(unit=True)
def mark_sleeping_tendons(m, d):
    """ten_asleep: tendons that sleep at the position stage; some fall asleep or wake after it."""
    for t in range(m.ntendon):
        d.ten_asleep[t] = 1 if tendon_sleep_state(m, d, t) == ASLEEP else 0


@kernel(unit=True)
def zero_sleeping_tendons(m, d):
    """Zero length and Jacobian of sleeping tendons, after forces, which need them.

    Mirrors mj_tendon.
    """
    for t in range(m.ntendon):
        if d.ten_asleep[t] != 0:
            d.ten_length[t] = 0.0
            for k in range(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]):
                d.ten_J[k] = 0.0


@kernel(unit=True)
def restore_sleeping_actuation(m, d):
    """Zero forces of sleeping actuators; restore their act_dot.  Mirrors mj_fwdActuation."""
    for a in range(m.nactuator):
        if is_actuator_asleep(m, d, a):
            for out in range(m.actuator_outadr[a], m.actuator_outadr[a] + m.actuator_outnum[a]):
                d.actuator_force[out] = 0.0
            for k in range(m.actuator_actadr[a], m.actuator_actadr[a] + m.actuator_actnum[a]):
                d.act_dot[k] = d.resting_rate[k]


@kernel(unit=True)
def restore_sleeping_forces(m, d):
    """Restore qfrc_smooth of sleeping trees.  Mirrors mj_fwdAcceleration."""
    for run in range(m.nrun):
        tree = m.runs[run, RUN_TREE]
        if tree >= 0 and is_tree_asleep(d, tree):
            for i in range(run_start(m, run, RUN_DOFS), run_end(m, run, RUN_DOFS)):
                d.qfrc_smooth[i] = d.resting_qfrc[i]


@kernel(unit=True)
def restore_sleeping_readings(m, d):
    """Restore sensordata of sleeping sensors.

    Mirrors mj_sensorPos, mj_sensorVel and mj_sensorAcc.
    """
    for i in range(m.nsensor):
        if is_sensor_asleep(m, d, i):
            for k in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                d.sensordata[k] = d.resting_read[k]


@kernel
def store_resting_values(m, d):
    """Store forces, rates and sensor values of sleepers, when some have fallen asleep."""
    for i in range(m.nv):
        if is_tree_asleep(d, m.dof_treeid[i]):
            d.resting_qfrc[i] = d.qfrc_smooth[i]
            d.resting_qacc[i] = d.qacc_smooth[i]
    for a in range(m.nactuator):
        if is_actuator_asleep(m, d, a):
            for k in range(m.actuator_actadr[a], m.actuator_actadr[a] + m.actuator_actnum[a]):
                d.resting_rate[k] = d.act_dot[k]
    for i in range(m.nsensor):
        if is_sensor_asleep(m, d, i):
            for k in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                d.resting_read[k] = d.sensordata[k]
