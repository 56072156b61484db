"""What is built on constraints, where the engine itself makes and solves them."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compare import mujoco_module
from tests.step.sensing.readings import reading
from tests.step.stages import Pair, pair

CONES = pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
#: balls and a box on a floor, an arm at its limits, a tendon that is too long; both engines
#: converge as far as they can
SCENE = """<mujoco><option cone="{cone}" tolerance="0" iterations="60" ls_tolerance="0"/><worldbody>
<geom name="floor" type="plane" size="5 5 1"/>
<body name="ball" pos="0 0 .099"><freejoint/><geom size=".1" condim="4" friction="1 .1 .1"/>
<site name="s" size=".2"/></body>
<body name="box" pos="1 0 .099"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/>
<site name="b" size=".2"/></body>
<body name="arm" pos="3 0 1"><joint name="j" range="10 20" frictionloss=".2" damping=".1"/>
<geom size=".1" pos=".2 0 0" contype="0" conaffinity="0"/><site name="a" pos=".2 0 0"/>
<body pos=".4 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" contype="0" conaffinity="0"/>
<site name="t"/></body></body><site name="w" pos="3 1 1"/></worldbody>
<tendon><spatial name="ten" range=".1 .2"><site site="t"/><site site="w"/></spatial></tendon>
<actuator><motor joint="k"/></actuator><sensor>
<touch name="touch" site="s"/><force name="f" site="b"/><torque name="tq" site="a"/>
<force name="fa" site="a"/><accelerometer name="acc" site="s"/>
<framelinacc objtype="site" objname="b"/>
<contact geom1="floor" num="6" data="found force torque dist pos normal tangent linvel angvel"/>
<contact body1="box" reduce="netforce" data="found force torque pos"/>
<jointlimitpos joint="j"/><jointlimitvel joint="j"/><jointlimitfrc name="limit" joint="j"/>
<tendonlimitpos tendon="ten"/><tendonlimitvel tendon="ten"/><tendonlimitfrc tendon="ten"/>
</sensor></mujoco>"""


def scene(cone: str, seed: int) -> Pair:
    """Both engines, evaluated in a state with velocities and applied forces."""
    both, rng = pair(SCENE.format(cone=cone)), np.random.default_rng(seed)
    assert both.model.supported() == []
    values = {
        "qvel": 0.3 * rng.normal(size=both.model.nv),
        "ctrl": rng.normal(size=1),
        "qfrc_applied": rng.normal(size=both.model.nv),
        "xfrc_applied": rng.normal(size=(both.model.nbody, 6)),
    }
    for name, value in values.items():
        getattr(both.data, name)[:] = getattr(both.theirs, name)[:] = value
    both.data.forward()
    mujoco_module().mj_forward(both.reference, both.theirs)
    return both


@CONES
def test_forces_and_readings_are_mujocos(cone):
    """000.6-AC1: sensors of every kind, contact forces, forces between bodies."""
    both = scene(cone, 1)
    assert both.theirs.nefc > 10 and both.theirs.nl == 2
    # what is left of the solvers' errors
    size = 1e-8 * np.abs(both.theirs.qacc).max()
    np.testing.assert_allclose(both.data.qacc, both.theirs.qacc, atol=size)
    np.testing.assert_allclose(both.data.sensordata, both.theirs.sensordata, atol=10 * size)
    both.data.interaction_forces()
    mujoco_module().mj_rnePostConstraint(both.reference, both.theirs)
    for name in ("cacc", "cfrc_ext", "cfrc_int"):
        wanted = getattr(both.theirs, name)
        np.testing.assert_allclose(getattr(both.data, name), wanted, atol=100 * size, err_msg=name)
    wanted = np.zeros(6)
    for c, ours in enumerate(both.data.contact_forces()):
        mujoco_module().mj_contactForce(both.reference, both.theirs, c, wanted)
        np.testing.assert_allclose(ours, wanted, atol=size)
        np.testing.assert_array_equal(ours, both.data.contact_force(c))
    assert both.data.jnt_limit_frc[2] == reading(both.data, "limit")[0] >= 0
    assert both.data.ten_limit_frc[0] == both.data.sensordata[-1] > 0
    assert np.abs(reading(both.data, "fa")).max() > 0.1


@CONES
def test_forward_then_inverse_gives_the_applied_force(cone):
    """And the sensors read the same."""
    data = scene(cone, 2).data
    nbody = data.model.nbody
    expected = data.qfrc_applied + data.qfrc_actuator
    for b in range(1, nbody):
        push = data.xfrc_applied[b]
        expected += data.apply_ft(push[:3], push[3:], data.xipos[b], b)
    force, readings = data.efc_force.copy(), data.sensordata.copy()
    data.inverse()
    size = np.abs(data.qfrc_bias).max()
    np.testing.assert_allclose(data.qfrc_inverse, expected, rtol=0, atol=1e-8 * size)
    np.testing.assert_allclose(data.efc_force, force, atol=1e-8 * np.abs(force).max())
    np.testing.assert_allclose(data.sensordata, readings, atol=1e-8 * np.abs(readings).max())


def test_forces_on_bodies_explain_their_motion():
    """Newton's law for a ball and a box: weight, contacts and what is applied."""
    data = scene("elliptic", 3).data
    data.interaction_forces()
    for name, dof in (("ball", 0), ("box", 6)):
        body = data.model.names["body"].index(name)
        lift = data.cfrc_ext[body, 3:] + data.model.body_mass[body] * data.model.opt.gravity
        mass = data.model.body_mass[body]
        lift += data.qfrc_applied[dof : dof + 3]
        np.testing.assert_allclose(lift, mass * data.qacc[dof : dof + 3], atol=1e-8)


def test_halves_of_a_step():
    """Have the bits of a step."""
    data = scene("pyramidal", 4).data
    twin = data.copy()
    for _ in range(3):
        data.step()
        twin.step1()
        twin.step2()
    assert data.get_state().vector.tobytes() == twin.get_state().vector.tobytes()
    assert data.sensordata.tobytes() == twin.sensordata.tobytes()
