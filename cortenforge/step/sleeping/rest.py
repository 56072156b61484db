"""What sleeping trees read: what they read when they fell asleep.

The engine works everything out for them, too. Places are the same again, and so is what follows
from a velocity of zero. What follows from controls and forces may differ by now: it is put back.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.sleeping.state import actuator_sleeps, is_asleep, sensor_sleeps


@kernel(unit=True)
def rest_actuators(m, d):
    """Sleeping actuators act on nothing.  Mirrors mj_transmission."""
    for a in range(m.nactuator):
        if actuator_sleeps(m, d, a):
            for out in range(m.actuator_outadr[a], m.actuator_outadr[a] + m.actuator_outnum[a]):
                for k in range(m.moment_rowadr[out], m.moment_rowadr[out] + m.moment_rownnz[out]):
                    d.actuator_moment[k] = 0.0


@kernel(unit=True)
def keep_readings(m, d):
    """Remember what sensors read."""
    for k in range(m.nsensordata):
        d.kept_sensordata[k] = d.sensordata[k]


@kernel(unit=True)
def rest_readings(m, d):
    """Sleeping sensors read what they did.  Mirrors mj_sensorPos, mj_sensorVel and mj_sensorAcc.

    A tree that sleeps at time zero was put to sleep by a reset, which leaves readings of its first
    position, and no force.
    """
    if d.time == 0.0:
        for i in range(m.nv):
            if is_asleep(d, m.dof_treeid[i]):
                d.qfrc_smooth[i] = 0.0
                d.qacc_smooth[i] = 0.0
                d.qacc[i] = 0.0
    else:
        for i in range(m.nsensor):
            if sensor_sleeps(m, d, i):
                for k in range(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i]):
                    d.sensordata[k] = d.kept_sensordata[k]


@kernel(unit=True)
def keep_forces(m, d):
    """Remember rates of activations, forces and accelerations."""
    for k in range(m.na):
        d.kept_act_dot[k] = d.act_dot[k]
    for i in range(m.nv):
        d.kept_qfrc[i] = d.qfrc_smooth[i]
        d.kept_qacc[i] = d.qacc_smooth[i]


@kernel(unit=True)
def rest_forces(m, d):
    """Sleeping actuators make no force; the rest stays as it was.  Mirrors mj_fwdActuation."""
    for a in range(m.nactuator):
        if actuator_sleeps(m, d, a):
            for out in range(m.actuator_outadr[a], m.actuator_outadr[a] + m.actuator_outnum[a]):
                d.actuator_force[out] = 0.0
            for k in range(m.actuator_actadr[a], m.actuator_actadr[a] + m.actuator_actnum[a]):
                d.act_dot[k] = d.kept_act_dot[k]
    if d.time != 0.0:
        for i in range(m.nv):
            if is_asleep(d, m.dof_treeid[i]):
                d.qfrc_smooth[i] = d.kept_qfrc[i]
                d.qacc_smooth[i] = d.kept_qacc[i]
