"""What spatial tendons do to the bodies along their paths."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from conformance.driven import pulled_model
from tests.step.sensing.readings import assert_readings, sensed
from tests.step.stages import pair, states, written_by
from tests.step.tendon_models import wraps

SEEDS = range(2400, 2410)
DRAWN = [pytest.param(pulled_model(seed), id=f"seed {seed}") for seed in SEEDS]
WRAPS = [pytest.param(wraps(seed, 12), id=f"wraps {seed}") for seed in (3, 4)]


@pytest.mark.parametrize("source", ["tendons", *WRAPS, *DRAWN])
def test_fields_are_mujocos(source):
    """Springs, dampers, actuators and inertia, over pulleys and around geoms."""
    for both in states(source):
        both.assert_equal(*written_by("step.body_forces.rne_post_constraint"))


@pytest.mark.parametrize("source", DRAWN)
def test_readings_are_mujocos(source):
    """All kinds of sensors beside tendons and actuators."""
    for both in sensed(source):
        assert_readings(both)


#: a post that stands on the world, a rope from its top to a weight on rails, over a round stone
POST = """
<mujoco>
  <option gravity="0 0 0"><flag contact="disable"/></option>
  <worldbody>
    <body name="post"><geom size=".1"/><site name="foot"/><site name="top" pos="0 0 2"/></body>
    <body name="stone" pos="2 0 1"><geom name="stone" size=".5"/><site name="stone"/></body>
    <body name="weight" pos="4 0 2"><joint type="slide" axis="1 0 0"/><geom size=".1" mass="3"/>
      <site name="hook"/></body>
  </worldbody>
  <tendon><spatial name="rope" {numbers}>{path}</spatial></tendon>
  {rest}
  <sensor><force site="foot"/><torque site="foot"/><force site="stone"/><torque site="stone"/>
  </sensor>
</mujoco>"""
LINE = '<site site="top"/><site site="hook"/>'
OVER = '<site site="top"/><geom geom="stone" sidesite="low"/><site site="hook"/>'


def readings(both):
    """Force and torque on the post and on the stone, as their bases feel them; as MuJoCo's."""
    both.forward()
    assert_readings(both)
    return both.data.sensordata.reshape(4, 3)


def test_a_spring_pulls_at_both_ends():
    """The base holds the post against k (L - Ls), which tips it over its height."""
    both = pair(POST.format(numbers='stiffness="5" springlength="1"', path=LINE, rest=""))
    force, torque, *_ = readings(both)
    np.testing.assert_allclose(force, [-15, 0, 0], atol=1e-12)
    np.testing.assert_allclose(torque, [0, -30, 0], atol=1e-12)
    assert both.data.qacc[0] == pytest.approx(-5)


@pytest.mark.parametrize("armature", [0.0, 1.5])
def test_an_actuator_pulls_less_what_inertia_takes(armature):
    """The rope speeds up with the weight: its ends feel the motor less armature times qacc."""
    motor = '<actuator><motor tendon="rope" gear="2"/></actuator>'
    both = pair(POST.format(numbers=f'armature="{armature}"', path=LINE, rest=motor))
    for data in (both.data, both.theirs):
        data.ctrl[:] = -6
    force, *_ = readings(both)
    acceleration = -12 / (3 + armature)
    assert both.data.qacc[0] == pytest.approx(acceleration)
    np.testing.assert_allclose(force, [-12 - armature * acceleration, 0, 0], atol=1e-12)


def test_what_a_rope_wraps_around_is_pressed():
    """Forces on all bodies sum up to nothing, and so do torques about any point."""
    both = pair(
        POST.format(numbers='stiffness="5" springlength="1"', path=OVER, rest="")
        .replace('<site name="stone"/>', '<site name="stone"/><site name="low" pos="0 0 2"/>')
        .replace('pos="2 0 1"', 'pos="2 0 1.8"')
    )
    *_, pressed, turned = readings(both)
    tension = 5 * (both.data.ten_length[0] - 1)
    assert both.data.ten_wrapnum[0] == 4
    # the rope rises to the stone and falls behind it; the base holds against it, without a turn
    assert pressed[2] > 0.1 * tension and abs(pressed[0]) < 1e-12 and np.abs(turned).max() < 1e-12
    wrenches = both.data.cfrc_ext[1:]
    centres = both.data.subtree_com[1:]
    assert np.abs(wrenches[:, 3:].sum(axis=0)).max() < 1e-12
    moments = wrenches[:, :3] + np.cross(centres, wrenches[:, 3:])
    assert np.abs(moments.sum(axis=0)).max() < 1e-12


def test_lanes_have_the_bits_of_single_worlds():
    """Worlds that touch a geom beside worlds that do not."""
    for source in (pulled_model(2402), wraps(5, 12)):
        model = cf.Model.from_mjcf(source)
        batch = cf.BatchSim(model, 8, threads=1)
        rng = np.random.default_rng(3)
        for i in range(8):
            batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.5)
        batch.qvel[:] = rng.normal(size=batch.qvel.shape)
        batch.bind("cfrc_ext", "cfrc_int", "sensordata")
        start = batch.get_states()
        assert batch.step_all(5) == [None] * 8
        for i in range(8):
            data = model.make_data()
            data.set_state(start[i])
            data.step(5)
            data.interaction_forces()
            for name in ("cfrc_ext", "cfrc_int", "sensordata"):
                ours = np.ascontiguousarray(getattr(data, name)).view(np.uint64)
                theirs = np.ascontiguousarray(getattr(batch, name)[i]).view(np.uint64)
                assert np.array_equal(ours, theirs), name


#: side sites within, ends at the centre and within, no length at all; each with a motor
DEGENERATE = """
<mujoco>
  <option gravity="0 0 0"><flag contact="disable"/></option>
  <worldbody>
    <site name="a" pos="-.5 0 .1"/><site name="centre"/><site name="within" pos="0 .1 .1"/>
    <geom name="g" {geom}/>
    <body><joint axis="0 1 0"/><geom size=".05" pos=".5 0 0"/><site name="b" pos=".5 0 .1"/>
    <site name="mid"/></body>
    <body><joint axis="0 0 1"/><geom size=".1"/><site name="t" pos="-.5 0 .1"/></body>
  </worldbody>
  <tendon>{tendons}</tendon>
  <actuator>{actuators}</actuator>
  <sensor><accelerometer site="b"/><force site="b"/><torque site="t"/></sensor>
</mujoco>"""
ENDS = (("a", "t"), ("centre", "b"), ("within", "b"), ("t", "b"), ("a", "mid"), ("a", "b"))
SIDES = ("", 'sidesite="centre"', 'sidesite="within"', 'sidesite="b"')


@pytest.mark.parametrize("geom", ['size=".2"', 'type="cylinder" size=".2 .4"'])
def test_degenerate_paths(geom):
    """Finite lengths, arms, forces and accelerations, which are MuJoCo's."""
    paths = [f'<site site="{one}"/><site site="{other}"/>' for one, other in ENDS]
    paths += [
        f'<site site="{one}"/><geom geom="g" {side}/><site site="{other}"/>'
        for one, other in ENDS
        for side in SIDES
    ]
    tendons = "".join(
        f'<spatial name="{i}" stiffness="3" damping=".1" springlength="0.2">{path}</spatial>'
        for i, path in enumerate(paths)
    )
    motors = "".join(f'<motor tendon="{i}" gear="2"/>' for i in range(len(paths)))
    both = pair(DEGENERATE.format(geom=geom, tendons=tendons, actuators=motors))
    rng = np.random.default_rng(6)
    for angles in ((0, 0), (0.4, 0), (0, 0.5), (np.pi, 0.3), (0.2, np.pi)):
        controls, speeds = rng.normal(size=len(paths)), rng.normal(size=2)
        for data in (both.data, both.theirs):
            data.qpos[:], data.qvel[:], data.ctrl[:] = angles, speeds, controls
        both.forward()
        modules = ("position.tendons", "position.transmission", "actuation.actuator_force")
        fields = [field for name in modules for field in written_by(f"step.{name}")]
        both.assert_equal(
            *fields,
            *written_by("step.body_forces.rne_post_constraint"),
            *written_by("step.acceleration"),
        )
        assert_readings(both)
        assert np.isfinite(both.data.sensordata).all()
