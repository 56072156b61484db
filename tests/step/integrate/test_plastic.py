"""Springs that yield: beyond a threshold, a spring's rest follows what stretches it."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.enums import Disable
from tests.step.stages import field, pair

MODEL = """
<mujoco><option timestep="0.01"><flag contact="disable"/></option>
<default><geom size=".1"/></default><worldbody>
  <site name="w" pos="0 0 .7"/>
  <body><joint name="h" axis="0 1 0" springyield="20" springref="10" stiffness="1 2 3"/>
    <geom pos=".3 0 0"/>
    <body pos=".5 0 0"><joint type="ball" springyield="15" stiffness="3"/><geom pos=".1 .1 0"/>
      <site name="s" pos=".3 0 0"/></body></body>
  <body pos="0 1 0"><joint name="x" type="slide" springyield=".05" stiffness="40" springref=".1"/>
    <geom/></body>
  <body pos="0 2 0"><joint name="y" type="slide"/><joint name="z" type="slide" axis="1 0 0"/>
    <geom/><site name="t"/></body>
</worldbody>
<tendon>
  <spatial springlength="0 .6" stiffness="20" springyield=".1">
    <site site="w"/><site site="s"/></spatial>
  <spatial springlength=".2 .5" stiffness="5 1" springyield=".2">
    <site site="w"/><site site="t"/></spatial>
  <fixed springlength="0 .02" stiffness="30" springyield=".03"><joint joint="y" coef="1.5"/></fixed>
  <fixed springlength="-.02 .02" stiffness="30" springyield=".03">
    <joint joint="x" coef="1"/><joint joint="z" coef="-1"/></fixed>
</tendon></mujoco>"""
STATES = 4


@pytest.mark.parametrize("integrator", [0, 1], ids=["Euler", "RK4"])
@pytest.mark.parametrize("seed", range(STATES))
def test_rests_are_mujocos(integrator, seed):
    """Hinge, slide, ball and tendons over a hundred steps, with lengths as RK4 leaves them."""
    both = pair(MODEL)
    both.model.opt.integrator = both.reference.opt.integrator = integrator
    both.write(np.random.default_rng(seed))
    start = both.data.plastic.copy()
    for _ in range(100):
        both.step()
        both.assert_equal(field("plastic"), field("ten_length"), field("ten_J"))
    assert (both.data.plastic != start).any()
    np.testing.assert_allclose(both.data.qpos, both.theirs.qpos, atol=1e-9)


@pytest.mark.parametrize("limit", [0.0, -1.0])
def test_thresholds_of_zero_slip(limit):
    """Set later, a threshold that is not positive lets springs slip in full."""
    both = pair(MODEL)
    for model in (both.model, both.reference):
        model.jnt_springyield[:] = limit
        model.tendon_springyield[:] = limit
    both.write(np.random.default_rng(0))
    both.step()
    both.assert_equal(field("plastic"), field("qpos"))


def test_nothing_yields_without_springs():
    """With the flag off, rests stay."""
    both = pair(MODEL)
    for model in (both.model, both.reference):
        model.opt.disableflags |= int(Disable.SPRING)
    both.write(np.random.default_rng(0))
    before = both.data.plastic.copy()
    both.step()
    both.assert_equal(field("plastic"))
    assert (both.data.plastic == before).all()


def test_a_slide_keeps_its_distance():
    """Pulled out to 0.5, a spring that yields at 0.1 rests 0.1 behind the farthest point."""
    text = """<mujoco><option gravity="0 0 0"/><worldbody><body><geom size=".1"/>
    <joint type="slide" stiffness="5" springyield=".1"/></body></worldbody></mujoco>"""
    data = cf.Model.from_mjcf(text).make_data()
    data.qpos[:] = 0.5
    data.step()
    assert data.plastic[0] == pytest.approx(data.qpos[0] - 0.1, abs=1e-15)
    farthest = data.plastic[0]
    data.step(400)
    # released, it swings about its new rest, within the threshold
    assert abs(data.plastic[0] - farthest) < 1e-3
    assert abs(data.qpos[0] - farthest) < 0.1 + 1e-3


@pytest.mark.parametrize("integrator", [0, 1])
def test_lanes_have_the_bits_of_single_worlds(integrator):
    """Worlds that yield beside worlds that do not."""
    model = cf.Model.from_mjcf(MODEL)
    model.opt.integrator = integrator
    batch = cf.BatchSim(model, 8, threads=1)
    rng = np.random.default_rng(4)
    for i in range(8):
        batch.qpos[i] = model.integrate_pos(model.qpos0, rng.normal(size=model.nv), 0.2 * i)
    start = batch.get_states()
    assert batch.step_all(20) == [None] * 8
    for i in range(8):
        data = model.make_data()
        data.set_state(start[i])
        data.step(20)
        ours, theirs = (
            np.ascontiguousarray(v) for v in (data.get_state().vector, batch.get_states()[i])
        )
        assert np.array_equal(ours.view(np.uint64), theirs.view(np.uint64)), i
