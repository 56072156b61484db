"""Sensors of limits, and the force of each limit."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Disable
from cortenforge.step.sensing.limits import limit_forces, limit_sensors
from tests.step.borrowed import borrow
from tests.step.sensing.readings import assert_readings, reading
from tests.step.stages import Pair, pair

MODEL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body name="b" pos="0 0 .05"><joint name="z" type="slide" axis="0 0 1" range=".1 1" limited="true"/>
<geom name="g" size=".1"/><site name="s" size=".2"/></body></worldbody>
<tendon><fixed name="t" range=".1 1" limited="true"><joint joint="z" coef="1"/></fixed></tendon>
<actuator><adhesion name="a" body="b" ctrlrange="0 1" gain="5"/></actuator>
<sensor><touch site="s" cutoff="2"/><contact geom1="g" data="found force dist pos" num="2"/>
<contact site="s" reduce="netforce" data="found force torque dist pos normal tangent"/>
<jointlimitfrc joint="z"/><jointlimitpos joint="z"/><jointlimitvel joint="z"/>
<tendonlimitfrc tendon="t"/><tendonlimitpos tendon="t"/><tendonlimitvel tendon="t"/>
<actuatorfrc actuator="a"/></sensor></mujoco>"""
WAYS = [Disable.CONSTRAINT, Disable.CONTACT | Disable.LIMIT]

SENSORS = """<jointlimit{0} joint="{1}" name="{1}{0}"/>"""
LIMITED = """<mujoco><option><flag contact="disable"/></option><worldbody>
<body><joint name="turn" range="-10 10" damping=".1"/><geom size=".1" pos=".1 0 0"/>
<body pos=".3 0 0"><joint name="slide" type="slide" range="-.1 .2" margin=".02"/>
<geom size=".1"/></body></body>
<body><joint name="ball" type="ball" range="0 30"/><geom size=".1"/></body>
<body><joint name="both" range="-10 20" margin="1"/><geom size=".1"/></body></worldbody>
<tendon><fixed name="ten" range="-.2 .1"><joint joint="turn" coef=".3"/><joint joint="slide"
coef="2"/></fixed></tendon><sensor>{}
<tendonlimitpos tendon="ten"/><tendonlimitvel tendon="ten"/><tendonlimitfrc tendon="ten"/>
<jointlimitfrc joint="turn" name="again"/><jointlimitfrc joint="turn" cutoff=".1" name="cut"/>
</sensor></mujoco>"""
JOINTS = ("turn", "slide", "ball", "both")


def limited() -> Pair:
    """Joints of every kind with limits, and a tendon."""
    lines = (SENSORS.format(what, joint) for joint in JOINTS for what in ("pos", "vel", "frc"))
    return pair(LIMITED.format("".join(lines)))


def sense(both: Pair) -> None:
    """Read limits, stage by stage, with rows that MuJoCo made."""
    borrow(both)
    for stage in (1, 2, 3):
        both.data._run_unit(limit_sensors, stage)
    both.data._run_unit(limit_forces)


@pytest.mark.parametrize("flags", WAYS)
def test_nothing_is_read_without_constraints(flags):
    """Zeros, in place of whatever stood there; adhesion pulls, but at nothing."""
    both = pair(MODEL)
    for options in (both.model.opt, both.reference.opt):
        options.disableflags |= int(flags)
    for data in (both.data, both.theirs):
        data.ctrl[:] = 0.7
        data.sensordata[:] = 9
    assert both.model.supported() == []
    both.step()
    np.testing.assert_array_equal(both.data.sensordata, both.theirs.sensordata)
    assert not both.data.sensordata[:-1].any()
    np.testing.assert_array_equal(both.data.actuator_force, [3.5])
    for name in ("actuator_length", "actuator_velocity", "qfrc_actuator", "qvel"):
        ours, theirs = getattr(both.data, name), getattr(both.theirs, name)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, err_msg=name)


def test_readings_are_mujocos():
    """7-AC1, 7-AC2, 7-AC4, 7-AC10, 7-AC11, 7-S1: where limits act, and where not."""
    both, rng = limited(), np.random.default_rng(5)
    rows = []
    for _ in range(20):
        both.write(rng)
        sense(both)
        assert_readings(both)
        rows.append(both.theirs.nl)
        data = both.data
        for number, joint in enumerate(JOINTS):
            force = reading(data, f"{joint}frc")[0]
            assert data.jnt_limit_frc[number] == force >= 0
        assert data.ten_limit_frc[0] == data.sensordata[-3] >= 0
        assert reading(data, "again") == reading(data, "turnfrc")
        assert reading(data, "cut") == min(0.1, reading(data, "turnfrc"))
    assert min(rows) < max(rows)


def test_inside_of_limits_is_zero():
    """7-AC3: nothing is near a limit, but for the margin of one joint, which has two rows."""
    both = limited()
    both.data.sensordata[:] = 7
    sense(both)
    names = [f"{joint}{what}" for joint in JOINTS[:3] for what in ("pos", "vel", "frc")]
    assert all(reading(both.data, name) == 0 for name in names)
    np.testing.assert_array_equal(both.data.jnt_limit_frc[:3], 0)
    assert both.theirs.nl == 2


@pytest.mark.parametrize("way", ["step", "forward", "batch"])
def test_forces_are_of_this_step_alone(way):
    """7-AC6: what pushed in a step is gone in the next, where nothing is near a limit."""
    data = limited().data
    batch = cf.BatchSim(data.model, 3)
    batch.bind("jnt_limit_frc", "ten_limit_frc")
    runs = {"step": data.step, "forward": data.forward, "batch": batch.step_all}
    seen = batch if way == "batch" else data
    for turn, slide in ((0.5, -0.05), (0.0, 0.15), (0.01, 0.01)):
        for state in (data, batch):
            state.qpos[...] = data.model.qpos0
            state.qvel[...] = 0
            state.qpos[..., 0], state.qpos[..., 1] = turn, slide
        runs[way]()
        assert np.all((seen.jnt_limit_frc[..., 0] > 0) == (turn == 0.5))
        assert np.all((seen.ten_limit_frc > 0) == (slide == 0.15))
        assert np.all(seen.jnt_limit_frc >= 0) and np.all(seen.ten_limit_frc >= 0)


def test_known_values():
    """Half a radian beyond the limit, at a known speed; what is held at rest weighs m g r."""
    both = pair("""<mujoco><option gravity="0 0 -10"/><worldbody><body><joint name="j"
    axis="0 1 0" range="-180 0"/><geom size=".1" pos="1 0 0" mass="2"/></body></worldbody>
    <sensor><jointlimitpos joint="j" name="pos"/><jointlimitvel joint="j" name="vel"/>
    <jointlimitfrc joint="j" name="frc"/></sensor></mujoco>""")
    for data in (both.data, both.theirs):
        data.qpos[:], data.qvel[:] = 0.5, 3
    sense(both)
    np.testing.assert_allclose(reading(both.data, "pos"), -0.5, rtol=1e-14)
    np.testing.assert_allclose(reading(both.data, "vel"), -3, rtol=1e-14)
    # any force, with the acceleration that comes of it: M a = m g r cos(q) - f
    inertia = 2 * (1 + 0.4 * 0.01)
    force = 20 * np.cos(0.5) - inertia * both.data.qacc[0]
    np.testing.assert_allclose(reading(both.data, "frc"), force, rtol=1e-12)


def test_known_tendon():
    """A tendon over a slide, with a gear of two, a tenth too long."""
    both = pair("""<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="slide"/>
    <geom size=".1" mass="2"/></body></worldbody><tendon><fixed name="t" range="0 .3"><joint
    joint="j" coef="2"/></fixed></tendon><sensor><tendonlimitpos tendon="t" name="pos"/>
    <tendonlimitvel tendon="t" name="vel"/><tendonlimitfrc tendon="t" name="frc"/>
    </sensor></mujoco>""")
    for data in (both.data, both.theirs):
        data.qpos[:], data.qvel[:] = 0.2, 0.7
    sense(both)
    np.testing.assert_allclose(reading(both.data, "pos"), -0.1, rtol=1e-14)
    np.testing.assert_allclose(reading(both.data, "vel"), -1.4, rtol=1e-14)
    np.testing.assert_allclose(reading(both.data, "frc"), -both.data.qacc[0], rtol=1e-12)
