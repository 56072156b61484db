"""Controls as actuators take them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.step.statuses import WARN_CONTROL
from tests.step.actuation.driven import hinge, set_both
from tests.step.stages import field

TWO = '<motor joint="j" name="first" ctrlrange="-1 1"/><motor joint="j" name="second" gear="2"/>'


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 2e10])
def test_a_bad_control_zeroes_all(bad):
    """As in MuJoCo: a world with a control that is no number goes on with none, and warns."""
    both = hinge(TWO)
    set_both(both, ctrl=[0.5, bad])
    for call in (both.data.forward, both.data.step):
        with pytest.warns(cf.StepWarning, match=r"ctrl\[1\] of actuator 'second' is"):
            call()
        assert (both.data.actuator_force == 0).all()
        assert both.data.warning_count[WARN_CONTROL] == both.data.warning_count.sum() == 1
    assert np.isfinite(both.data.qpos).all()


def test_a_control_beyond_its_range_is_clamped_first():
    """Infinity within a range is a number: the end of the range."""
    both = hinge(TWO)
    set_both(both, ctrl=[np.inf, 0.25])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both.forward()
    assert both.data.actuator_force.tolist() == [1.0, 0.25]
    both.assert_equal(field("actuator_force"))


def test_controls_stay_what_the_user_wrote():
    both = hinge(TWO)
    set_both(both, ctrl=[7.0, np.nan])
    with pytest.warns(cf.StepWarning):
        both.data.step()
    assert both.data.ctrl[0] == 7.0 and np.isnan(both.data.ctrl[1])


def test_one_world_of_a_batch():
    """Others are not touched by a world whose controls are bad."""
    both = hinge(TWO)
    batch = cf.BatchSim(both.model, 3, threads=1)
    batch.bind("actuator_force")
    batch.ctrl[:] = 0.5
    batch.ctrl[1, 0] = np.nan
    for call in (batch.step_all, batch.forward_all):
        with pytest.warns(cf.StepWarning, match=r"^world 1: ctrl\[0\] of actuator 'first' is nan"):
            assert call() in ([None] * 3, None)
    assert batch.actuator_force.tolist() == [[0.5, 0.5], [0, 0], [0.5, 0.5]]
