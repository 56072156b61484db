"""Callbacks as kernels; they run as plain Python, too, and in MuJoCo."""

from __future__ import annotations

import math

from cortenforge.kernel import kernel, select

POS = 1
VEL = 2


@kernel(lanes=True)
def push_back(m, d):
    """Controls against the velocity, and a wave."""
    for i in range(m.nu):
        d.ctrl[i] = 0.3 * math.sin(3.0 * d.time + i) - 0.1 * d.qvel[i]


@kernel(lanes=True)
def drag(m, d):
    """Drag with the square of the velocity."""
    for i in range(m.nv):
        d.qfrc_passive[i] -= 0.05 * d.qvel[i] * abs(d.qvel[i])


@kernel(lanes=True)
def read(m, d, stage: int):
    """Numbers of each stage."""
    if stage == POS:
        d.sensordata[0] = 2.0 * d.xpos[2, 0]
        d.sensordata[1] = d.qpos[0]
    elif stage == VEL:
        d.sensordata[2] = d.qvel[0] * d.qvel[1]
    else:
        d.sensordata[3] = d.qacc[0]


@kernel(lanes=True)
def rate(m, d, i: int):
    """A filter; the second actuator has three activations, which are written."""
    first = m.actuator_actadr[i]
    u = d.ctrl[m.actuator_ctrladr[i]]
    if m.actuator_actnum[i] > 1:
        d.act_dot[first] = d.act[first + 1]
        d.act_dot[first + 1] = d.act[first + 2]
        d.act_dot[first + 2] = u - d.act[first]
    return (u - d.act[first]) / m.actuator_dynprm[i, 0]


@kernel(lanes=True)
def gain(m, d, i: int):
    """Weaker when it is long; a choice between lanes."""
    length = d.actuator_length[i]
    return select(length > 0.1, 2.0 - length, 2.0 + 0.5 * length * length)


@kernel(lanes=True)
def bias(m, d, i: int):
    """A spring and a damper."""
    return -m.actuator_biasprm[i, 0] * d.actuator_length[i] - 0.1 * d.actuator_velocity[i]


@kernel
def branching(m, d):
    """Not lane-safe: control flow depends on data."""
    if d.qpos[0] > 0.1:
        d.ctrl[0] = -1.0
    else:
        d.ctrl[0] = 1.0


KERNELS = {
    "control": push_back,
    "passive": drag,
    "sensor": read,
    "act_dyn": rate,
    "act_gain": gain,
    "act_bias": bias,
}

#: two links, a user actuator on each, user sensors at every stage
MODEL = """
<mujoco>
  <option integrator="{integrator}" timestep="0.01"><flag contact="disable" {flags}/></option>
  <worldbody>
    <body><joint name="j" axis="0 1 0" damping=".1"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".5 0 0" gravcomp=".3"><joint name="k" axis="0 1 0" stiffness="2"/>
        <geom size=".1" pos=".3 0 0"/></body></body>
  </worldbody>
  <actuator>
    <general name="one" joint="j" dyntype="user" gaintype="user" biastype="user" dynprm="0.3"
      biasprm="0.7" actdim="1" actlimited="true" actrange="-0.2 1"/>
    <general name="three" joint="k" dyntype="user" dynprm="0.5" actdim="3" actearly="true"/>
  </actuator>
  <sensor>
    <user name="place" dim="2" needstage="pos" cutoff="0.9"/>
    <user name="power" dim="1" needstage="vel" datatype="positive" cutoff="0.02"/>
    <user name="change" dim="1" needstage="acc"/>
    <jointpos joint="j"/>
  </sensor>
</mujoco>"""
