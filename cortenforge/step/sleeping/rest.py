"""What sleeping trees read: what they read when they fell asleep.

Places are the same again, and so is what follows from a velocity of zero (`runs`). What follows
from controls and forces may differ by now: it is put back. It is part of the state, so that a state
has one future, alone, in lanes and when it is restored.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.sleeping.numbers import ASLEEP
from cortenforge.step.sleeping.runs import DOFS, TREE, end_of, first_of
from cortenforge.step.sleeping.state import (
    actuator_sleeps,
    is_asleep,
    sensor_sleeps,
    tendon_state,
)


@kernel(unit=True)
def rest_actuators(m, d):
    """Sleeping actuators act on nothing.  Mirrors mj_transmission."""
    for a in range(m.nactuator):
        if actuator_sleeps(m, d, a):
            for out in range(m.actuator_outadr[a], m.actuator_outadr[a] + m.actuator_outnum[a]):
                for k in range(m.moment_rowadr[out], m.moment_rowadr[out] + m.moment_rownnz[out]):
                    d.actuator_moment[k] = 0.0


@kernel(unit=True)
def note_tendons(m, d):
    """Which tendons sleep?  Asked when trees are placed; later some fall asleep, and some wake."""
    for t in range(m.ntendon):
        d.ten_asleep[t] = 1 if tendon_state(m, d, t) == ASLEEP else 0


@kernel(unit=True)
def rest_tendons(m, d):
    """Sleeping tendons have no length.  Mirrors mj_tendon; forces still need it: this is last."""
    for t in range(m.ntendon):
        if d.ten_asleep[t] != 0:
            d.ten_length[t] = 0.0
            for k in range(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]):
                d.ten_J[k] = 0.0


@kernel(unit=True)
def rest_actuation(m, d):
    """Sleeping actuators make no force, and rates stay what they were.  Mirrors mj_fwdActuation."""
    for a in range(m.nactuator):
        if actuator_sleeps(m, d, a):
            for out in range(m.actuator_outadr[a], m.actuator_outadr[a] + m.actuator_outnum[a]):
                d.actuator_force[out] = 0.0
            for k in range(m.actuator_actadr[a], m.actuator_actadr[a] + m.actuator_actnum[a]):
                d.act_dot[k] = d.resting_rate[k]


@kernel(unit=True)
def rest_forces(m, d):
    """Forces on sleeping trees stay what they were.  Mirrors mj_fwdAcceleration."""
    for run in range(m.nrun):
        tree = m.runs[run, TREE]
        if tree >= 0 and is_asleep(d, tree):
            for i in range(first_of(m, run, DOFS), end_of(m, run, DOFS)):
                d.qfrc_smooth[i] = d.resting_qfrc[i]


@kernel(unit=True)
def rest_readings(m, d):
    """Sleeping sensors read what they did.  Mirrors mj_sensorPos, mj_sensorVel and mj_sensorAcc."""
    for i in range(m.nsensor):
        if sensor_sleeps(m, d, i):
            for k in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                d.sensordata[k] = d.resting_read[k]


@kernel
def keep_rest(m, d):
    """Remember what belongs to sleepers, now that some have fallen asleep."""
    for i in range(m.nv):
        if is_asleep(d, m.dof_treeid[i]):
            d.resting_qfrc[i] = d.qfrc_smooth[i]
            d.resting_qacc[i] = d.qacc_smooth[i]
    for a in range(m.nactuator):
        if actuator_sleeps(m, d, a):
            for k in range(m.actuator_actadr[a], m.actuator_actadr[a] + m.actuator_actnum[a]):
                d.resting_rate[k] = d.act_dot[k]
    for i in range(m.nsensor):
        if sensor_sleeps(m, d, i):
            for k in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                d.resting_read[k] = d.sensordata[k]
